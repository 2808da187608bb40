package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.failure.SteadyTraffic;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interface below rxe0 goes down, or loses its address, while threads send: events come, all work comes back, it goes on. */
@Tag("lab")
@Tag("once")
@Timeout(900)
final class InterfaceFailureLabTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String ADDRESS = "10.77.0.1/24";
    private static final ConnectOptions IMPATIENT =
            ConnectOptions.defaults().ackTimeout(Duration.ofMillis(60)).retryCount(2);

    /** rxe of 6.1 can forget a request that it could not send while the interface was down: no answer, no retry, no error. */
    private static final Duration STALL = Duration.ofSeconds(10);

    private Context left;
    private Context right;
    private List<SteadyTraffic> traffic;
    private List<Thread> threads;

    @BeforeEach
    void begin() {
        left = Device.named("rxe0").open();
        right = Device.named("rxe0").open();
        traffic = Stream.generate(() -> new SteadyTraffic(left, right, IMPATIENT, STALL))
                .limit(2)
                .toList();
        threads = traffic.stream()
                .map(one -> Thread.ofPlatform().daemon().start(one))
                .toList();
        awaitProgress();
    }

    /** Whatever happened, in the end messages arrive again, and nothing was lost on the way. */
    @AfterEach
    void end() throws Exception {
        try (Context sender = left;
                Context receiver = right) {
            assertThat(sender.isOpen() && receiver.isOpen()).isTrue();
            Commands.run("ip", "link", "set", "lab0", "up");
            Commands.run("ip", "addr", "replace", ADDRESS, "dev", "lab0");
            // An interface that goes down loses its IPv6 addresses for good.
            Commands.run("ip", "-6", "addr", "replace", "fd77::1/64", "dev", "lab0", "nodad");
            awaitProgress();
            traffic.forEach(SteadyTraffic::stop);
            for (Thread thread : threads) {
                assertThat(thread.join(PATIENCE)).as("the thread ends").isTrue();
            }
            assertThat(traffic).allSatisfy(one -> assertThat(one.wrongs()).isEmpty());
        }
    }

    @Test
    void theInterfaceGoesDownAndUp() throws Exception {
        for (int round = 0; round < 3; round++) {
            Commands.run("ip", "link", "set", "lab0", "down");
            awaitEvents(AsyncEventType.PORT_ERR);
            Commands.run("ip", "link", "set", "lab0", "up");
            awaitEvents(AsyncEventType.PORT_ACTIVE);
            awaitProgress();
        }
    }

    @Test
    void theAddressGoesAndComesBack() throws Exception {
        Commands.run("ip", "addr", "delete", ADDRESS, "dev", "lab0");
        awaitEvents(AsyncEventType.GID_CHANGE);
        SteadyTraffic.eventually(
                "connections fail", traffic, PATIENCE, () -> traffic.stream().allMatch(one -> one.failures() > 0));
        Commands.run("ip", "addr", "add", ADDRESS, "dev", "lab0");
        awaitEvents(AsyncEventType.GID_CHANGE);
        awaitProgress();
    }

    /** On both contexts. */
    private void awaitEvents(AsyncEventType wanted) {
        for (Context context : List.of(left, right)) {
            Set<AsyncEventType> seen = new HashSet<>();
            while (!seen.contains(wanted)) {
                AsyncEvent event = context.events()
                        .await(PATIENCE)
                        .orElseThrow(() -> new AssertionError("no " + wanted + ", only " + seen));
                seen.add(event.type());
            }
        }
    }

    private void awaitProgress() {
        List<Long> before = traffic.stream().map(SteadyTraffic::delivered).toList();
        SteadyTraffic.eventually("messages arrive", traffic, PATIENCE, () -> {
            for (int i = 0; i < before.size(); i++) {
                if (traffic.get(i).delivered() < before.get(i) + 50) {
                    return false;
                }
            }
            return true;
        });
    }
}
