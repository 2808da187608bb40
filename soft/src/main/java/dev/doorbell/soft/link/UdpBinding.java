package dev.doorbell.soft.link;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.NativeAccess;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds addresses and a carrier for a plan, and can say why it found none. Used once. */
final class UdpBinding {
    private final UdpPlan plan;
    private final LinkCounters counters;

    /** The outcome; null if nothing could be bound. */
    @Nullable
    UdpCarrier carrier;

    /** The addresses that were bound, or would have been. */
    List<InetAddress> addresses = List.of();

    /** Why nothing could be bound. */
    String refusal = "";

    UdpBinding(UdpPlan plan, LinkCounters counters) {
        this.plan = plan;
        this.counters = counters;
    }

    /** Tries one set of addresses after the other. */
    void bind() {
        List<List<InetAddress>> candidates = plan.candidates();
        addresses = candidates.getFirst();
        for (List<InetAddress> candidate : candidates) {
            if (bind(candidate)) {
                addresses = candidate;
                return;
            }
        }
    }

    private boolean bind(List<InetAddress> candidate) {
        try {
            String obstacle = obstacleToLinux();
            carrier = obstacle == null
                    ? LinuxCarrier.bind(candidate, plan, counters)
                    : PortableCarrier.bind(candidate, plan, counters, obstacle);
            return true;
        } catch (KernelException refused) {
            remember(
                    refused.errno() == Errno.EADDRINUSE,
                    refused.errno(),
                    candidate,
                    String.valueOf(refused.getMessage()));
        } catch (BindException refused) {
            remember(isHeld(refused), 0, candidate, String.valueOf(refused.getMessage()));
        } catch (IOException refused) {
            remember(false, 0, candidate, String.valueOf(refused.getMessage()));
        }
        return false;
    }

    private static boolean isHeld(BindException refused) {
        return String.valueOf(refused.getMessage()).contains("in use");
    }

    /** The first refusal counts: it is about the address that was wanted. */
    private void remember(boolean held, int errno, List<InetAddress> candidate, String message) {
        if (refusal.isEmpty()) {
            String where = candidate.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
            refusal = held
                    ? "port 4791 held (at " + where
                            + "; rdma_rxe holds it at every address until its links are gone: doorbell link delete NAME;"
                            + " another process at its own; another network namespace has its own ports)"
                    : "no UDP socket at " + where + ": " + (errno == 0 ? message : Errno.name(errno));
        }
    }

    /** Why Linux system calls are not used; null if they are. */
    private @Nullable String obstacleToLinux() {
        return switch (plan.carrier()) {
            case PORTABLE -> "asked for";
            case LINUX -> null;
            case BEST -> {
                if (!System.getProperty("os.name", "").equals("Linux")) {
                    yield "this is not Linux";
                }
                boolean enabled = NativeAccess.isGranted();
                yield enabled ? null : "native access is not enabled (--enable-native-access=dev.doorbell.linux)";
            }
        };
    }
}
