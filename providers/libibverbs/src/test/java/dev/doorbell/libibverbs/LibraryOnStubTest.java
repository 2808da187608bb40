package dev.doorbell.libibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.Capability;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The public API over the library of the tests: every object, every operation, every structure that goes through C. */
@Timeout(120)
class LibraryOnStubTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Context context = Stub.device().open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue completions = context.createCompletionQueue(64);
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
    private final MemoryRegion region = domain.register(
            memory,
            Set.of(
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE,
                    AccessFlag.REMOTE_READ,
                    AccessFlag.REMOTE_ATOMIC,
                    AccessFlag.MW_BIND));

    @AfterEach
    void everythingIsGivenBack() {
        Stub.set("stub_fail_post", 0);
        Stub.set("stub_mute", 0);
        context.close();
        assertThat(Stub.value("stub_objects")).isZero();
        assertThat(Stub.value("stub_open_contexts")).isZero();
    }

    private QueuePair queuePair() {
        return domain.queuePair(completions).depth(8, 8).sge(2, 2).inline(64).build();
    }

    private QueuePair[] connected() {
        QueuePair[] pair = {queuePair(), queuePair()};
        pair[0].connect(pair[1].endpoint());
        pair[1].connect(pair[0].endpoint());
        return pair;
    }

    private List<Completion> completions(int count) {
        List<Completion> list = new ArrayList<>();
        int found = completions.await(count, PATIENCE, completion -> list.add(completion.copy()));
        assertThat(found).isGreaterThanOrEqualTo(count);
        return list;
    }

    @Test
    void whatItSaysOfItself() {
        assertThat(context.driver()).isEqualTo("libibverbs");
        assertThat(context.commandFile()).startsWith("/dev/null through /").endsWith("stub.so");
        assertThat(context.completionVectors()).isEqualTo(3);
        assertThat(context.query().firmwareVersion()).isEqualTo("1.2.3");
        assertThat(context.query().vendorId()).isEqualTo(0x1234);
        assertThat(context.query().maxSharedReceiveSge()).isEqualTo(8);
        assertThat(context.query().localAckDelay()).isEqualTo(15);
        assertThat(context.queryPort(1).maxMessageSize()).isEqualTo(1L << 31);
        assertThat(context.device().nodeGuid().value()).isEqualTo(0x020000fffe000001L);
        // It could, but not by the way that is used here.
        assertThat(context.supports(Capability.ATOMIC_WRITE)).isFalse();
    }

    @Test
    void sendsImmediatesAndInlineBytes() {
        QueuePair[] pair = connected();
        memory.setString(0, "hello");
        pair[1].postReceive(7, region.slice(1024, 64));
        pair[1].postReceive(8, region.slice(2048, 64));
        try (SendBatch batch = pair[0].batch()) {
            batch.send(1).sge(region, 0, 6).signaled();
            batch.sendWithImmediate(2, 0x01020304).inline(memory, 0, 5).signaled();
            batch.submit();
        }

        List<Completion> list = completions(4);

        assertThat(list).extracting(Completion::id).containsExactlyInAnyOrder(1L, 2L, 7L, 8L);
        assertThat(list).allSatisfy(c -> assertThat(c.status()).isEqualTo(WorkCompletionStatus.SUCCESS));
        assertThat(memory.getString(1024)).isEqualTo("hello");
        Completion second = list.stream().filter(c -> c.id() == 8).findFirst().orElseThrow();
        assertThat(second.byteLength()).isEqualTo(5);
        assertThat(second.immediate()).isEqualTo(0x01020304);
        assertThat(second.queuePairNumber()).isEqualTo(pair[1].number());
        assertThat(memory.getString(2048)).isEqualTo("hello");
    }

    @Test
    void writesReadsAndAtomics() {
        QueuePair[] pair = connected();
        memory.set(ValueLayout.JAVA_LONG, 0, 42);
        memory.set(ValueLayout.JAVA_LONG, 512, 5);
        try (SendBatch batch = pair[0].batch()) {
            batch.write(1, region.remote(), 256).sge(region, 0, 8);
            batch.read(2, region.remote(), 256).sge(region, 264, 8);
            batch.fetchAndAdd(3, region.remote(), 512, 10).sge(region, 520, 8);
            batch.compareAndSwap(4, region.remote(), 512, 15, 99)
                    .sge(region, 528, 8)
                    .signaled();
            batch.submit();
        }

        Completion last = completions(1).getFirst();

        assertThat(last.id()).isEqualTo(4);
        assertThat(last.opcode()).isEqualTo(WorkCompletionOpcode.COMP_SWAP);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 264)).isEqualTo(42);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 520)).isEqualTo(5);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 528)).isEqualTo(15);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 512)).isEqualTo(99);
        assertThat(pair[0].sendSlots())
                .as("the last one retires those before it")
                .isEqualTo(8);
    }

    @Test
    void writeWithImmediateAndInvalidate() {
        QueuePair[] pair = connected();
        pair[1].postReceive(7, region.slice(0, 0));
        pair[1].postReceive(8, region.slice(0, 64));
        try (SendBatch batch = pair[0].batch()) {
            batch.writeWithImmediate(1, region.remote(), 128, 77)
                    .inline(memory, 0, 8)
                    .signaled();
            batch.sendWithInvalidate(2, 0x4711).inline(memory, 0, 8).signaled();
            batch.submit();
        }

        List<Completion> list = completions(4);

        Completion written = list.stream().filter(c -> c.id() == 7).findFirst().orElseThrow();
        assertThat(written.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
        assertThat(written.immediate()).isEqualTo(77);
        Completion invalidated =
                list.stream().filter(c -> c.id() == 8).findFirst().orElseThrow();
        assertThat(invalidated.immediate()).isEqualTo(0x4711);
    }

    @Test
    void theQueueIsFullWhenNothingComesBack() {
        QueuePair[] pair = connected();
        for (int round = 0; round < 3; round++) {
            try (SendBatch batch = pair[0].batch()) {
                for (int i = 0; i < 7; i++) {
                    batch.write(i, region.remote(), 0).inline(memory, 0, 8);
                }
                batch.write(7, region.remote(), 0).inline(memory, 0, 8).signaled();
                batch.submit();
            }
            assertThat(pair[0].sendSlots()).isZero();
            assertThat(completions(1).getFirst().id()).isEqualTo(7);
            assertThat(pair[0].sendSlots()).isEqualTo(8);
        }
    }

    @Test
    void closingReturnsWhatIsOutstandingExactlyOnce() {
        QueuePair[] pair = connected();
        pair[0].postReceive(100, region.slice(0, 8));
        pair[0].postReceive(101, region.slice(0, 8));
        Stub.set("stub_mute", 1);
        try (SendBatch batch = pair[0].batch()) {
            batch.write(1, region.remote(), 0).inline(memory, 0, 8).signaled();
            batch.write(2, region.remote(), 0).inline(memory, 0, 8).signaled();
            batch.submit();
        }

        pair[0].close(Duration.ofMillis(50));

        List<Completion> list = completions(4);
        assertThat(list).extracting(Completion::id).containsExactlyInAnyOrder(1L, 2L, 100L, 101L);
        assertThat(list).allSatisfy(c -> assertThat(c.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR));
        assertThat(completions.poll(16, completion -> {})).isZero();
    }

    @Test
    void whatHadCompletedIsNotLostWithTheQueuePair() {
        QueuePair[] pair = connected();
        try (SendBatch batch = pair[0].batch()) {
            for (int i = 0; i < 8; i++) {
                batch.write(i, region.remote(), 0).inline(memory, 0, 8).signaled();
            }
            batch.submit();
        }

        pair[0].close();
        QueuePair next = queuePair();
        next.connect(pair[1].endpoint());
        try (SendBatch batch = next.batch()) {
            batch.write(50, region.remote(), 0).inline(memory, 0, 8).signaled();
            batch.submit();
        }

        assertThat(completions(9)).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 50L);
    }

    @Test
    void anErrorFlushesAndResettingBeginsAnew() {
        QueuePair[] pair = connected();
        pair[0].postReceive(9, region.slice(0, 8));
        pair[0].postSend(1, region.slice(0, 8));

        List<Completion> list = completions(2);
        assertThat(list.getFirst().status()).isEqualTo(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        assertThat(list).extracting(Completion::id).containsExactly(1L, 9L);
        assertThat(pair[0].query().state()).isEqualTo(QueuePairState.ERROR);

        pair[0].modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        pair[0].connect(pair[1].endpoint());
        pair[1].postReceive(10, region.slice(0, 8));
        pair[0].postSend(2, region.slice(0, 8));
        assertThat(completions(2)).extracting(Completion::id).containsExactlyInAnyOrder(10L, 2L);
    }

    @Test
    void aRefusedPostSaysSoAndComesBackAtTheClose() {
        QueuePair[] pair = connected();
        Stub.set("stub_fail_post", Errno.ENOMEM);
        assertThatThrownBy(() -> pair[0].postSend(1, region.slice(0, 8)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        Stub.set("stub_fail_post", 0);

        pair[0].close(Duration.ofMillis(10));

        assertThat(completions(1).getFirst().id()).isEqualTo(1);
    }

    @Test
    void sharedReceivesComeBackInAnyOrderAndTellTheirLimit() {
        try (SharedReceiveQueue shared =
                domain.sharedReceiveQueue(4).sge(1).limit(2).build()) {
            QueuePair receiver = domain.queuePair(completions)
                    .depth(8, 0)
                    .sharedReceiveQueue(shared)
                    .build();
            QueuePair sender = queuePair();
            sender.connect(receiver.endpoint());
            receiver.connect(sender.endpoint());
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 4; i++) {
                    shared.postReceive(10 * round + i, region.slice(64L * i, 64));
                }
                for (int i = 0; i < 4; i++) {
                    sender.postSend(1000, region.slice(0, 8));
                }
                int first = 10 * round;
                assertThat(completions(8))
                        .extracting(Completion::id)
                        .contains((long) first, first + 1L, first + 2L, first + 3L);
                assertThat(shared.receiveCredit()).isZero();
            }
            assertThat(context.events().await(PATIENCE).orElseThrow().type())
                    .isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
            receiver.close();
        }
    }

    @Test
    void waitingThroughAChannel() {
        try (CompletionChannel channel = context.createCompletionChannel();
                CompletionQueue watched =
                        context.completionQueue(8).channel(channel).build()) {
            QueuePair left = domain.queuePair(watched).depth(4, 4).build();
            QueuePair right = domain.queuePair(completions).depth(4, 4).build();
            left.connect(right.endpoint());
            right.connect(left.endpoint());
            watched.arm();
            assertThat(channel.poll()).isEmpty();
            left.postReceive(3, region.slice(0, 64));
            Thread.ofVirtual().start(() -> right.postSend(4, region.slice(0, 8)));

            assertThat(channel.await(PATIENCE)).containsSame(watched);
            watched.awaitSuccess(1, PATIENCE);
            left.close();
            right.close();
        }
    }

    @Test
    void windowsOfBothTypes() {
        QueuePair[] pair = connected();
        try (MemoryWindow first = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
                MemoryWindow second = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2)) {
            int before = first.rkey();
            try (SendBatch batch = pair[0].batch()) {
                batch.write(1, region.remote(), 0).inline(memory, 0, 8).signaled();
                batch.bind(2, first, region.slice(0, 64), Set.of(AccessFlag.REMOTE_READ))
                        .signaled();
                batch.bind(3, second, region.slice(0, 64), Set.of(AccessFlag.REMOTE_READ))
                        .signaled();
                batch.submit();
            }
            List<Completion> list = completions(3);
            assertThat(list).extracting(Completion::id).containsExactly(1L, 2L, 3L);
            assertThat(first.rkey()).isEqualTo(MemoryWindow.nextRkey(before));
            try (SendBatch batch = pair[0].batch()) {
                batch.bind(9, second, region.slice(0, 64), Set.of(AccessFlag.REMOTE_READ));
                batch.unbind(10, first);
                // Not submitted: nothing happened.
            }

            // The system's driver for Soft-RoCE reads the region's key even where a window is bound to nothing.
            try (SendBatch batch = pair[0].batch()) {
                batch.unbind(4, first).signaled();
                batch.unbind(5, second).signaled();
                batch.submit();
            }
            assertThat(completions(2)).extracting(Completion::id).containsExactly(4L, 5L);
            pair[0].close();
        }
    }

    @Test
    void sharedReceiveQueuesOfAnotherSize() {
        try (SharedReceiveQueue shared = domain.sharedReceiveQueue(4).sge(1).build()) {
            QueuePair receiver = domain.queuePair(completions)
                    .depth(8, 0)
                    .sharedReceiveQueue(shared)
                    .build();
            QueuePair sender = domain.queuePair(completions).depth(16, 4).build();
            receiver.connect(sender.endpoint());
            sender.connect(receiver.endpoint());
            for (int id = 0; id < 4; id++) {
                shared.postReceive(id, region.slice(0, 8));
            }
            assertThatThrownBy(() -> shared.resize(3)).hasMessageContaining("EINVAL");
            shared.resize(20);
            for (int id = 4; id < 20; id++) {
                shared.postReceive(id, region.slice(0, 8));
            }
            assertThatThrownBy(() -> shared.postReceive(20, region.slice(0, 8))).hasMessageContaining("ENOMEM");
            for (int id = 0; id < 16; id++) {
                sender.postSend(100 + id, region.slice(8, 8));
            }
            assertThat(completions(32))
                    .filteredOn(completion -> completion.id() < 100)
                    .extracting(Completion::id)
                    .containsExactlyElementsOf(
                            java.util.stream.LongStream.range(0, 16).boxed().toList());
            shared.resize(4);
            receiver.close();
            sender.close();
        }
    }

    @Test
    void datagramsAndGroups() {
        QueuePair sender = datagrams();
        QueuePair receiver = datagrams();
        sender.activate();
        receiver.activate();
        receiver.attachMulticast(Gid.ofIpv4(0xe0000001));
        receiver.detachMulticast(Gid.ofIpv4(0xe0000001));
        try (AddressHandle handle = domain.createAddressHandle(receiver.endpoint())) {
            receiver.postReceive(5, region.slice(0, 128));
            try (SendBatch batch = sender.batch()) {
                batch.send(6)
                        .to(handle, receiver.number(), 0x11111111)
                        .inline(memory, 0, 8)
                        .signaled();
                batch.submit();
            }
            assertThat(completions(2)).extracting(Completion::id).containsExactlyInAnyOrder(5L, 6L);
        }
    }

    private QueuePair datagrams() {
        return domain.queuePair(completions)
                .type(QueuePairType.UD)
                .depth(4, 4)
                .inline(64)
                .qkey(0x11111111)
                .build();
    }

    @Test
    void refusalsHaveTheirErrno() {
        assertThatThrownBy(() -> domain.register(Arena.ofAuto().allocate(64), AccessFlag.REMOTE_WRITE))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[8]), AccessFlag.LOCAL_WRITE))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void aRegionKeepsWorkingWithItsNewKeys() {
        int before = region.lkey();
        region.reregister()
                .access(Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE))
                .apply();
        assertThat(region.lkey()).isNotEqualTo(before);
    }

    @Test
    void aLargerQueueKeepsWhatIsThere() {
        QueuePair[] pair = connected();
        try (SendBatch batch = pair[0].batch()) {
            for (int i = 0; i < 8; i++) {
                batch.write(i, region.remote(), 0).inline(memory, 0, 8).signaled();
            }
            batch.submit();
        }
        completions.resize(128);
        assertThat(completions.capacity()).isEqualTo(128);
        assertThat(completions(8)).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }
}
