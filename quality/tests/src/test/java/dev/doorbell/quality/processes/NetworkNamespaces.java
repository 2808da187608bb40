package dev.doorbell.quality.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts on one: network namespaces joined by a pair of virtual Ethernet interfaces. Needs root; closing removes all.
 *
 * <pre>
 *   db-left-PID                          db-right-PID
 *     veth0  10.78.0.1/24, fd78::1/64  ─── veth0  10.78.0.2/24, fd78::2/64
 *            fe80::78:1/64                        fe80::78:2/64
 * </pre>
 */
final class NetworkNamespaces implements AutoCloseable {
    private final String left = "db-left-" + ProcessHandle.current().pid();
    private final String right = "db-right-" + ProcessHandle.current().pid();
    private final String obstacle;

    NetworkNamespaces() {
        this.obstacle = create();
    }

    private String create() {
        String complaint = run("netns add " + left) + run("netns add " + right);
        if (!complaint.isEmpty()) {
            return complaint;
        }
        return connect();
    }

    /** Lays the cable, and gives its ends their addresses. */
    String connect() {
        return run("-n " + left + " link add veth0 type veth peer name veth0 netns " + right)
                + configure(left, "1")
                + configure(right, "2");
    }

    private static String configure(String name, String host) {
        return run("-n " + name + " link set lo up")
                + run("-n " + name + " addr add 10.78.0." + host + "/24 dev veth0")
                + run("-n " + name + " addr add fd78::" + host + "/64 dev veth0 nodad")
                + run("-n " + name + " addr add fe80::78:" + host + "/64 dev veth0 nodad")
                + run("-n " + name + " link set veth0 up");
    }

    /** Why they could not be made; empty if they were. */
    String obstacle() {
        return obstacle;
    }

    /** What to put before a command that is to run in the left one. */
    List<String> inLeft() {
        return List.of("ip", "netns", "exec", left);
    }

    /** What to put before a command that is to run in the right one. */
    List<String> inRight() {
        return List.of("ip", "netns", "exec", right);
    }

    /** Changes the left one by ip(8). */
    void inLeft(String words) {
        String complaint = run("-n " + left + " " + words);
        if (!complaint.isEmpty()) {
            throw new AssertionError(complaint);
        }
    }

    /** Runs ip(8); returns what it complains about. */
    private static String run(String words) {
        try {
            Process process = new ProcessBuilder(("ip " + words).split(" "))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(10, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? "" : "ip " + words + ": " + output.strip() + "; ";
        } catch (IOException e) {
            return e.getMessage() + "; ";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted; ";
        }
    }

    @Override
    public void close() {
        run("netns del " + left);
        run("netns del " + right);
    }
}
