package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LifetimeTest {
    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<String> log() {
        return fixture.device.channel.log;
    }

    private static void refusedAsClosed(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ClosedException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF))
                .hasMessageContaining("it is closed");
    }

    @Test
    void aParentWithChildrenIsNotClosed() {
        QueuePair queuePair = fixture.connected();
        VerbsException domain = Refused.with(Errno.EBUSY, fixture.domain::close);
        assertThat(domain).hasMessageContaining(fixture.region.toString()).hasMessageContaining(queuePair.toString());
        assertThat(Refused.with(Errno.EBUSY, fixture.completions::close)).hasMessageContaining(queuePair.toString());

        queuePair.postSend(1, fixture.region.slice(0, 8));
        queuePair.close();
        fixture.completions.close();
        fixture.region.close();
        fixture.domain.close();
        assertThat(log()).endsWith("DESTROY_QP", "DESTROY_CQ", "DEREG_MR", "unpin", "DEALLOC_PD");
    }

    @Test
    void closingTheContextClosesEverythingChildrenFirst() {
        fixture.connected();
        fixture.domain.arena(AccessFlag.LOCAL_WRITE).allocate(8);
        int before = log().size();
        fixture.context.close();

        List<String> closing = log().subList(before, log().size());
        assertThat(closing)
                .contains("DESTROY_QP", "DEREG_MR", "DESTROY_CQ", "DEALLOC_PD")
                .endsWith("close events", "close");
        assertThat(closing.indexOf("DESTROY_QP")).isLessThan(closing.indexOf("DESTROY_CQ"));
        assertThat(closing.indexOf("DESTROY_QP")).isLessThan(closing.indexOf("DEALLOC_PD"));
        assertThat(closing.lastIndexOf("DEREG_MR")).isLessThan(closing.indexOf("DEALLOC_PD"));
        assertThat(closing).filteredOn("DEREG_MR"::equals).hasSize(2);
    }

    @Test
    void closingIsIdempotent() {
        QueuePair queuePair = fixture.connected();
        RegisteredArena arena = fixture.domain.arena(AccessFlag.LOCAL_WRITE);
        for (int i = 0; i < 2; i++) {
            queuePair.close();
            queuePair.close(Duration.ZERO);
            arena.close();
            fixture.region.close();
            fixture.completions.close();
            fixture.domain.close();
            fixture.context.close();
        }
        assertThat(log()).filteredOn(line -> line.startsWith("D")).hasSize(4);
        assertThat(log()).filteredOn("close"::equals).hasSize(1);
    }

    /** It needs both queues, and whoever has one of them may be about to open the other. */
    @Test
    void aResetHoldsUpNobodyWhoHasTheOtherQueue() throws InterruptedException {
        QueuePair queuePair = fixture.connected();
        Thread resetting;
        try (ReceiveBatch receives = queuePair.receives()) {
            resetting = Thread.ofPlatform()
                    .daemon()
                    .start(() -> queuePair.modify(QueuePairAttributes.builder()
                            .state(QueuePairState.RESET)
                            .build()));
            while (Stream.of(resetting.getStackTrace())
                    .noneMatch(frame -> frame.getMethodName().equals("begin"))) {
                Thread.onSpinWait();
            }
            try (SendBatch sends = queuePair.batch()) {
                assertThat(sends.room()).isEqualTo(8);
                assertThat(receives.room()).isEqualTo(8);
            }
        }
        resetting.join();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
    }

    /** An Error is no end either: whoever comes next may try again, and nobody waits for ever. */
    @Test
    void whatFailsToCloseInAnUnknownWayCanBeClosedAgain() {
        List<Throwable> failures = new ArrayList<>(List.of(
                new AssertionError("unknown"),
                new InternalError("a fault occurred in an unsafe memory access operation")));
        Lifetime parent = Lifetime.begin("parent", mode -> {});
        Lifetime child = Lifetime.begin(
                "child",
                mode -> {
                    if (!failures.isEmpty() && failures.removeFirst() instanceof Error error) {
                        throw error;
                    }
                },
                parent);

        assertThatThrownBy(() -> parent.close(Closing.CASCADE)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> parent.close(Closing.CASCADE))
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("close on child: EIO");
        OtherThread.run(() -> parent.close(Closing.CASCADE));
        assertThat(parent.isOpen()).isFalse();
        refusedAsClosed(() -> child.require("use"));
    }

    @Test
    void everyMethodOfAClosedContextThrows() {
        Context context = fixture.context;
        context.close();

        assertThat(context.isOpen()).isFalse();
        refusedAsClosed(context::query);
        refusedAsClosed(() -> context.queryPort(1));
        refusedAsClosed(context::allocateProtectionDomain);
        refusedAsClosed(() -> context.createCompletionQueue(1));
        refusedAsClosed(() -> context.completionQueue(1).build());
        assertThat(context.driver()).as("what is known stays known").isEqualTo("acme");
        assertThat(context.chooseGid(1)).isNotNull();
        assertThat(context.gids(1)).isNotEmpty();
        assertThat(context.toString()).contains("acme0");
    }

    @Test
    void everyMethodOfAClosedDomainThrows() {
        ProtectionDomain domain = fixture.context.allocateProtectionDomain();
        domain.close();

        refusedAsClosed(() -> domain.register(Arena.ofAuto().allocate(8)));
        refusedAsClosed(() -> domain.arena(AccessFlag.LOCAL_WRITE));
        refusedAsClosed(() -> domain.queuePair(fixture.completions).build());
        assertThat(domain.context()).isSameAs(fixture.context);
        assertThat(domain.handle()).isPositive();
    }

    @Test
    void everyMethodOfAClosedCompletionQueueThrows() {
        CompletionQueue queue = fixture.context.createCompletionQueue(4);
        queue.close();

        refusedAsClosed(queue::poll);
        refusedAsClosed(() -> queue.poll(1, completion -> {}));
        refusedAsClosed(() -> queue.await(1, Duration.ofSeconds(1), completion -> {}));
        refusedAsClosed(() -> queue.await(() -> false, Duration.ofSeconds(1), completion -> {}));
        refusedAsClosed(() -> queue.awaitSuccess(1, Duration.ofSeconds(1)));
        refusedAsClosed(() -> fixture.domain.queuePair(queue).build());
        assertThat(queue.capacity()).isEqualTo(4);
        assertThat(queue.committed()).isZero();
        assertThat(queue.vector()).isZero();
        assertThat(queue.handle()).isPositive();
        assertThat(queue.context()).isSameAs(fixture.context);
    }

    @Test
    void everyMethodOfAClosedQueuePairThrows() {
        QueuePair queuePair = fixture.connected();
        SendBatch batch = queuePair.batch();
        ReceiveBatch receives = queuePair.receives();
        MemorySlice slice = fixture.region.slice(0, 8);
        queuePair.close();

        refusedAsClosed(queuePair::batch);
        refusedAsClosed(queuePair::receives);
        refusedAsClosed(() -> queuePair.postSend(1, slice));
        refusedAsClosed(() -> queuePair.postReceive(1, slice));
        refusedAsClosed(queuePair::sendSlots);
        refusedAsClosed(queuePair::receiveCredit);
        refusedAsClosed(queuePair::query);
        refusedAsClosed(queuePair::initialize);
        refusedAsClosed(() -> queuePair.modify(
                QueuePairAttributes.builder().state(QueuePairState.ERROR).build()));
        refusedAsClosed(() -> batch.send(1));
        refusedAsClosed(batch::submit);
        refusedAsClosed(batch::room);
        refusedAsClosed(() -> receives.receive(1));
        refusedAsClosed(receives::submit);
        batch.close();
        receives.close();
        assertThat(queuePair.number()).isEqualTo(fixture.fake().number());
        assertThat(queuePair.endpoint()).as("known before").isNotNull();
        QueuePair unasked = fixture.builder().build();
        unasked.close();
        refusedAsClosed(unasked::endpoint);
        refusedAsClosed(() -> unasked.connect(queuePair.endpoint()));
    }

    @Test
    void aClosedRegionKeepsItsNumbersAndCannotBeSent() {
        MemoryRegion region = fixture.domain.register(Arena.ofAuto().allocate(8));
        region.close();

        assertThat(region.isOpen()).isFalse();
        assertThat(region.lkey()).isPositive();
        assertThat(region.slice().length()).isEqualTo(8);
        refusedAsClosed(() -> fixture.connected().postSend(1, region.slice()));
    }

    @Test
    void aCursorOfAClosedQueueThrows() {
        CompletionQueue queue = fixture.context.createCompletionQueue(4);
        CompletionCursor cursor = queue.poll();
        queue.close();

        refusedAsClosed(cursor::next);
        refusedAsClosed(cursor::id);
        cursor.close();
    }

    @Test
    void aHandlerMayCloseTheQueueThatItPolls() {
        CompletionQueue queue = fixture.context.createCompletionQueue(4);
        QueuePair queuePair =
                Fixture.connect(fixture.domain.queuePair(queue).depth(2, 2).build());
        fixture.fake().sends.executes = true;
        queuePair.postSend(1, fixture.region.slice(0, 8));

        refusedAsClosed(() -> queue.poll(9, completion -> {
            queuePair.close();
            queue.close();
        }));
    }

    @Test
    void anotherThreadsOpenBatchKeepsAQueuePairFromClosing() {
        QueuePair queuePair = fixture.connected();
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        CompletableFuture<Void> poster = OtherThread.start(() -> {
            try (SendBatch batch = queuePair.batch()) {
                open.countDown();
                enough.await();
                batch.send(1);
                batch.submit();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await(open);
        VerbsException busy = Refused.with(Errno.EBUSY, () -> queuePair.close(Duration.ofMillis(1)));
        assertThat(busy).hasMessageContaining("has a batch open");
        refusedAsClosed(queuePair::query);
        assertThat(Refused.with(Errno.EBUSY, fixture.context::close))
                .as("nor is its context closed under it")
                .hasMessageContaining("has a batch open");
        assertThat(fixture.device.channel.closed).isFalse();

        enough.countDown();
        poster.join();
        queuePair.close();
        assertThat(log()).contains("DESTROY_QP");
    }

    @Test
    void anotherThreadsOpenRoundKeepsACompletionQueueFromClosing() {
        CompletionQueue queue = fixture.context.createCompletionQueue(4);
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        CompletableFuture<Void> poller = OtherThread.start(() -> {
            try (CompletionCursor cursor = queue.poll()) {
                open.countDown();
                enough.await();
                assertThat(cursor.next()).isFalse();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await(open);
        assertThat(Refused.with(Errno.EBUSY, queue::close)).hasMessageContaining("has a round of polling open");
        enough.countDown();
        poller.join();
        queue.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The fake's rings throw when they are touched after they were unmapped; real ones would crash the JVM. */
    @Test
    void closingWhileOthersPostAndPollNeverTouchesAnUnmappedRing() {
        for (int round = 0; round < 50; round++) {
            CompletionQueue queue = fixture.context.createCompletionQueue(64);
            QueuePair queuePair =
                    Fixture.connect(fixture.domain.queuePair(queue).depth(8, 8).build());
            fixture.fake().sends.executes = true;
            AtomicLong posted = new AtomicLong();
            CompletableFuture<Void> poster = OtherThread.start(() -> untilClosed(() -> {
                try (SendBatch batch = queuePair.batch()) {
                    batch.send(posted.incrementAndGet());
                    batch.submit();
                }
                assertThat(queuePair.sendSlots()).isPositive();
            }));
            CompletableFuture<Void> receiver = OtherThread.start(() ->
                    untilClosed(() -> assertThat(queuePair.receiveCredit()).isZero()));
            CompletableFuture<Void> poller =
                    OtherThread.start(() -> untilClosed(() -> queue.poll(9, WorkCompletion::requireSuccess)));
            while (posted.get() < 20) {
                Thread.onSpinWait();
            }
            queuePair.close();
            queue.close();
            CompletableFuture.allOf(poster, receiver, poller).join();
        }
    }

    private static void untilClosed(Runnable body) {
        try {
            while (true) {
                body.run();
            }
        } catch (ClosedException e) {
            assertThat(e.errno()).isEqualTo(Errno.EBADF);
        }
    }

    @Test
    void whoClosesSecondWaitsForTheFirst() {
        AtomicBoolean released = new AtomicBoolean();
        CountDownLatch releasing = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        Lifetime lifetime = Lifetime.begin("thing", mode -> {
            releasing.countDown();
            await(enough);
            released.set(true);
        });
        CompletableFuture<Void> first = OtherThread.start(() -> lifetime.close(Closing.ALONE));
        await(releasing);
        CompletableFuture<Void> second = OtherThread.start(() -> {
            lifetime.close(Closing.ALONE);
            assertThat(released).isTrue();
        });
        assertThat(lifetime.isOpen()).isFalse();
        enough.countDown();
        first.join();
        second.join();
    }

    @Test
    void closingWaitsForCallsInProgress() {
        AtomicBoolean inside = new AtomicBoolean(true);
        Lifetime lifetime = Lifetime.begin("thing", mode -> assertThat(inside).isFalse());
        lifetime.enter("call");
        CompletableFuture<Void> closer = OtherThread.start(() -> lifetime.close(Closing.ALONE));
        while (lifetime.isOpen()) {
            Thread.onSpinWait();
        }
        inside.set(false);
        lifetime.exit();
        closer.join();
    }

    @Test
    void aRefusedCloseCanBeRepeated() {
        fixture.device.channel.refusals.put(UverbsCommand.DEREG_MR, Errno.EBUSY);
        Refused.with(Errno.EBUSY, fixture.region::close);
        assertThat(fixture.region.isOpen()).isFalse();
        assertThat(Refused.with(Errno.EBUSY, fixture.domain::close))
                .as("it is still there")
                .hasMessageContaining(fixture.region.toString());
        fixture.device.channel.refusals.clear();
        fixture.region.close();
        fixture.domain.close();
    }

    @Test
    void refusalsOfTheKernelDoNotKeepAContextOpen() {
        fixture.connected();
        fixture.device.channel.refusals.put(UverbsCommand.DESTROY_QP, Errno.EIO);
        fixture.device.channel.refusals.put(UverbsCommand.DEREG_MR, Errno.EIO);
        assertThatThrownBy(fixture.context::close)
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("EIO");
        assertThat(fixture.device.channel.closed).isTrue();
        assertThat(fixture.context.isOpen()).isFalse();
    }
}
