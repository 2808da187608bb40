package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From another network namespace, sysfs still shows the device with all its GIDs: it must not look usable. */
@Tag("lab")
@Timeout(120)
final class NamespaceLabTest {
    @Test
    void aDeviceOfAnotherNamespaceSaysSo() throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        "peer",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-TieredCompilation",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintObstacle.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output).contains("lab0 is not in this network namespace").contains("usable GIDs: 0");
    }

    /** What the child runs. */
    static final class PrintObstacle {
        private PrintObstacle() {}

        public static void main(String[] arguments) {
            System.out.println(Rxe0.device().obstacle().orElse("no obstacle"));
            System.out.println("usable GIDs: "
                    + Rxe0.device().gids(1).stream()
                            .filter(entry -> !entry.netDevice().isEmpty())
                            .count());
        }
    }
}
