package dev.doorbell.quality.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.kernel.Census;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Killing a context with work in flight, from each state of a queue pair, leaves no thread, no descriptor, no mapping and no
 * pinned byte behind; nor does losing it.
 */
@Timeout(120)
final class KilledContextTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static Stream<Arguments> cases() {
        return Stream.of(QueuePairState.values())
                .flatMap(state -> Stream.of(Situation.values())
                        .filter(situation -> situation.isPossibleIn(state))
                        .map(situation -> Arguments.of(state, situation)));
    }

    static Stream<Arguments> losses() {
        return cases().filter(arguments -> arguments.get()[1] instanceof Situation situation && situation.canBeLost());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nothingIsLeft(QueuePairState state, Situation situation) throws InterruptedException {
        // What is loaded and opened once in a process is not what is counted.
        run(state, situation);
        Footprint before = Footprint.now();
        run(state, situation);
        settle(before);
    }

    private static void run(QueuePairState state, Situation situation) throws InterruptedException {
        try (SoftNetwork network = SoftNetwork.builder().devices(2).build()) {
            Victim victim = new Victim(network, devices(network), state);
            victim.bring();
            victim.enter(situation);
            Census held = Objects.requireNonNull(network.census().get("soft0"));
            assertThat(held.pinnedBytes()).isPositive();
            assertThat(held.mappings()).isPositive();
            victim.kill();
            assertThat(network.census())
                    .allSatisfy((device, census) -> assertThat(census).isEqualTo(Census.EMPTY));
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void nothingIsLeftOfWhatIsLost(QueuePairState state, Situation situation) {
        Logger leaks = Logger.getLogger("dev.doorbell.leaks");
        leaks.setUseParentHandlers(false);
        Footprint before = Footprint.now();
        try (SoftNetwork network = SoftNetwork.builder().devices(2).build()) {
            lose(network, state, situation);
            long start = System.nanoTime();
            while (!network.census().values().stream().allMatch(Census::isEmpty)
                    && System.nanoTime() - start < PATIENCE.toNanos()) {
                System.gc();
                Thread.onSpinWait();
            }
            assertThat(network.census())
                    .allSatisfy((device, census) -> assertThat(census).isEqualTo(Census.EMPTY));
        } finally {
            leaks.setUseParentHandlers(true);
        }
        settle(before);
    }

    /** In a frame of its own, which is gone when the collector looks. */
    private static void lose(SoftNetwork network, QueuePairState state, Situation situation) {
        Victim victim = new Victim(network, devices(network), state);
        victim.bring();
        victim.enter(situation);
    }

    private static List<Device> devices(SoftNetwork network) {
        return DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers())
                .devices();
    }

    /** Threads that were told to end need a moment. */
    private static void settle(Footprint before) {
        long start = System.nanoTime();
        while (!isNoMoreThan(before) && System.nanoTime() - start < PATIENCE.toNanos()) {
            Thread.yield();
        }
        assertThat(isNoMoreThan(before))
                .as("left behind: before %s, now %s", before, Footprint.now())
                .isTrue();
    }

    private static boolean isNoMoreThan(Footprint before) {
        Footprint now = Footprint.now();
        return now.threads().entrySet().stream()
                        .allMatch(entry -> entry.getValue() <= before.threads().getOrDefault(entry.getKey(), 0))
                && now.descriptors().entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue() <= before.descriptors().getOrDefault(entry.getKey(), 0));
    }
}
