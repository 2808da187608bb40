package dev.doorbell.quality.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection, and the model of it: what the requester has posted, what the responder has posted for it,
 * and what must come of both.
 *
 * <p>The model relies on order: work requests take effect at the peer in the order in which they were posted, so their
 * effect on the peer's memory is known when they are posted. A READ may be answered again after a later WRITE took effect, as the
 * transport has it; such a WRITE therefore asks for a fence.
 */
final class Lane {
    static final int DEPTH = 16;
    static final int INLINE = 128;
    private static final int TARGETS = 8;
    private static final int WORDS = 4;

    private final Side requester;
    private final Side responder;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final SplittableRandom random;
    private final long mtu;
    private final long slotBytes;

    private final long sources;
    private final long targets;
    private final long words;
    private final long inboxes;

    private final Deque<Request> pending = new ArrayDeque<>();
    private final Deque<Message> messages = new ArrayDeque<>();
    private final Deque<Inbox> receives = new ArrayDeque<>();
    private final int[] readers = new int[TARGETS];
    private long posted;
    private long inboxesPosted;
    private int silent;
    private long lastSum = -1;

    /** Whether the device gave up sending. */
    private boolean broken;

    /** Whether receives came back unused, since the device gave up sending in the other direction. */
    private boolean flushed;

    private boolean closing;

    private record Request(
            long id,
            WorkCompletionOpcode opcode,
            boolean signaled,
            List<Piece> result,
            @Nullable MemorySegment expected,
            int target) {}

    private record Message(@Nullable MemorySegment bytes, boolean hasImmediate, int immediate, long length) {}

    private record Inbox(long id, List<Piece> pieces) {}

    Lane(Side requester, Side responder, QueuePair sender, QueuePair receiver, int mtu, SplittableRandom random) {
        this.requester = requester;
        this.responder = responder;
        this.sender = sender;
        this.receiver = receiver;
        this.mtu = mtu;
        this.random = random;
        slotBytes = slotBytes(mtu);
        sources = requester.mirror.take(DEPTH * slotBytes);
        targets = responder.mirror.take(TARGETS * slotBytes);
        inboxes = responder.mirror.take(DEPTH * slotBytes);
        words = responder.mirror.take(WORDS * Long.BYTES);
    }

    /** Memory that a lane takes on one side at most. */
    static long bytes(int mtu) {
        return (DEPTH + TARGETS) * slotBytes(mtu) + 4096;
    }

    private static long slotBytes(int mtu) {
        return (5L * mtu + Piece.SLACK + 63) / 64 * 64;
    }

    /** Whether this side's queue pair of that number sends here. */
    boolean sendsFrom(Side side, int number) {
        return side == requester && number == sender.number();
    }

    /** Whether this side's queue pair of that number receives here. */
    boolean receivesAt(Side side, int number) {
        return side == responder && number == receiver.number();
    }

    /** Whether nothing is under way. */
    boolean isIdle() {
        return pending.isEmpty() && messages.isEmpty();
    }

    /** Whether messages wait for receives. */
    boolean lacksReceives() {
        return receives.size() < messages.size();
    }

    /** Posts up to so many random work requests with one doorbell; the last one is signaled if wanted. */
    void post(int most, boolean lastSignaled) {
        try (SendBatch batch = sender.batch()) {
            for (int i = Math.min(most, DEPTH - pending.size()); i > 0; i--) {
                boolean signaled = random.nextInt(3) == 0 || silent >= DEPTH / 2 || (lastSignaled && i == 1);
                silent = signaled ? 0 : silent + 1;
                post(batch, signaled);
            }
            batch.submit();
        }
    }

    /** Makes sure that the end of all that was posted will be seen. */
    void signal() {
        if (!pending.isEmpty() && !pending.getLast().signaled() && pending.size() < DEPTH) {
            post(1, true);
        }
    }

