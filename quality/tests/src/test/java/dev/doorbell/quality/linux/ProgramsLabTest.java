package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.documents.ExampleOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tour and the examples, as they are, on rxe0. */
@Tag("lab")
@Tag("once")
@Timeout(900)
final class ProgramsLabTest {
    private static final String DEVICE = "rxe0";
    private static final String MULTICAST = "239.1.2.3";
    private static final Map<String, List<String>> SAYS = ExampleOutput.on(DEVICE, "10.77.0.1");

    @Test
    void theTour() throws IOException, InterruptedException {
        assertThat(java("dev.doorbell.tools.DoorbellCommand", "tour", "--device", DEVICE))
                .contains("rxe0")
                .contains("/dev/infiniband/uverbs0");
    }

    static List<String> examples() {
        return List.copyOf(SAYS.keySet());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExample(String name) throws Throwable {
        run(name);
    }

    /** One example on rxe0, as the launcher would. */
    static void run(String name) throws Throwable {
        // A packet for a group reaches rxe only if the address of its interface has joined the group too, as rdma_cm
        // does.
        try (DatagramChannel member = DatagramChannel.open(StandardProtocolFamily.INET)) {
            if (name.equals("Multicast")) {
                member.join(InetAddress.getByName(MULTICAST), NetworkInterface.getByName("lab0"));
            }
            assertThat(inThisJvm(name, DEVICE)).containsSubsequence(SAYS.get(name));
        }
    }

    /** As the launcher does it, but for a JVM of its own, which takes a guest half a minute. */
    private static String inThisJvm(String name, String... arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Class.forName(name), MethodHandles.lookup());
        Object program = lookup.findConstructor(lookup.lookupClass(), MethodType.methodType(void.class))
                .invoke();
        MethodHandle main = lookup.findVirtual(
                        lookup.lookupClass(), "main", MethodType.methodType(void.class, String[].class))
                .asFixedArity()
                .bindTo(program);
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            main.invoke(arguments);
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    private static String java(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-TieredCompilation",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        return Commands.run(command.toArray(new String[0]));
    }
}
