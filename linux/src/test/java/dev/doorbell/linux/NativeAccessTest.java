package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM that denies native access, devices can be listed; opening one says how to allow it. */
@Timeout(60)
class NativeAccessTest {
    @TempDir
    private Path folder;

    @Test
    void listingNeedsNoneAndOpeningSaysHowToGetIt() throws Exception {
        FakeSysfs.in(folder).device(0, "rxe0").node(0);
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "-cp",
                        classPath(),
                        ListAndOpen.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output)
                .contains("found linux ")
                .contains("listed rxe0")
                .contains("--enable-native-access=ALL-UNNAMED")
                .contains("EPERM");
        assertThat(output).doesNotContain("WARNING");
    }

    private static String classPath() {
        return List.of(ListAndOpen.class, LinuxKernel.class, Kernel.class, Host.class, Gid.class).stream()
                .map(NativeAccessTest::location)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String location(Class<?> type) {
        // With a module patched for tests, both of its folders are at the same place: the test classes lie beside.
        try {
            Path classes = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return type == ListAndOpen.class
                    ? classes.resolveSibling("test-classes").toString()
                    : classes.toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** What the child runs. */
    static final class ListAndOpen {
        private ListAndOpen() {}

        public static void main(String[] folder) throws IOException {
            FakeSysfs sysfs = FakeSysfs.in(Path.of(folder[0]));
            ServiceLoader.load(Kernel.class).forEach(kernel -> System.out.println("found " + kernel.name()));
            LinuxKernel kernel = new LinuxKernel(sysfs.root(), sysfs.nodes(), (name, gid) -> true);
            System.out.println("listed " + kernel.devices().getFirst().name());
            try {
                kernel.devices().getFirst().open().close();
            } catch (dev.doorbell.kernel.KernelException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
