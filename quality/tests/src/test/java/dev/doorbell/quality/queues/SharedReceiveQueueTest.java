package dev.doorbell.quality.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueueFullException;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.SharedReceiveQueueAttributes;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Shared receive queues through the API, the driver and the embedded kernel. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class SharedReceiveQueueTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Pair pair;
    private final End sender;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final MemoryRegion region;

    SharedReceiveQueueTest(Path path) {
        pair = Pair.on(path);
        sender = pair.left();
        domain = pair.right().domain();
        completions = pair.right().context().createCompletionQueue(255);
        region = domain.register(Arena.ofAuto().allocate(4096, 64), AccessFlag.LOCAL_WRITE);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private QueuePair.Builder taker(SharedReceiveQueue shared) {
        return domain.queuePair(completions).sharedReceiveQueue(shared).depth(4, 16);
    }

    /** A queue pair on the shared queue, and its connected sender. */
    private QueuePair[] connected(SharedReceiveQueue shared) {
        QueuePair taker = taker(shared).build();
        QueuePair from =
                sender.domain().queuePair(sender.completions()).depth(8, 4).build();
        pair.connect(from, taker);
        return new QueuePair[] {from, taker};
    }

    private void post(SharedReceiveQueue shared, int first, int count) {
        try (ReceiveBatch batch = shared.receives()) {
            for (int id = first; id < first + count; id++) {
                batch.receive(id).sge(region.slice(0, 64));
            }
            assertThat(batch.submit()).isEqualTo(count);
        }
    }

    private void send(QueuePair from, long id) {
        from.postSend(id, sender.region().slice(0, 64));
        sender.completions().awaitSuccess(1, PATIENCE);
    }

    private List<Completion> received(int count) {
        List<Completion> received = new ArrayList<>();
        completions.await(count, PATIENCE, completion -> received.add(completion.copy()));
        assertThat(completions.poll(1, completion -> {})).isZero();
        return received;
    }

    @Test
    void aReceiveLeadsToWhatTheProgramHasAttached() {
        SharedReceiveQueue shared =
                domain.sharedReceiveQueue(8).attachment("pool").build();
        assertThat(shared.attachment()).isEqualTo("pool");
        QueuePair[] one = connected(shared);
        QueuePair[] other = connected(shared);
        one[1].attach("first session");
        other[1].attach("second session");
        post(shared, 1, 2);
        send(other[0], 0);
        send(one[0], 0);
        List<Object> sessions = new ArrayList<>();
        completions.await(2, PATIENCE, completion -> {
            QueuePair taker = completion.queuePair();
            if (taker != null && taker.attachment() instanceof String session) {
                sessions.add(session);
            }
        });
        assertThat(sessions).containsExactly("second session", "first session");
    }

    @Test
    void twoQueuePairsShareTheReceives() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).build();
        QueuePair[] one = connected(shared);
        QueuePair[] other = connected(shared);
        post(shared, 1, 4);
        assertThat(shared.receiveCredit()).isEqualTo(4);
        send(one[0], 11);
        send(other[0], 21);
        send(one[0], 12);
        assertThat(shared.receiveCredit()).isEqualTo(1);
        assertThat(received(3))
                .extracting(Completion::id, Completion::queuePairNumber)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1L, one[1].number()),
                        org.assertj.core.groups.Tuple.tuple(2L, other[1].number()),
                        org.assertj.core.groups.Tuple.tuple(3L, one[1].number()));
    }

    @Test
    void theQueuePairHasNoReceiveQueueOfItsOwn() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).build();
        QueuePair taker = connected(shared)[1];
        assertThat(taker.sharedReceiveQueue()).containsSame(shared);
        assertThat(taker.capacity().maxReceiveRequests()).isZero();
        assertThat(pair.left().queuePair().sharedReceiveQueue()).isEmpty();
        for (Runnable misuse : List.<Runnable>of(
                taker::receives, taker::receiveCredit, () -> taker.postReceive(1, region.slice(0, 8)))) {
            assertThatThrownBy(misuse::run)
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining(shared.toString());
        }
    }

    @Test
    void theDepthIsWhatWasAskedFor() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(5).sge(2).build();
        assertThat(shared.maxSge()).isGreaterThanOrEqualTo(2);
        post(shared, 1, 5);
        assertThatThrownBy(() -> post(shared, 6, 1)).isInstanceOfSatisfying(QueueFullException.class, e -> {
            assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
            assertThat(e.capacity()).isEqualTo(5);
        });
        assertThat(shared.query()).isEqualTo(new SharedReceiveQueueAttributes(7, shared.maxSge(), 0));
    }

    @Test
    void theLimitIsArmedAndRead() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(10).limit(3).build();
        QueuePair from = connected(shared)[0];
        assertThat(shared.query().limit()).isEqualTo(3);
        shared.armLimit(7);
        assertThat(shared.query().limit()).isEqualTo(7);
        post(shared, 1, 10);
        for (int id = 0; id < 4; id++) {
            send(from, id);
        }
        assertThat(shared.query().limit()).as("6 are left: it was reported").isZero();
        assertThatThrownBy(() -> shared.armLimit(16))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void itIsResizedWithReceivesInIt() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(6).build();
        QueuePair from = connected(shared)[0];
        post(shared, 1, 6);
        shared.resize(20);
        assertThat(shared.query().maxWorkRequests()).isGreaterThanOrEqualTo(20);
        assertThat(shared.receiveCredit()).isEqualTo(6);
        post(shared, 7, 14);
        assertThatThrownBy(() -> shared.resize(4))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        for (int id = 1; id <= 20; id++) {
            send(from, id);
        }
        assertThat(received(20))
                .extracting(Completion::id)
                .isEqualTo(
                        java.util.stream.LongStream.rangeClosed(1, 20).boxed().toList());
        shared.resize(2);
        post(shared, 21, 2);
        assertThatThrownBy(() -> post(shared, 23, 1)).isInstanceOf(QueueFullException.class);
    }

    @Test
    void theCompletionQueueMustHoldAllOfItOnce() {
        CompletionQueue small = pair.right().context().createCompletionQueue(31);
        SharedReceiveQueue shared = domain.sharedReceiveQueue(20).build();
        QueuePair.Builder wanted =
                domain.queuePair(small).sharedReceiveQueue(shared).depth(4, 0);
        QueuePair one = wanted.build();
        assertThat(small.committed()).isEqualTo(4 + 20 + 1);
        QueuePair two = wanted.build();
        assertThat(small.committed()).isEqualTo(2 * 4 + 20 + 2);
        assertThatThrownBy(wanted::build)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC));
        assertThat(small.committed()).isEqualTo(2 * 4 + 20 + 2);
        assertThatThrownBy(() -> shared.resize(22))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOSPC));
        shared.resize(10);
        assertThat(small.committed()).isEqualTo(2 * 4 + 10 + 2);
        one.close();
        two.close();
        assertThat(small.committed()).isZero();
    }

    @Test
    void aQueuePairThatFailsLeavesTheReceives() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).build();
        QueuePair[] one = connected(shared);
        QueuePair[] other = connected(shared);
        post(shared, 1, 2);
        one[1].modify(QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        one[1].close();
        assertThat(received(0)).isEmpty();
        assertThat(shared.receiveCredit()).isEqualTo(2);
        send(other[0], 1);
        assertThat(received(1)).extracting(Completion::status).containsExactly(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void itClosesAfterItsQueuePairs() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).build();
        QueuePair taker = connected(shared)[1];
        post(shared, 1, 2);
        assertThatThrownBy(shared::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining(taker.toString());
        taker.close();
        shared.close();
        shared.close();
        assertThatThrownBy(shared::receives).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> shared.armLimit(1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> shared.resize(9)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(shared::query).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> taker(shared).build()).isInstanceOf(ClosedException.class);
        assertThat(received(0)).as("nothing took them").isEmpty();
    }

    @Test
    void foreignMemoryAndDomainsAreRefused() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).build();
        ProtectionDomain foreign = pair.right().context().allocateProtectionDomain();
        MemoryRegion elsewhere = foreign.register(Arena.ofAuto().allocate(64, 64), AccessFlag.LOCAL_WRITE);
        assertThatThrownBy(() -> shared.postReceive(1, elsewhere.slice(0, 8)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(elsewhere.toString());
        assertThatThrownBy(() -> foreign.queuePair(completions)
                        .sharedReceiveQueue(shared)
                        .build())
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(shared.toString());
        assertThatThrownBy(() -> domain.sharedReceiveQueue(0).build()).hasMessageContaining("EINVAL");
        assertThatThrownBy(() -> domain.sharedReceiveQueue(8).sge(28).build()).hasMessageContaining("27");
    }
}
