package dev.doorbell.quality.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.DeviceUnavailableException;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An embedded device that fails for good while several threads send and receive on it. */
@Timeout(120)
final class DeviceFailureTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ConnectOptions IMPATIENT = ConnectOptions.defaults()
            .ackTimeout(Duration.ofMillis(10))
            .retryCount(3)
            .rnrRetry(7);

    /** The device that fails receives, sends, or talks to itself. */
    @ParameterizedTest
    @ValueSource(strings = {"receives", "sends", "both"})
    void programsHearOfItAndGetTheirWorkBack(String role) throws InterruptedException {
        try (SoftNetwork network = SoftNetwork.builder().devices(2).build()) {
            List<Device> devices = DeviceCatalog.of(
                            List.of(network), DeviceCatalog.installed().providers())
                    .devices();
            Device doomed = devices.getFirst();
            try (Context failing = doomed.open();
                    Context other = role.equals("both")
                            ? doomed.open()
                            : devices.getLast().open()) {
                List<SteadyTraffic> traffic = Stream.generate(() -> role.equals("receives")
                                ? new SteadyTraffic(other, failing, IMPATIENT)
                                : new SteadyTraffic(failing, other, IMPATIENT))
                        .limit(4)
                        .toList();
                List<Thread> threads = traffic.stream()
                        .map(one -> Thread.ofPlatform().daemon().start(one))
                        .toList();
                SteadyTraffic.eventually(
                        "it takes too long",
                        traffic,
                        PATIENCE,
                        () -> traffic.stream().allMatch(one -> one.delivered() > 100));

                network.device(doomed.name()).fail();

                assertThat(failing.events().await(PATIENCE))
                        .contains(new AsyncEvent.OfDevice(AsyncEventType.DEVICE_FATAL, doomed));
                SteadyTraffic.eventually(
                        "it takes too long",
                        traffic,
                        PATIENCE,
                        () -> traffic.stream()
                                .allMatch(one ->
                                        one.failures() > 0 && !one.refusals().isEmpty()));
                traffic.forEach(SteadyTraffic::stop);
                for (Thread thread : threads) {
                    assertThat(thread.join(PATIENCE)).as("the thread ends").isTrue();
                }
                assertThat(traffic).allSatisfy(one -> {
                    assertThat(one.wrongs()).isEmpty();
                    assertThat(one.refusals())
                            .isNotEmpty()
                            .allSatisfy(refusal -> assertThat(refusal).isInstanceOf(DeviceUnavailableException.class));
                });
                assertThatThrownBy(failing::query).isInstanceOf(DeviceUnavailableException.class);
            }
        }
    }
}
