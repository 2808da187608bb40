package dev.doorbell.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two devices talk through the verbs API in one thread. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FabricTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void twoDevicesExchangeMessages() {
        try (Fabric fabric = Fabric.pair()) {
            assertThat(exchange(fabric, 50)).isEqualTo(50);
            assertThat(fabric.clock().elapsed()).as("nobody had to wait").isZero();
            assertThat(fabric.quiesce(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void lostPacketsCostVirtualTimeOnly() {
        FaultInjector faults =
                FaultInjector.seeded(3).loss(0.1).duplication(0.05).reordering(0.05);
        try (Fabric fabric = Fabric.builder().faults("soft1", faults).build()) {
            assertThat(exchange(fabric, 200)).isEqualTo(200);
            assertThat(fabric.clock().elapsed()).isPositive();
        }
    }

    @Test
    void packetsAreWrittenWithTheirVirtualTimes(@TempDir Path folder) throws IOException {
        VirtualClock clock = new VirtualClock();
        try (CaptureFile file = new CaptureFile(folder.resolve("all.pcapng"), clock::nanoTime)) {
            try (Fabric fabric = Fabric.builder().clock(clock).capture(file).build()) {
                assertThat(exchange(fabric, 5)).isEqualTo(5);
            }
            // Each SEND and each acknowledgement, as it is sent and as it arrives.
            assertThat(file.packets()).isEqualTo(20);
            assertThat(file.dropped()).isZero();
        }
    }

    @Test
    void twoRunsWithTheSameSeedAreTheSame() {
        assertThat(lossyRun(9)).isEqualTo(lossyRun(9));
    }

    private static Duration lossyRun(long seed) {
        try (Fabric fabric = Fabric.builder()
                .seed(seed)
                .faults("soft0", FaultInjector.seeded(seed).loss(0.05))
                .faults("soft1", FaultInjector.seeded(seed + 1).loss(0.05))
                .build()) {
            exchange(fabric, 100);
            return fabric.clock().elapsed();
        }
    }

    /** Sends numbered messages one by one; returns how many arrived with the right number. */
    private static int exchange(Fabric fabric, int messages) {
        int right = 0;
        try (Context here = fabric.device(0).open();
                Context there = fabric.device(1).open();
                ProtectionDomain domainHere = here.allocateProtectionDomain();
                ProtectionDomain domainThere = there.allocateProtectionDomain();
                RegisteredArena arenaHere = domainHere.arena(AccessFlag.LOCAL_WRITE);
                RegisteredArena arenaThere = domainThere.arena(AccessFlag.LOCAL_WRITE);
                CompletionQueue completionsHere = here.createCompletionQueue(4);
                CompletionQueue completionsThere = there.createCompletionQueue(4);
                QueuePair alice =
                        domainHere.queuePair(completionsHere).depth(2, 2).build();
                QueuePair bob =
                        domainThere.queuePair(completionsThere).depth(2, 2).build()) {
            alice.connect(bob.endpoint());
            bob.connect(alice.endpoint());
            var outbox = arenaHere.allocateSlice(64);
            var inbox = arenaThere.allocateSlice(64);
            for (int i = 0; i < messages; i++) {
                outbox.segment().setString(0, "message " + i);
                bob.postReceive(i, inbox);
                alice.postSend(i, outbox);
                completionsHere.awaitSuccess(1, PATIENCE);
                completionsThere.awaitSuccess(1, PATIENCE);
                right += inbox.segment().getString(0).equals("message " + i) ? 1 : 0;
            }
        }
        return right;
    }

    @Test
    void aProgramFindsTheDevicesOfItsFabric() {
        try (Fabric fabric = Fabric.builder().devices(3).build()) {
            assertThat(fabric.call(
                            () -> Device.list().stream().map(Device::name).toList()))
                    .containsExactly("soft0", "soft1", "soft2");
        }
    }

    @Test
    void whatIsLeftOpenIsNamed() {
        Fabric fabric = Fabric.pair();
        Context context = fabric.device(1).open();
        assertThatThrownBy(fabric::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("soft1")
                .hasMessageContaining("contexts=1");
        context.close();
    }

    @Test
    void timeDoesNotGoBack() {
        VirtualClock clock = new VirtualClock();
        clock.advanceTo(5);
        assertThatThrownBy(() -> clock.advanceTo(4)).isInstanceOf(IllegalArgumentException.class);
        assertThat(clock.elapsed()).isEqualTo(Duration.ofNanos(5));
    }
}
