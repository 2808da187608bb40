package dev.doorbell.tools.cm;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of an rping: a control message of 16 bytes each way, and the data.
 *
 * <pre>
 *   control message   0 be64 address | 8 be32 rkey | 12 be32 size
 *
 *   client                                 server
 *     its source's address ───────────────▶
 *                                          READ of the source
 *                       ◀──────────────── go ahead
 *     its sink's address ─────────────────▶
 *                                          WRITE into the sink
 *                       ◀──────────────── go ahead
 * </pre>
 */
final class RpingEnd implements AutoCloseable {
    static final int CONTROL = 16;

    private static final ValueLayout.OfLong BE_LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt BE_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int RKEY = 8;
    private static final int SIZE = 12;
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private final QueuePair queuePair;
    private final Duration patience;
    private final RegisteredArena arena;
    private final MemorySlice incoming;
    private final MemorySlice outgoing;
    private @Nullable CmConnection connection;
    private int messages;
    private int sends;

    /** Registers memory and posts the first receive, before the peer can send. */
    RpingEnd(QueuePair queuePair, Duration patience) {
        this.queuePair = queuePair;
        this.patience = patience;
        this.arena = queuePair
                .protectionDomain()
                .arena(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
        this.incoming = arena.allocateSlice(CONTROL);
        this.outgoing = arena.allocateSlice(CONTROL);
        queuePair.postReceive(RECEIVE, incoming);
    }

    void connected(CmConnection value) {
        connection = value;
    }

    private boolean isConnected() {
        return connection != null && connection.isConnected();
    }

    /** Memory that the peer can read and write. */
    MemorySlice allocate(int bytes) {
        return arena.allocateSlice(bytes);
    }

    /** Sends a buffer's place; without one, a go-ahead, whose content nobody looks at. */
    void tell(MemorySlice buffer, int size) {
        MemorySegment message = outgoing.segment();
        message.set(BE_LONG, 0, buffer.address());
        message.set(BE_INT, RKEY, buffer.rkey());
        message.set(BE_INT, SIZE, size);
        queuePair.postSend(SEND, outgoing);
        awaitSend();
    }

    void goAhead() {
        queuePair.postSend(SEND, outgoing);
        awaitSend();
    }

    /** The last go-ahead of a ping. A peer that has heard it may end the connection before its acknowledgement is here. */
    void finish() {
        queuePair.postSend(SEND, outgoing);
        if (await(() -> sends > 0)) {
            sends--;
        }
    }

    /** Waits for the peer's message; false if it has ended the connection. */
    boolean hear() {
        boolean heard = await(() -> messages > 0);
        if (heard) {
            messages--;
        }
        return heard;
    }

    /** The size that the last message tells. */
    int peerSize() {
        return incoming.segment().get(BE_INT, SIZE);
    }

    /** Reads the peer's memory that the last message told of. */
    void read(MemorySlice into) {
        try (SendBatch batch = queuePair.batch()) {
            batch.read(SEND, peerAddress(), peerRkey()).sge(into).signaled();
            batch.submit();
        }
        awaitSend();
    }

    /** Writes to the peer's memory that the last message told of. */
    void write(MemorySlice from) {
        try (SendBatch batch = queuePair.batch()) {
            batch.write(SEND, peerAddress(), peerRkey()).sge(from).signaled();
            batch.submit();
        }
        awaitSend();
    }

    private long peerAddress() {
        return incoming.segment().get(BE_LONG, 0);
    }

    private int peerRkey() {
        return incoming.segment().get(BE_INT, RKEY);
    }

    /** Gives the receive buffer back: the last message has been looked at. */
    void listen() {
        queuePair.postReceive(RECEIVE, incoming);
    }

    private void awaitSend() {
        if (!await(() -> sends > 0)) {
            throw new CmToolException("the peer ended the connection before it took a message");
        }
        sends--;
    }

    private boolean await(BooleanSupplier condition) {
        boolean came = queuePair
                .sendCompletions()
                .await(() -> condition.getAsBoolean() || !isConnected(), patience, this::completed);
        if (!came) {
            throw new CmToolException("the peer was silent for " + patience.toSeconds() + " seconds");
        }
        return condition.getAsBoolean();
    }

    private void completed(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            if (isConnected()) {
                completion.requireSuccess();
            }
        } else if (completion.id() != RECEIVE) {
            sends++;
        } else if (completion.byteLength() == CONTROL) {
            messages++;
        } else {
            throw new CmToolException(
                    "the peer sent a message of " + completion.byteLength() + " bytes; rping's have " + CONTROL);
        }
    }

    /** Deregisters the memory; the connection is closed by now. */
    @Override
    public void close() {
        arena.close();
    }
}
