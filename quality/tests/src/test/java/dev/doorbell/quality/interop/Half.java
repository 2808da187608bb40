package dev.doorbell.quality.interop;

import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One side of a {@link Bout}: a queue pair of its own, what this side does, and the check of all bytes of its memory. */
final class Half implements AutoCloseable {
    /** An emulated machine, on a machine that others use as well. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    /** Eight in a row end a connection: longer than a busy host lets its guest stand still, short enough for lost packets. */
    private static final Duration ACK_TIMEOUT = Duration.ofMillis(500);

    private static final int DEPTH = 16;
    private static final byte UNTOUCHED = 0x5a;

    private final Desk desk;
    private final Bout bout;
    private final boolean requester;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final QueuePair queuePair;
    private final MemorySegment memory;
    private final MemorySegment expected;

    Half(Desk desk, Bout bout, boolean requester, KnownBytes known) {
        this.desk = desk;
        this.bout = bout;
        this.requester = requester;
        this.sends = desk.context().createCompletionQueue(DEPTH);
        this.receives = desk.context().createCompletionQueue(DEPTH);
        this.queuePair = desk.domain()
                .queuePair(sends)
                .receiveCompletions(receives)
                .type(bout.traffic().type())
                .depth(DEPTH, DEPTH)
                .gidIndex(desk.gidIndex(bout.six()))
                .build();
        this.memory = desk.region().segment();
        this.expected = known.scratch();
        MemorySegment bytes = known.of(bout.seed());
        boolean source = requester != (bout.traffic() == Traffic.READ);
        memory.fill(UNTOUCHED);
        if (source) {
            memory.copyFrom(bytes);
        }
        expected.copyFrom(memory);
        if (!source && bout.traffic().isMessages()) {
            for (Bout.Placement message : bout.placements()) {
                long from = requester ? message.remote() : message.local();
                expected.asSlice(target(message), message.bytes()).copyFrom(bytes.asSlice(from, message.bytes()));
            }
        }
    }

    /** Where a message arrives on this side. */
    private long target(Bout.Placement message) {
        return requester ? message.local() : message.remote();
    }

    /** Why this side cannot play; null if it can. */
    @Nullable
    String lack() {
        WorkRequestOpcode needed = switch (bout.traffic()) {
            case ATOMIC_WRITE -> WorkRequestOpcode.ATOMIC_WRITE;
            default -> WorkRequestOpcode.SEND;
        };
        return queuePair.supports(needed) ? null : desk.context().device().name() + " has no " + needed;
    }

    /** What the other side has to know. */
    String introduction() {
        return queuePair.endpoint().toText() + " " + desk.region().remote().toText();
    }

    /** Gets ready to be spoken to. */
    void connect(String introduction) {
        Endpoint peer = Endpoint.fromText(introduction.split(" ", -1)[0]);
        if (bout.traffic().type() == QueuePairType.UD) {
            queuePair.activate();
        } else {
            queuePair.connect(peer, ConnectOptions.defaults().maxMtu(bout.mtu()).ackTimeout(ACK_TIMEOUT));
        }
        if (!requester && bout.traffic().takesReceives()) {
            postReceives();
        }
    }

    private void postReceives() {
        int headroom = bout.traffic() == Traffic.UD_SEND ? Grh.BYTES : 0;
        try (ReceiveBatch batch = queuePair.receives()) {
            for (Bout.Placement message : bout.placements()) {
                batch.receive(message.bytes());
                if (!bout.traffic().isWriteImm()) {
                    batch.sge(desk.region(), message.remote() - headroom, headroom + (long) message.bytes());
                }
            }
            batch.submit();
        }
    }

    /** What this side does, to the end of its own completions. */
    void play(String introduction) {
        String[] words = introduction.split(" ", -1);
        RemoteMemory remote = RemoteMemory.fromText(words[1]);
        if (!requester) {
            awaitReceives();
            return;
        }
        switch (bout.traffic()) {
            case ATOMIC -> new Words(this, remote).atomics();
            case ATOMIC_WRITE -> new Words(this, remote).writes();
            case UD_SEND -> sendDatagrams(Endpoint.fromText(words[0]));
            default -> sendMessages(remote);
        }
    }

