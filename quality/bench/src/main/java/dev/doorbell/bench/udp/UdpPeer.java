package dev.doorbell.bench.udp;

import dev.doorbell.bench.Affinity;
import dev.doorbell.verbs.Device;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One end of a contest as a process: {@code UdpPeer PLAY client|server OWN PEER PROCESSOR}. It prints "ready" when it is
 * connected; then it reads a number a line, plays so much, and answers with what it measured. Doorbell's ends print a line
 * first that the other end has to read.
 */
final class UdpPeer {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private UdpPeer() {}

    static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Role role = Role.of(arguments[1]);
        int processor = Integer.parseInt(arguments[4]);
        if (processor >= 0) {
            Affinity.ofThisProcess().ifPresent(known -> known.bind(processor));
        }
        try (Player player = player(Play.of(arguments[0]), role, arguments[2], arguments[3], in)) {
            OUT.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                OUT.println(String.format(Locale.ROOT, "%.4f", player.play(Long.parseLong(line))));
            }
        }
    }

    private static Player player(Play play, Role role, String own, String peer, BufferedReader in) throws IOException {
        return switch (play) {
            case BARE_PINGPONG -> new BarePingPong(role, socket(role, own, peer));
            case BARE_STREAM -> new BareStream(role, socket(role, own, peer));
            case SEND -> new DoorbellPingPong(role, end(in), false);
            case WRITE -> new DoorbellPingPong(role, end(in), true);
            case STREAM -> new DoorbellStream(role, end(in), false);
            case PASSIVE -> new DoorbellStream(role, end(in), true);
        };
    }

    private static BareSocket socket(Role role, String own, String peer) {
        return new BareSocket(
                InetAddress.ofLiteral(own),
                role.port(),
                InetAddress.ofLiteral(peer),
                role.other().port());
    }

    @SuppressWarnings("MustBeClosed") // the player closes it
    private static DoorbellEnd end(BufferedReader in) throws IOException {
        DoorbellEnd end = new DoorbellEnd(Device.named("soft0").open());
        OUT.println(end.describe());
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the other end never came");
        }
        end.connect(line);
        return end;
    }
}