    private void post(SendBatch batch, boolean signaled) {
        long source = sources + posted++ % DEPTH * slotBytes;
        long id = random.nextLong();
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> send(batch, id, source, signaled);
            case 3, 4, 5 -> write(batch, id, source, signaled);
            case 6 -> writeWithImmediate(batch, id, source, signaled);
            case 7, 8 -> read(batch, id, source, signaled);
            case 9 -> compareAndSwap(batch, id, source, signaled);
            case 10 -> fetchAndAdd(batch, id, source, signaled);
            default -> addToSum(batch, id, source, signaled);
        }
        if (signaled) {
            batch.signaled();
        }
    }

    /** Sizes around the ends of packets, mostly. */
    private long size() {
        long packets = random.nextInt(5);
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1, 17);
            case 2 -> random.nextLong(5 * mtu + 1);
            case 3 -> packets * mtu + random.nextInt(1, 9);
            case 4 -> Math.max(0, packets * mtu - random.nextInt(1, 9));
            default -> packets * mtu / 4;
        };
    }

    private MemorySegment payload(SendBatch batch, long source) {
        long size = size();
        if (random.nextInt(4) == 0) {
            size = Math.min(size, INLINE);
            requester.mirror.fill(source, size, random);
            batch.inline(requester.mirror.memory(), source, size);
            MemorySegment bytes = requester.mirror.snapshot(source, size);
            // The bytes have been taken: the program may use the memory again at once.
            requester.mirror.fill(source, size, random);
            return bytes;
        }
        requester.mirror.fill(source, slotBytes, random);
        List<Piece> pieces = Piece.split(source, size, random);
        elements(batch, pieces);
        return requester.mirror.snapshot(pieces);
    }

    private void elements(SendBatch batch, List<Piece> pieces) {
        for (Piece piece : pieces) {
            batch.sge(requester.region, piece.at(), piece.bytes());
        }
    }

    private void send(SendBatch batch, long id, long source, boolean signaled) {
        boolean hasImmediate = random.nextBoolean();
        int immediate = random.nextInt();
        if (hasImmediate) {
            batch.sendWithImmediate(id, immediate);
        } else {
            batch.send(id);
        }
        MemorySegment bytes = payload(batch, source);
        messages.add(new Message(bytes, hasImmediate, immediate, bytes.byteSize()));
        pending.add(new Request(id, WorkCompletionOpcode.SEND, signaled, List.of(), null, -1));
    }

    private void write(SendBatch batch, long id, long source, boolean signaled) {
        int target = random.nextInt(TARGETS);
        long at = targets + target * slotBytes + random.nextInt(16);
        batch.write(id, responder.region.remote(), at);
        MemorySegment bytes = payload(batch, source);
        if (readers[target] > 0) {
            batch.fence();
        }
        responder.mirror.expect(at, bytes);
        pending.add(new Request(id, WorkCompletionOpcode.RDMA_WRITE, signaled, List.of(), null, -1));
    }

    private void writeWithImmediate(SendBatch batch, long id, long source, boolean signaled) {
        int target = random.nextInt(TARGETS);
        int immediate = random.nextInt();
        long at = targets + target * slotBytes + random.nextInt(16);
        batch.writeWithImmediate(id, responder.region.remote(), at, immediate);
        MemorySegment bytes = payload(batch, source);
        if (readers[target] > 0) {
            batch.fence();
        }
        responder.mirror.expect(at, bytes);
        messages.add(new Message(null, true, immediate, bytes.byteSize()));
        pending.add(new Request(id, WorkCompletionOpcode.RDMA_WRITE, signaled, List.of(), null, -1));
    }

    private void read(SendBatch batch, long id, long source, boolean signaled) {
        int target = random.nextInt(TARGETS);
        long size = size();
        long at = targets + target * slotBytes + random.nextInt(16);
        List<Piece> pieces = Piece.split(source, size, random);
        batch.read(id, responder.region.remote(), at);
        elements(batch, pieces);
        readers[target]++;
        pending.add(new Request(
                id, WorkCompletionOpcode.RDMA_READ, signaled, pieces, responder.mirror.snapshot(at, size), target));
    }

    private void compareAndSwap(SendBatch batch, long id, long source, boolean signaled) {
        long word = words + random.nextInt(WORDS) * (long) Long.BYTES;
        long now = responder.mirror.expectedLong(word);
        long expected = random.nextInt(4) == 0 ? random.nextLong() : now;
        long replacement = random.nextLong();
        batch.compareAndSwap(id, responder.region.remote(), word, expected, replacement);
        responder.mirror.expect(word, expected == now ? replacement : now);
        atomic(batch, id, source, signaled, WorkCompletionOpcode.COMP_SWAP, now);
    }

    private void fetchAndAdd(SendBatch batch, long id, long source, boolean signaled) {
        long word = words + random.nextInt(WORDS) * (long) Long.BYTES;
        long addend = random.nextLong();
        long now = responder.mirror.expectedLong(word);
        batch.fetchAndAdd(id, responder.region.remote(), word, addend);
        responder.mirror.expect(word, now + addend);
        atomic(batch, id, source, signaled, WorkCompletionOpcode.FETCH_ADD, now);
    }

    private void atomic(
            SendBatch batch, long id, long source, boolean signaled, WorkCompletionOpcode opcode, long before) {
        MemorySegment result = MemorySegment.ofArray(new byte[Long.BYTES]);
        Host.setLong(result, 0, before);
        Piece piece = new Piece(source + 8, Long.BYTES);
        batch.sge(requester.region, piece.at(), piece.bytes());
        pending.add(new Request(id, opcode, signaled, List.of(piece), result, -1));
    }

    /** Adds one to the word that all queue pairs add to: what was there before is not known, but grows. */
    private void addToSum(SendBatch batch, long id, long source, boolean signaled) {
        responder.mirror.expect(responder.sum, responder.mirror.expectedLong(responder.sum) + 1);
        batch.fetchAndAdd(id, responder.region.remote(), responder.sum, 1);
        Piece piece = new Piece(source + 8, Long.BYTES);
        batch.sge(requester.region, piece.at(), piece.bytes());
        pending.add(new Request(id, WorkCompletionOpcode.FETCH_ADD, signaled, List.of(piece), null, -1));
    }

    /** Posts up to so many receives, each of which can take any message. */
    void postReceives(int most) {
        try (ReceiveBatch batch = receiver.receives()) {
            for (int i = Math.min(most, DEPTH - receives.size()); i > 0; i--) {
                long at = inboxes + inboxesPosted++ % DEPTH * slotBytes;
                long room = slotBytes - Piece.SLACK;
                Inbox inbox = new Inbox(random.nextLong(), Piece.split(at, room, random));
                batch.receive(inbox.id());
                for (Piece piece : inbox.pieces()) {
                    batch.sge(responder.region, piece.at(), piece.bytes());
                }
                receives.add(inbox);
            }
            batch.submit();
        }
    }

    /** A completion of the requester: all unsignaled work requests before it are complete with it. */
    void onSent(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            onFailed(completion);
            return;
        }
        assertThat(broken).as("a success after a failure").isFalse();
        while (true) {
            assertThat(pending).as("work requests before %s", completion).isNotEmpty();
            Request request = pending.remove();
            verify(request);
            if (request.signaled()) {
                assertThat(completion.id())
                        .as("the oldest signaled work request")
                        .isEqualTo(request.id());
                assertThat(completion.opcode()).isEqualTo(request.opcode());
                if (!request.result().isEmpty()) {
                    assertThat(completion.byteLength()).isEqualTo(Piece.bytes(request.result()));
                }
                return;
            }
        }
    }

    private void verify(Request request) {
        MemorySegment expected = request.expected();
        if (expected != null) {
            requester.mirror.verify(request.result(), expected, "the result of a " + request.opcode());
        } else if (!request.result().isEmpty()) {
            long at = request.result().getFirst().at();
            long before = Host.getLong(requester.mirror.memory(), at);
            assertThat(before)
                    .as("what the sum was")
                    .isBetween(lastSum + 1, responder.mirror.expectedLong(responder.sum));
            lastSum = before;
            requester.mirror.store(at, before);
        }
        if (request.target() >= 0) {
            readers[request.target()]--;
        }
    }

    /** After many losses in a row the device may give up; then everything comes back once, in order. */
    private void onFailed(WorkCompletion completion) {
        if (broken) {
            assertThat(completion.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        } else if (closing) {
            // This direction may have given up as well, just before.
            assertThat(completion.status()).isIn(WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionStatus.RETRY_EXC_ERR);
        } else {
            assertThat(completion.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
        }
        while (!broken && !pending.isEmpty() && pending.getFirst().id() != completion.id()) {
            assertThat(pending.remove().signaled())
                    .as("signaled work request without completion")
                    .isFalse();
        }
        assertThat(pending).isNotEmpty();
        assertThat(completion.id()).isEqualTo(pending.remove().id());
        broken = true;
    }

    /** A completion of the responder. */
    void onReceived(WorkCompletion completion) {
        assertThat(receives).as("receives before %s", completion).isNotEmpty();
        Inbox inbox = receives.remove();
        assertThat(completion.id()).as("the oldest receive").isEqualTo(inbox.id());
        if (!completion.isSuccess()) {
            assertThat(completion.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            flushed = true;
            return;
        }
        assertThat(messages).as("messages before %s", completion).isNotEmpty();
        Message message = messages.remove();
        MemorySegment bytes = message.bytes();
        assertThat(completion.opcode())
                .isEqualTo(bytes == null ? WorkCompletionOpcode.RECV_RDMA_WITH_IMM : WorkCompletionOpcode.RECV);
        assertThat(completion.byteLength()).isEqualTo(message.length());
        assertThat(completion.hasImmediate()).isEqualTo(message.hasImmediate());
        if (message.hasImmediate()) {
            assertThat(completion.immediate()).isEqualTo(message.immediate());
        }
        if (bytes != null) {
            responder.mirror.verify(inbox.pieces(), bytes, "a message of " + message.length() + " bytes");
        }
    }

    /** From now on failures are expected. */
    void close() {
        closing = true;
    }

    boolean isBroken() {
        return broken || flushed;
    }

    /** Fails unless every work request has come back. */
    void assertAccountedFor() {
        assertThat(pending.stream().filter(Request::signaled))
                .as("sends that never came back")
                .isEmpty();
        assertThat(receives).as("receives that never came back").isEmpty();
    }

    @Override
    public String toString() {
        return sender + " to " + receiver + ": " + pending.size() + " pending, " + messages.size() + " messages for "
                + receives.size() + " receives";
    }
}