    private void sendMessages(RemoteMemory remote) {
        try (SendBatch batch = queuePair.batch()) {
            for (Bout.Placement message : bout.placements()) {
                int id = message.bytes();
                long address = remote.address() + message.remote();
                switch (bout.traffic()) {
                    case WRITE -> batch.write(id, address, remote.rkey());
                    case WRITE_IMM, UC_WRITE_IMM -> batch.writeWithImmediate(id, address, remote.rkey(), id);
                    case READ -> batch.read(id, address, remote.rkey());
                    default -> batch.send(id);
                }
                batch.sge(desk.region(), message.local(), id).signaled();
            }
            batch.submit();
        }
        awaitSends(bout.sizes());
    }

    private void sendDatagrams(Endpoint peer) {
        AddressVector way = AddressVector.roce(peer.gid(), 1, desk.gidIndex(bout.six()));
        try (AddressHandle to = desk.domain().createAddressHandle(way)) {
            try (SendBatch batch = queuePair.batch()) {
                for (Bout.Placement message : bout.placements()) {
                    batch.send(message.bytes())
                            .to(to, peer)
                            .sge(desk.region(), message.local(), message.bytes())
                            .signaled();
                }
                batch.submit();
            }
            awaitSends(bout.sizes());
        }
    }

    /** Posts one work request that the caller has described, and waits for it. */
    void request(Consumer<SendBatch> describe, int count) {
        try (SendBatch batch = queuePair.batch()) {
            describe.accept(batch);
            batch.submit();
        }
        await("send", sends, count);
    }

    Desk desk() {
        return desk;
    }

    private void awaitSends(List<Integer> ids) {
        List<Completion> done = await("send", sends, ids.size());
        List<Long> order = done.stream().map(Completion::id).toList();
        Check.equal("order of completions", ids.stream().map(Integer::longValue).toList(), order);
    }

    private void awaitReceives() {
        if (!bout.traffic().takesReceives()) {
            return;
        }
        List<Completion> done = await("receive", receives, bout.sizes().size());
        int headroom = bout.traffic() == Traffic.UD_SEND ? Grh.BYTES : 0;
        for (int i = 0; i < done.size(); i++) {
            Completion completion = done.get(i);
            int size = bout.sizes().get(i);
            Check.equal("length of receive " + i, headroom + (long) size, completion.byteLength());
            if (bout.traffic().isWriteImm()) {
                Check.equal("immediate data of receive " + i, size, completion.immediate());
            }
            if (headroom > 0) {
                long at = bout.placements().get(i).remote() - headroom;
                Check.equal(
                        "version of header " + i,
                        bout.six() ? 6 : 4,
                        Grh.read(memory, at).version());
                MemorySegment.copy(memory, at, expected, at, headroom);
            }
        }
    }

    private List<Completion> await(String what, CompletionQueue queue, int count) {
        List<Completion> done = new ArrayList<>();
        int came = queue.await(count, PATIENCE, completion -> done.add(completion.copy()));
        for (Completion completion : done) {
            Check.that(
                    completion.status().isSuccess(),
                    "a " + what + " of " + completion.id() + " bytes completed with " + completion.status());
        }
        Check.equal(what + " completions that came in time", count, came);
        return done;
    }

    /** Compares all of this side's memory with what it must be. */
    void checkMemory() {
        switch (bout.traffic()) {
            case ATOMIC -> Words.expectAtomics(expected, requester);
            case ATOMIC_WRITE -> Words.expectWrites(expected, requester);
            default -> {}
        }
        long at = memory.mismatch(expected);
        if (at >= 0) {
            throw new AssertionError("byte " + at + " of "
                    + desk.context().device().name() + "'s memory is " + memory.get(ValueLayout.JAVA_BYTE, at)
                    + ", not " + expected.get(ValueLayout.JAVA_BYTE, at));
        }
    }

    @Override
    public void close() {
        queuePair.close();
        sends.close();
        receives.close();
    }
}
