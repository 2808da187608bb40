package dev.doorbell.tools.doctor;

import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.linux.RdmaLinks;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at everything between this process and a message, and goes on where something is wrong. */
public final class Examination {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String EMBEDDED = "embedded";
    private static final String LOCKED = "Max locked memory";

    private final List<Finding> findings = new ArrayList<>();

    private Examination() {}

    /** Examines this process, with an environment that may be another. */
    public static List<Finding> of(Map<String, String> environment) {
        Examination examination = new Examination();
        examination.java();
        examination.findings.addAll(KnownSettings.examine(environment));
        examination.devices(Device.list());
        return List.copyOf(examination.findings);
    }

    private void java() {
        findings.add(Finding.ok("Java " + Runtime.version() + " on " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + ", " + System.getProperty("os.arch")));
        findings.add(
                RdmaLinks.class.getModule().isNativeAccessEnabled()
                        ? Finding.ok("native access is granted")
                        : Finding.note(
                                "native access is not granted: Linux devices cannot be used, and the embedded one takes"
                                        + " Java's datagram channels. Start with --enable-native-access=dev.doorbell.linux,"
                                        + "dev.doorbell.libibverbs, or ALL-UNNAMED on the class path"));
    }

    private void devices(List<Device> devices) {
        boolean anyUsable = devices.stream().anyMatch(Device::isUsable);
        for (Device device : devices) {
            Optional<String> obstacle = device.obstacle();
            if (obstacle.isEmpty()) {
                device(device);
            } else {
                String text = device.name() + " cannot be used: " + obstacle.get();
                findings.add(anyUsable ? Finding.note(text) : Finding.wrong(text));
            }
        }
        DeviceCatalog.current().absences().forEach(reason -> findings.add(Finding.note(reason)));
        if (!anyUsable) {
            findings.add(Finding.wrong("no device can be used"));
        }
        if (devices.stream().anyMatch(device -> !device.kernel().equals(EMBEDDED))) {
            lockedMemory();
        }
    }

    private void device(Device device) {
        try (Context context = device.open()) {
            findings.add(Finding.ok(
                    device.name() + " can be opened: driver " + context.driver() + ", " + context.commandFile()));
            device.driverRemark().ifPresent(remark -> findings.add(Finding.note(device.name() + ": " + remark)));
            boolean up = false;
            for (int port = 1; port <= device.ports(); port++) {
                up |= port(context, port);
            }
            device.properties().forEach((name, value) -> findings.add(property(device, name, value)));
            if (up) {
                message(context);
                connections(context);
            }
        } catch (VerbsException e) {
            findings.add(Finding.wrong(String.valueOf(e.getMessage())));
        }
    }

    /** What the embedded device says of its link is the one property that tells of an obstacle. */
    private static Finding property(Device device, String name, String value) {
        String text = device.name() + ", " + name + ": " + value;
        return value.startsWith("local only") || value.contains(", down: ") || value.contains("faults on purpose")
                ? Finding.note(text)
                : Finding.ok(text);
    }

    private boolean port(Context context, int number) {
        PortAttributes port = context.queryPort(number);
        String text = context.device().name() + " port " + number + ": " + port.state() + ", MTU " + port.activeMtu();
        boolean up = port.state() == PortState.ACTIVE;
        findings.add(up ? Finding.ok(text) : Finding.note(text + "; nothing can be sent: is its interface up?"));
        return up;
    }

    /** A message from a queue pair of the device to another of it. */
    private void message(Context context) {
        long start = System.nanoTime();
        try (ProtectionDomain domain = context.allocateProtectionDomain();
                RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE);
                CompletionQueue completions = context.createCompletionQueue(4);
                QueuePair from = domain.queuePair(completions).depth(1, 1).build();
                QueuePair to = domain.queuePair(completions).depth(1, 1).build()) {
            from.connect(to.endpoint());
            to.connect(from.endpoint());
            MemorySlice memory = arena.allocateSlice(2 * Long.BYTES, Long.BYTES);
            to.postReceive(1, memory.slice(0, Long.BYTES));
            from.postSend(2, memory.slice(Long.BYTES, Long.BYTES));
            completions.awaitSuccess(2, PATIENCE);
            findings.add(Finding.ok(
                    "a message went from one queue pair of " + context.device().name() + " to another, "
                            + (System.nanoTime() - start) / 1000 + " us with setting up"));
        } catch (VerbsException e) {
            findings.add(Finding.wrong(
                    "no message came through on " + context.device().name() + ": " + e.getMessage()));
        }
    }

    private void connections(Context context) {
        try (Connector connector = Connector.open(context);
                Listener listener = connector.listen(new InetSocketAddress(0))) {
            findings.add(
                    Finding.ok("the connection manager of " + context.device().name() + " listens, here at port "
                            + listener.localAddress().getPort()));
        } catch (VerbsException e) {
            findings.add(Finding.note(
                    "no connections by address on " + context.device().name() + ": " + e.getMessage()));
        }
    }

    private void lockedMemory() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith(LOCKED)) {
                    String soft = line.substring(LOCKED.length()).strip().split(" +", 2)[0];
                    findings.add(
                            soft.equals("unlimited")
                                    ? Finding.ok("memory can be registered without a limit")
                                    : Finding.note("this process may register " + soft
                                            + " bytes of memory (ulimit -l); more is refused with ENOMEM"));
                }
            }
        } catch (IOException e) {
            findings.add(Finding.note("the limit of locked memory is not known: " + e.getMessage()));
        }
    }
}
