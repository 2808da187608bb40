package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.testkit.Loopback;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever has two devices puts them to the suite together. */
@Timeout(180)
final class ConformanceProcessesTest {
    @Test
    void twoDevicesMeetOverTheirLink() throws Exception {
        Map<String, String> devices = Map.of(
                "DOORBELL_SOFT",
                "soft0@" + Loopback.next().getHostAddress() + ",soft1@"
                        + Loopback.next().getHostAddress());
        try (CommandProcess command = CommandProcess.start(
                List.of(),
                devices,
                "conformance",
                "--device",
                "soft0",
                "--peer",
                "soft1",
                "--only",
                "^rc\\.(send|write)\\.size|^ud\\.send\\.|^rc\\.mtu")) {
            assertThat(command.status()).as(command.output()).isZero();
            assertThat(command.output())
                    .contains("soft0 (kernel embedded, driver rxe), and soft1 (kernel embedded, driver rxe): ")
                    .containsPattern("\n[1-9][0-9]* passed, 0 failed, [0-9]+ skipped\n");
        }
    }
}
