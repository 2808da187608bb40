package dev.doorbell.quality.forgery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Two devices, of which the right one is attacked: queue pairs that forged packets are made for, which may break and are replaced, and one
 * connection whose number no forger knows, which has to go on as if nothing were.
 */
final class Besieged implements AutoCloseable {
    static final int QKEY = 0x1111;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BYTES = 8192;
    private static final int PSN = 5000;

    private final Context leftContext;
    private final Context rightContext;
    private final ProtectionDomain left;
    private final ProtectionDomain right;
    private final CompletionQueue leftDone;
    private final CompletionQueue rightDone;
    private final CompletionQueue victimsDone;
    private final Arena arena = Arena.ofShared();
    private final MemoryRegion here;
    private final MemoryRegion there;
    private final MemoryRegion exposed;
    private final MemorySegment around;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final List<QueuePair> strangers = new ArrayList<>();
    private final List<QueuePair> victims = new ArrayList<>();
    private final SplittableRandom random;
    private long rounds;

    Besieged(Device leftDevice, Device rightDevice, long seed) {
        random = new SplittableRandom(seed);
        leftContext = leftDevice.open();
        rightContext = rightDevice.open();
        left = leftContext.allocateProtectionDomain();
        right = rightContext.allocateProtectionDomain();
        leftDone = leftContext.createCompletionQueue(1000);
        rightDone = rightContext.createCompletionQueue(100);
        victimsDone = rightContext.createCompletionQueue(1000);
        here = region(left, arena.allocate(2 * BYTES, 4096));
        there = region(right, arena.allocate(2 * BYTES, 4096));
        around = arena.allocate(3 * BYTES, 4096);
        exposed = region(right, around.asSlice(BYTES, BYTES));
        sender = left.queuePair(leftDone).depth(16, 16).build();
        receiver = right.queuePair(rightDone).depth(16, 16).build();
        connect(sender, receiver);
        for (QueuePairType type : QueuePairType.values()) {
            victims.add(victim(type));
        }
    }

    private static MemoryRegion region(ProtectionDomain domain, MemorySegment memory) {
        return domain.register(
                memory,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
    }

    private static void connect(QueuePair one, QueuePair other) {
        ConnectOptions options = ConnectOptions.defaults();
        one.connect(other.endpoint(), options);
        other.connect(one.endpoint(), options);
    }

    private QueuePair victim(QueuePairType type) {
        QueuePair victim = right.queuePair(victimsDone)
                .type(type)
                .depth(16, 32)
                .qkey(QKEY)
                .psn(PSN)
                .build();
        QueuePair stranger = left.queuePair(leftDone)
                .type(type)
                .depth(16, 16)
                .qkey(QKEY)
                .psn(PSN)
                .build();
        strangers.add(stranger);
        if (type == QueuePairType.UD) {
            victim.activate();
            stranger.activate();
        } else {
            connect(stranger, victim);
        }
        return victim;
    }

    Context right() {
        return rightContext;
    }

    /** What a forger aims at next. */
    PacketForge.Target target() {
        QueuePair victim = victims.get(random.nextInt(victims.size()));
        return new PacketForge.Target(victim.type(), victim.number(), PSN + random.nextInt(4), QKEY, exposed.remote());
    }

    /** The other connection works: every operation, every byte. */
    void exchange() {
        rounds++;
        fill(here.segment(), rounds);
        receiver.postReceive(rounds, there.slice(BYTES, 3000));
        try (SendBatch batch = sender.batch()) {
            batch.write(1, there.remote(), 0).sge(here, 0, 5000).signaled();
            batch.read(2, there.remote(), 0).sge(here, BYTES, 5000).signaled().fence();
            batch.send(3).sge(here, 0, 3000).signaled();
            batch.fetchAndAdd(4, there.remote(), BYTES - 8, 1)
                    .sge(here, 2 * BYTES - 8, 8)
                    .signaled();
            batch.submit();
        }
        List<Long> ids = new ArrayList<>();
        leftDone.await(() -> ids.size() == 4, PATIENCE, completion -> {
            if (completion.queuePairNumber() == sender.number()) {
                completion.requireSuccess();
                ids.add(completion.id());
            }
        });
        assertThat(ids).containsExactly(1L, 2L, 3L, 4L);
        rightDone.awaitSuccess(1, PATIENCE);
        same(0, there, 0, 5000);
        same(0, here, BYTES, 5000);
        same(0, there, BYTES, 3000);
        assertThat(Host.getLong(here.segment(), 2 * BYTES - 8)).isEqualTo(rounds - 1);
    }

    private void same(long from, MemoryRegion region, long at, long bytes) {
        assertThat(MemorySegment.mismatch(here.segment(), from, from + bytes, region.segment(), at, at + bytes))
                .isEqualTo(-1);
    }

    private static void fill(MemorySegment memory, long seed) {
        SplittableRandom bytes = new SplittableRandom(seed);
        for (long at = 0; at < BYTES; at += Long.BYTES) {
            Host.setLong(memory, at, bytes.nextLong());
        }
    }

    /** Replaces what forged packets have broken, and gives the others receives again. */
    void repair() {
        victimsDone.poll(Integer.MAX_VALUE, completion -> {});
        leftDone.poll(Integer.MAX_VALUE, completion -> {});
        for (int index = 0; index < victims.size(); index++) {
            QueuePair victim = victims.get(index);
            QueuePair stranger = strangers.get(index);
            if (victim.state() != QueuePairState.RTS || stranger.state() != QueuePairState.RTS) {
                victim.close(Duration.ZERO);
                stranger.close(Duration.ZERO);
                victimsDone.poll(Integer.MAX_VALUE, completion -> {});
                leftDone.poll(Integer.MAX_VALUE, completion -> {});
                victims.set(index, victim(victim.type()));
                strangers.set(index, strangers.removeLast());
            }
            while (victims.get(index).receiveCredit() > 0) {
                victims.get(index).postReceive(index, exposed.slice(0, 2048));
            }
        }
    }

    /** No byte was written beside what is registered. */
    void assertNothingElseWasWritten() {
        MemorySegment empty = MemorySegment.ofArray(new byte[BYTES]);
        assertThat(around.asSlice(0, BYTES).mismatch(empty))
                .as("in front of the region")
                .isEqualTo(-1);
        assertThat(around.asSlice(2L * BYTES).mismatch(empty))
                .as("behind the region")
                .isEqualTo(-1);
    }

    @Override
    public void close() {
        leftContext.close();
        rightContext.close();
        arena.close();
    }
}
