package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import org.jspecify.annotations.Nullable;

/**
 * One completed work request ({@code struct ibv_wc}, ibv_poll_cq(3)): a view that reads each field when it is asked for.
 * It shows whatever completion the {@linkplain CompletionCursor cursor} stands on, so keep a {@link #copy()} and not the
 * view.
 *
 * <p>On a failed completion only {@link #id()}, {@link #status()}, {@link #vendorError()}, {@link #queuePairNumber()} and
 * {@link #queuePair()} are valid; the others throw {@link InvalidFieldException} instead of answering with leftovers.
 *
 * <p>Thread rules: for the thread whose turn it is, and only while the cursor stands on a completion.
 */
public abstract sealed class WorkCompletion permits CompletionCursor {
    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();
    private static final int WITH_IMM = WorkCompletionFlag.WITH_IMM.bit();
    private static final int GRH = WorkCompletionFlag.GRH.bit();
    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();

    WorkCompletion() {}

    /** The completion under the cursor; refuses where there is none. */
    abstract ProviderCompletionQueue current(String field);

    /** Identifier that the work request was posted with. */
    public long id() {
        return current("id").id();
    }

    /** How it ended. */
    public WorkCompletionStatus status() {
        return WorkCompletionStatus.of(statusCode());
    }

    /** How it ended, as a number; also those that {@link WorkCompletionStatus} does not know. */
    public int statusCode() {
        return current("status").status();
    }

    /** Whether it succeeded. */
    public boolean isSuccess() {
        return statusCode() == SUCCESS;
    }

    /** The device's own error number; no two makes agree on what it means. */
    public int vendorError() {
        return current("vendorError").vendorError();
    }

    /** Number of the queue pair; it may have been closed meanwhile. */
    public int queuePairNumber() {
        return current("queuePairNumber").queuePairNumber();
    }

    /**
     * The queue pair, and so what the program has {@linkplain QueuePair#attachment() attached} to it; null if it was closed
     * meanwhile, or lost. Allocates nothing.
     */
    public @Nullable QueuePair queuePair() {
        return find(queuePairNumber());
    }

    /** The queue pair with a number. */
    abstract @Nullable QueuePair find(int number);

    /** What was done. */
    public WorkCompletionOpcode opcode() {
        return WorkCompletionOpcode.of(succeeded("opcode").opcode());
    }

    /**
     * Bytes received, read, or fetched by an atomic, up to 2<sup>32</sup> - 1; not for other operations of a send queue.
     */
    public long byteLength() {
        return succeeded("byteLength").byteLength();
    }

    /** Bits of {@link WorkCompletionFlag}. */
    public int flags() {
        return succeeded("flags").flags();
    }

    /**
     * Whether {@link #immediate()} is there: on the receiving side of a message that carried it. Soft-RoCE flags the
     * sender's completion too, though it has no data there.
     */
    public boolean hasImmediate() {
        return (flags() & WITH_IMM) != 0 && opcode().isReceive();
    }

    /** The four immediate bytes as a number in network order: what the sender passed to its batch. */
    public int immediate() {
        ProviderCompletionQueue at = flagged("immediate", WITH_IMM);
        if (!opcode().isReceive()) {
            throw notValid("immediate", "it is the sender's completion");
        }
        return at.immediate();
    }

    /** The rkey that the sender had invalidated. */
    public int invalidatedRkey() {
        return flagged("invalidatedRkey", WITH_INV).immediate();
    }

    /**
     * Whether the received memory begins with a {@link Grh}. Only datagrams have one; Soft-RoCE, and so the embedded
     * device, flags every receive.
     */
    public boolean hasGrh() {
        return (flags() & GRH) != 0 && opcode().isReceive();
    }

    /**
     * The device's clock when the completion was made, in ticks ({@link Context#queryClock}); of a completion queue that was
     * created with {@link CompletionQueue.Builder#timestamps()}.
     */
    public long timestamp() {
        ProviderCompletionQueue at = succeeded("timestamp");
        if (!at.hasTimestamps()) {
            throw notValid("timestamp", "the completion queue was created without timestamps");
        }
        return at.timestamp();
    }

    /**
     * This machine's time when the completion was made, in nanoseconds since 1970: the timestamp as the clock stood when the
     * completion queue was created, so that drift since then is in it.
     *
     * @throws InvalidFieldException as {@link #timestamp()}
     */
    public long wallclockNs() {
        long ticks = timestamp(); // says what is wrong where there is none
        return clock().wallclockNs(ticks);
    }

    /** How the device's clock stood when the queue was created. */
    abstract DeviceClock clock();

    /** Number of the sending queue pair (UD). */
    public int sourceQueuePair() {
        return succeeded("sourceQueuePair").sourceQueuePair();
    }

    /** Source LID (InfiniBand UD). */
    public int sourceLid() {
        return succeeded("sourceLid").slid();
    }

    /** Service level (UD). */
    public int serviceLevel() {
        return succeeded("serviceLevel").serviceLevel();
    }

    /** Low bits of the destination LID (InfiniBand UD). */
    public int destinationPathBits() {
        return succeeded("destinationPathBits").dlidPathBits();
    }

    /**
     * Returns this if the work request succeeded.
     *
     * @throws WorkCompletionException otherwise, with the description
     */
    public WorkCompletion requireSuccess() {
        if (!isSuccess()) {
            throw new WorkCompletionException(this);
        }
        return this;
    }

    /** The status by name, with its usual cause and a hint; one line. */
    public String describe() {
        return "work request " + id() + " of queue pair 0x" + Integer.toHexString(queuePairNumber()) + ": " + outcome();
    }

    /** The part of {@link #describe()} that does not say which work request it was. */
    String outcome() {
        WorkCompletionStatus status = status();
        return status.isSuccess()
                ? "success"
                : status + " (status " + statusCode() + ", vendor error " + vendorError() + "): " + status.text() + ": "
                        + status.cause() + "; " + status.hint();
    }

    /** A copy that can be kept. Allocates. */
    public Completion copy() {
        return isSuccess()
                ? new Completion(
                        id(),
                        status(),
                        vendorError(),
                        queuePairNumber(),
                        opcode(),
                        byteLength(),
                        flags(),
                        rawImmediate(),
                        opcode().isReceive() ? sourceQueuePair() : 0)
                : new Completion(
                        id(), status(), vendorError(), queuePairNumber(), WorkCompletionOpcode.UNKNOWN, 0, 0, 0, 0);
    }

    private int rawImmediate() {
        return (flags() & (WITH_IMM | WITH_INV)) == 0 ? 0 : current("immediate").immediate();
    }

    private ProviderCompletionQueue succeeded(String field) {
        ProviderCompletionQueue at = current(field);
        if (at.status() != SUCCESS) {
            throw notValid(field, "it is not valid on a failed completion (" + status() + ")");
        }
        return at;
    }

    private ProviderCompletionQueue flagged(String field, int flag) {
        ProviderCompletionQueue at = succeeded(field);
        if ((at.flags() & flag) == 0) {
            throw notValid(field, "the message brought none");
        }
        return at;
    }

    private InvalidFieldException notValid(String field, String rule) {
        return new InvalidFieldException(Refusal.of(
                        Errno.ENODATA, "read " + field, "completion of work request " + id())
                .rule(rule)
                .remedy("Valid on every completion are id, status, vendorError and queuePairNumber; ask isSuccess() and"
                        + " hasImmediate() first"));
    }

    @Override
    public String toString() {
        return describe();
    }
}
