package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.Device;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class AsyncWatchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Transcript out = new Transcript();

    private int watch(int most, AsyncEvent... events) {
        Queue<AsyncEvent> queue = new ArrayDeque<>(List.of(events));
        return new AsyncWatch(patience -> Optional.ofNullable(queue.poll()), out.stream()).run(most, PATIENCE);
    }

    @Test
    void eventsLookAsTheCProgramPrintsThem() {
        Device device = Device.named("soft0");
        int printed = watch(
                10,
                new AsyncEvent.OfPort(AsyncEventType.PORT_ERR, device, 1),
                new AsyncEvent.OfPort(AsyncEventType.PORT_ACTIVE, device, 2),
                new AsyncEvent.OfDevice(AsyncEventType.DEVICE_FATAL, device),
                new AsyncEvent.Other(AsyncEventType.UNKNOWN, 99, 7));
        assertThat(printed).isEqualTo(4);
        assertThat(out.toString().lines())
                .containsExactly(
                        "  event_type IBV_EVENT_PORT_ERR (10), port 1",
                        "  event_type IBV_EVENT_PORT_ACTIVE (9), port 2",
                        "  event_type IBV_EVENT_DEVICE_FATAL (8), device soft0",
                        "  event_type unknown (99), element 7");
    }

    @Test
    void enoughIsEnough() {
        AsyncEvent event = new AsyncEvent.Other(AsyncEventType.UNKNOWN, 99, 7);
        assertThat(watch(2, event, event, event)).isEqualTo(2);
        assertThat(out.toString().lines()).hasSize(2);
    }

    @Test
    void theCommandNamesTheFileAndEndsWhenItsTimeIsUp() throws Exception {
        RunningCommand command = RunningCommand.start("asyncwatch", "-d", "soft0", "--timeout", "1");
        assertThat(command.status()).isZero();
        assertThat(command.out()).matches("soft0: async event FD -?\\d+\n  \\(waiting for events; Ctrl-C ends it\\)\n");
        assertThat(RunningCommand.start("asyncwatch", "-d", "soft0", "-n", "1", "--timeout", "1")
                        .status())
                .isEqualTo(DoorbellCommand.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 0", "-n x", "--timeout -1", "--timeout 1.5", "somewhere"})
    void valuesThatMakeNoSenseAreUsageErrors(String options) throws Exception {
        RunningCommand command = RunningCommand.start(("asyncwatch " + options).split(" "));
        assertThat(command.status()).isEqualTo(DoorbellCommand.USAGE);
        assertThat(command.err()).contains("Try 'doorbell asyncwatch --help'");
    }
}
