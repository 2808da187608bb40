package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.memory.Host;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a region, a queue pair or a protection domain does not grant, in every operation, on both sides. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class AccessRightsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final AccessFlag[] NOTHING = {};
    private static final AccessFlag[] EVERYTHING = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    private final Path path;

    AccessRightsTest(Path path) {
        this.path = path;
    }

    /** Operations that reach the peer's memory. */
    enum Reach {
        WRITE(AccessFlag.REMOTE_WRITE),
        WRITE_WITH_IMMEDIATE(AccessFlag.REMOTE_WRITE),
        READ(AccessFlag.REMOTE_READ),
        SWAP(AccessFlag.REMOTE_ATOMIC),
        ADD(AccessFlag.REMOTE_ATOMIC);

        private final AccessFlag needed;

        Reach(AccessFlag needed) {
            this.needed = needed;
        }

        /** By address and key, so that only the device checks. */
        private void open(SendBatch batch, RemoteMemory remote) {
            switch (this) {
                case WRITE -> batch.write(1, remote.address(), remote.rkey());
                case WRITE_WITH_IMMEDIATE -> batch.writeWithImmediate(1, remote.address(), remote.rkey(), 2);
                case READ -> batch.read(1, remote.address(), remote.rkey());
                case SWAP -> batch.compareAndSwap(1, remote.address(), remote.rkey(), 0, 1);
                case ADD -> batch.fetchAndAdd(1, remote.address(), remote.rkey(), 1);
            }
        }

        private void post(End end, RemoteMemory remote, MemoryRegion local) {
            try (SendBatch batch = end.queuePair().batch()) {
                open(batch, remote);
                batch.sge(local.address(), 8, local.lkey()).signaled();
                batch.submit();
            }
        }

        private boolean fetches() {
            return this == READ || needed == AccessFlag.REMOTE_ATOMIC;
        }
    }

    private static List<WorkCompletionStatus> statuses(End end, int count) {
        List<WorkCompletionStatus> statuses = new ArrayList<>();
        end.completions().await(count, PATIENCE, completion -> statuses.add(completion.status()));
        return statuses;
    }

    private static MemoryRegion region(End end, AccessFlag... access) {
        return end.domain().register(Arena.ofAuto().allocate(64, 64), access);
    }

    private static AccessFlag[] without(AccessFlag missing) {
        return List.of(EVERYTHING).stream().filter(flag -> flag != missing).toArray(AccessFlag[]::new);
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void theFlagAloneIsEnough(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            MemoryRegion target = region(pair.right(), AccessFlag.LOCAL_WRITE, operation.needed);
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 8));

            operation.post(pair.left(), target.remote(), pair.left().region());

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void theRemoteRegionLacksTheFlag(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            MemoryRegion target = region(pair.right(), without(operation.needed));
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 8));
            Host.setLong(pair.left().memory(), 0, -1);

            operation.post(pair.left(), target.remote(), pair.left().region());

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(Host.getLong(target.segment(), 0)).isZero();
            assertThat(Host.getLong(pair.left().memory(), 0)).isEqualTo(-1);
            assertThat(pair.left().queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(pair.right().queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void theRemoteQueuePairLacksTheFlag(Reach operation) {
        Pair.Builder builder =
                Pair.builder().path(path).options(ConnectOptions.defaults().access(without(operation.needed)));
        try (Pair pair = builder.build()) {
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 8));

            operation.post(
                    pair.left(), pair.right().region().remote(), pair.left().region());

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_INV_REQ_ERR);
            assertThat(Host.getLong(pair.right().memory(), 0)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void theRemoteMemoryValueSaysSoAtOnce(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            RemoteMemory remote =
                    region(pair.right(), without(operation.needed)).remote();
            try (SendBatch batch = pair.left().queuePair().batch()) {
                assertThatThrownBy(() -> {
                            switch (operation) {
                                case WRITE -> batch.write(1, remote, 0);
                                case WRITE_WITH_IMMEDIATE -> batch.writeWithImmediate(1, remote, 0, 2);
                                case READ -> batch.read(1, remote, 0);
                                case SWAP -> batch.compareAndSwap(1, remote, 0, 1, 2);
                                case ADD -> batch.fetchAndAdd(1, remote, 0, 1);
                            }
                        })
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EACCES")
                        .hasMessageContaining(operation.needed.name());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void aForeignDomainsKeyIsNone(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            MemoryRegion target = region(pair.anotherEnd(pair.right()), EVERYTHING);
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 8));

            operation.post(pair.left(), target.remote(), pair.left().region());

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(Host.getLong(target.segment(), 0)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void aClosedRegionsKeyIsNone(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            MemoryRegion target = region(pair.right(), EVERYTHING);
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 8));
            target.close();

            operation.post(pair.left(), target.remote(), pair.left().region());

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(Host.getLong(target.segment(), 0)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void theLocalRegionLacksLocalWrite(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            MemoryRegion local = region(pair.left(), NOTHING);
            pair.right().queuePair().postReceive(9, pair.right().region().slice(0, 8));

            operation.post(pair.left(), pair.right().region().remote(), local);

            assertThat(statuses(pair.left(), 1))
                    .containsExactly(
                            operation.fetches() ? WorkCompletionStatus.LOC_PROT_ERR : WorkCompletionStatus.SUCCESS);
            assertThat(Host.getLong(local.segment(), 0)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Reach.class)
    void aForeignDomainsMemoryIsRefused(Reach operation) {
        try (Pair pair = Pair.on(path)) {
            End stranger = pair.anotherEnd(pair.left());
            try (SendBatch batch = pair.left().queuePair().batch()) {
                operation.open(batch, pair.right().region().remote());
                assertThatThrownBy(() -> batch.sge(stranger.region(), 0, 8))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EINVAL")
                        .hasMessageContaining(stranger.domain().toString());
            }

            operation.post(pair.left(), pair.right().region().remote(), stranger.region());

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.LOC_PROT_ERR);
        }
    }

    @Test
    void aReceiveBufferLacksLocalWrite() {
        try (Pair pair = Pair.on(path)) {
            MemoryRegion readOnly = region(pair.right(), NOTHING);
            pair.right().queuePair().postReceive(9, readOnly.slice());
            pair.left().queuePair().postSend(1, pair.left().region().slice(0, 8));

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.REM_OP_ERR);
            assertThat(statuses(pair.right(), 1)).containsExactly(WorkCompletionStatus.LOC_PROT_ERR);
        }
    }

    @Test
    void anUnalignedAtomic() {
        try (Pair pair = Pair.on(path)) {
            RemoteMemory remote = pair.right().region().remote();
            try (SendBatch batch = pair.left().queuePair().batch()) {
                assertThatThrownBy(() -> batch.fetchAndAdd(1, remote, 4, 1))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EINVAL")
                        .hasMessageContaining("multiple of 8");
                assertThatThrownBy(batch::submit).hasMessageContaining("refused");
            }
            try (SendBatch batch = pair.left().queuePair().batch()) {
                assertThatThrownBy(() -> batch.compareAndSwap(1, remote.address() + 1, remote.rkey(), 1, 2))
                        .hasMessageContaining("multiple of 8");
            }
        }
    }

    @Test
    void anAtomicOfAnotherSize() {
        try (Pair pair = Pair.on(path);
                SendBatch batch = pair.left().queuePair().batch()) {
            batch.fetchAndAdd(1, pair.right().region().remote(), 0, 1)
                    .sge(pair.left().region(), 0, 4);

            assertThatThrownBy(batch::submit)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EINVAL")
                    .hasMessageContaining("asked 4 bytes of local memory, allowed 8");
        }
    }

    @Test
    void writingNeedsLocalWriteFromTheStart() {
        try (Pair pair = Pair.on(path)) {
            for (AccessFlag flag : List.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
                assertThatThrownBy(() -> region(pair.left(), flag))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("EINVAL")
                        .hasMessageContaining("LOCAL_WRITE");
            }
            assertThat(region(pair.left(), AccessFlag.REMOTE_READ).isOpen()).isTrue();
        }
    }

    @Test
    void memoryThatADeviceCannotReach() {
        try (Pair pair = Pair.on(path);
                Arena confined = Arena.ofConfined()) {
            MemorySegment heap = MemorySegment.ofArray(new byte[64]);
            assertThatThrownBy(() -> pair.left().domain().register(heap, EVERYTHING))
                    .hasMessageContaining("EFAULT")
                    .hasMessageContaining("heap");
            MemorySegment mine = confined.allocate(64);
            assertThatThrownBy(() -> pair.left().domain().register(mine, EVERYTHING))
                    .hasMessageContaining("EFAULT")
                    .hasMessageContaining("confined");
            MemorySegment readOnly = Arena.ofAuto().allocate(64).asReadOnly();
            assertThatThrownBy(() -> pair.left().domain().register(readOnly, EVERYTHING))
                    .hasMessageContaining("EACCES")
                    .hasMessageContaining("read-only");
            MemorySegment nothing = Arena.ofAuto().allocate(64).asSlice(0, 0);
            assertThatThrownBy(() -> pair.left().domain().register(nothing, EVERYTHING))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EINVAL");
        }
    }

    @Test
    void readOnlyMemoryCanBeSent() {
        try (Pair pair = Pair.on(path)) {
            MemorySegment memory = Arena.ofAuto().allocate(64);
            memory.fill((byte) 7);
            MemoryRegion readOnly = pair.left().domain().register(memory.asReadOnly(), AccessFlag.REMOTE_READ);

            Reach.WRITE.post(pair.left(), pair.right().region().remote(), readOnly);

            assertThat(statuses(pair.left(), 1)).containsExactly(WorkCompletionStatus.SUCCESS);
            assertThat(Host.getLong(pair.right().memory(), 0)).isEqualTo(0x0707_0707_0707_0707L);
        }
    }
}
