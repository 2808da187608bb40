package dev.doorbell.quality.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Mtu;
import dev.doorbell.testkit.LinkModel;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A stream over a link whose receiver has a small buffer, as a socket has: what is lost there and elsewhere costs speed, but the speed does
 * not collapse. The full window is 128 packets.
 */
@Timeout(120)
final class SmallBufferTest {
    private static final int SIZE = 1 << 16;
    private static final int MESSAGES = 400;

    private static Outcome run(Workload workload, double loss, int queue) {
        Scenario scenario = Scenario.stream(
                workload,
                SIZE,
                Mtu.MTU_1024,
                loss,
                MESSAGES,
                LinkModel.standard().queue(queue));
        try (Simulation simulation = new Simulation(scenario)) {
            return simulation.run();
        }
    }

    /** Bounds in percent of the goodput without loss and with room for two windows. */
    @ParameterizedTest
    @CsvSource({
        "SEND, 256, 90, 50", "SEND, 64, 65, 50", "SEND, 32, 60, 50", "SEND, 8, 10, 10",
        "WRITE, 256, 90, 50", "WRITE, 64, 65, 50", "WRITE, 32, 60, 50", "WRITE, 8, 10, 10",
        "READ, 256, 90, 40", "READ, 64, 60, 35", "READ, 32, 60, 35", "READ, 8, 5, 5",
        "MIXED, 256, 80, 40", "MIXED, 64, 60, 40", "MIXED, 32, 50, 40", "MIXED, 8, 5, 5",
    })
    void theSpeedDoesNotCollapse(Workload workload, int queue, int fewLost, int manyLost) {
        double full = run(workload, 0, 256).bytesPerSecond();
        for (double loss : new double[] {0, 0.001, 0.01}) {
            Outcome outcome = run(workload, loss, queue);
            assertThat(outcome.bytesPerSecond() * 100 / full)
                    .as("percent of the goodput without loss, with %s lost: %s", loss, outcome)
                    .isGreaterThan(loss < 0.01 ? fewLost : manyLost);
        }
    }
}
