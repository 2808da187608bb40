package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.linux.LinuxKernel;
import dev.doorbell.linux.RdmaLink;
import dev.doorbell.linux.RdmaLinks;
import dev.doorbell.spec.AsyncEventType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links that are made and removed, and what a program with an open device hears of its interface. */
@Tag("lab")
@Timeout(120)
final class LinkLabTest {
    private static final String DEVICE = "rxe8";
    private static final String INTERFACE = "lab8";
    private static final MemorySegment NONE = MemorySegment.NULL;

    private final RdmaLinks links = new RdmaLinks();

    @BeforeEach
    void makeInterface() throws Exception {
        Commands.run("ip", "link", "add", INTERFACE, "type", "veth", "peer", "name", "lab9");
        Commands.run("ip", "link", "set", "lab9", "up");
        Commands.run("ip", "link", "set", INTERFACE, "up");
    }

    @AfterEach
    void removeInterface() throws Exception {
        if (links.list().stream().map(RdmaLink::device).anyMatch(DEVICE::equals)) {
            links.delete(DEVICE);
        }
        Commands.run("ip", "link", "delete", INTERFACE);
    }

    @Test
    void aLinkIsMadeListedAndRemoved() {
        links.add(DEVICE, "rxe", INTERFACE);
        assertThat(device().obstacle()).isEmpty();
        assertThat(links.list())
                .extracting(RdmaLink::device, RdmaLink::netDevice)
                .contains(org.assertj.core.groups.Tuple.tuple(DEVICE, INTERFACE));
        assertThatThrownBy(() -> links.add("rxe7", "rxe", INTERFACE))
                .hasMessageContaining("has such a device already")
                .hasMessageEndingWith("(EEXIST)");
        links.delete(DEVICE);
        assertThat(new LinuxKernel().devices()).extracting(KernelDevice::name).doesNotContain(DEVICE);
        assertThatThrownBy(() -> links.delete(DEVICE)).hasMessageEndingWith("(ENODEV)");
    }

    @Test
    void anOpenLinkIsNotRemovedAndSaysByWhom() {
        links.add(DEVICE, "rxe", INTERFACE);
        try (CommandChannel channel = device().open()) {
            // Open it is from here on, to the kernel that waits, though no context has begun.
            assertThatThrownBy(() -> links.delete(DEVICE)).hasMessageContaining("0 contexts begun");
            // The file of its events outlives the context, and keeps the device as well.
            channel.eventFile(begin(channel));
            assertThatThrownBy(() -> links.delete(DEVICE))
                    .hasMessageContaining("1 context begun")
                    .hasMessageContaining(ProcessHandle.current().pid() + " (java)")
                    .hasMessageEndingWith("(EBUSY)");
        }
        links.delete(DEVICE);
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> links.add(DEVICE, "nope", INTERFACE)).hasMessageContaining("modprobe nope");
        assertThatThrownBy(() -> links.add(DEVICE, "rxe", "nix0")).hasMessageContaining("no network interface nix0");
        assertThatThrownBy(() -> links.add("rxe0", "rxe", INTERFACE)).hasMessageContaining("the name is taken");
    }

    @Test
    void anOrdinaryUserIsToldWhatIsMissing() throws Exception {
        // The kernel makes the node for everybody; many systems' udev rules do not leave it at that.
        Path node = Path.of(Rxe0.device().node());
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(node);
        Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("rw-------"));
        String output;
        try {
            output = tryAsUser();
        } finally {
            Files.setPosixFilePermissions(node, before);
        }
        assertThat(output)
                .contains("CAP_NET_ADMIN")
                .contains("(EPERM)")
                .contains("discovered by netlink")
                .contains("uverbs0 may not be read and written by this user");
    }

    private static String tryAsUser() throws Exception {
        return Commands.run(
                "setpriv",
                "--reuid=12345",
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-TieredCompilation",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                TryAsUser.class.getName());
    }

    /** What the child runs. */
    static final class TryAsUser {
        private TryAsUser() {}

        public static void main(String[] arguments) {
            try {
                new RdmaLinks().add(DEVICE, "rxe", INTERFACE);
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
            }
            System.out.println("discovered by " + Rxe0.device().properties().get("discovery"));
            System.out.println(Rxe0.device().obstacle().orElse("no obstacle"));
        }
    }

    @Test
    void programsHearOfTheirInterfaceAndItsAddresses() throws Exception {
        links.add(DEVICE, "rxe", INTERFACE);
        try (CommandChannel channel = device().open();
                EventFile events = channel.eventFile(begin(channel))) {
            Commands.run("ip", "addr", "add", "10.78.0.1/24", "dev", INTERFACE);
            awaitEvent(events, AsyncEventType.GID_CHANGE);
            Commands.run("ip", "addr", "delete", "10.78.0.1/24", "dev", INTERFACE);
            awaitEvent(events, AsyncEventType.GID_CHANGE);
            Commands.run("ip", "link", "set", INTERFACE, "down");
            awaitEvent(events, AsyncEventType.PORT_ERR);
            Commands.run("ip", "link", "set", INTERFACE, "up");
            awaitEvent(events, AsyncEventType.PORT_ACTIVE);
        }
    }

    private static void awaitEvent(EventFile events, AsyncEventType wanted) {
        MemorySegment record = Arena.ofAuto().allocate(AsyncEvent.SIZE);
        List<Integer> seen = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < deadline) {
            if (events.read(record, TimeUnit.SECONDS.toNanos(1)) > 0) {
                seen.add(AsyncEvent.eventType(record, 0));
                if (AsyncEvent.eventType(record, 0) == wanted.code()) {
                    assertThat(AsyncEvent.element(record, 0)).as("port").isEqualTo(1);
                    return;
                }
            }
        }
        throw new AssertionError("no " + wanted + ", only " + seen);
    }

    /** Begins the context; returns the descriptor of its events. */
    private static int begin(CommandChannel channel) {
        MemorySegment answer = Arena.ofAuto().allocate(GetContextResponse.SIZE);
        assertThat(channel.invoke(
                        UverbsCommand.GET_CONTEXT, Arena.ofAuto().allocate(GetContext.SIZE), answer, NONE, NONE))
                .isZero();
        return GetContextResponse.asyncFd(answer, 0);
    }

    private static KernelDevice device() {
        return new LinuxKernel()
                .devices().stream()
                        .filter(device -> device.name().equals(DEVICE))
                        .findFirst()
                        .orElseThrow();
    }
}
