package dev.doorbell.bench.udp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where the two ends are.
 *
 * @param name for people
 * @param namespaces the network namespaces of client and server; empty for the one of this process
 * @param prefix the first three numbers of all addresses
 */
record UdpNetwork(String name, List<String> namespaces, String prefix) implements AutoCloseable {
    /** Contests that can be on at the same time, each between two addresses of its own. */
    static final int LANES = 8;

    private static final String CLIENT_SPACE = "doorbell-bench-a";
    private static final String SERVER_SPACE = "doorbell-bench-b";
    private static final String LONG_FRAMES = "9000";

    UdpNetwork {
        namespaces = List.copyOf(namespaces);
    }

    /** Addresses of the loopback interface. */
    static UdpNetwork loopback() {
        return new UdpNetwork("loopback", List.of(), "127.0.77.");
    }

    /** Two namespaces joined by veth with frames of 9000 bytes, if this user may make them. */
    static Optional<UdpNetwork> veth() {
        UdpNetwork network = new UdpNetwork("veth", List.of(CLIENT_SPACE, SERVER_SPACE), "192.168.77.");
        network.close();
        boolean made = ip("netns", "add", CLIENT_SPACE)
                && ip("netns", "add", SERVER_SPACE)
                && ip(
                        "-n",
                        CLIENT_SPACE,
                        "link",
                        "add",
                        "veth0",
                        "mtu",
                        LONG_FRAMES,
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "veth0",
                        "mtu",
                        LONG_FRAMES,
                        "netns",
                        SERVER_SPACE)
                && network.raise(Role.CLIENT)
                && network.raise(Role.SERVER);
        if (!made) {
            network.close();
            return Optional.empty();
        }
        return Optional.of(network);
    }

    private boolean raise(Role role) {
        String space = namespaces.get(role.ordinal());
        boolean raised = ip("-n", space, "link", "set", "lo", "up") && ip("-n", space, "link", "set", "veth0", "up");
        for (int lane = 0; lane < LANES; lane++) {
            raised = raised && ip("-n", space, "addr", "add", address(lane, role) + "/24", "dev", "veth0");
        }
        return raised;
    }

    private static boolean ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The address of an end. */
    String address(int lane, Role role) {
        return prefix + (2 * lane + role.ordinal() + 1);
    }

    /** How to start a program where an end is; a list that may be added to. */
    List<String> command(Role role, List<String> program) {
        List<String> command = new ArrayList<>();
        if (!namespaces.isEmpty()) {
            command.addAll(List.of("ip", "netns", "exec", namespaces.get(role.ordinal())));
        }
        command.addAll(program);
        return command;
    }

    @Override
    public void close() {
        for (String space : namespaces) {
            ip("netns", "del", space);
        }
    }
}
