package dev.doorbell.quality.interop;

import dev.doorbell.tools.pingpong.Service;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The programs of ibverbs-utils on rxe0 against ours: on rxe0 as well, or on the other JVM's embedded device. */
final class Programs {
    private static final String RXE_HOST = "10.77.0.1";
    private static final Pattern LISTENING = Pattern.compile("listening on TCP port (\\d+)");
    private static final Pattern NEVER = Pattern.compile("(?!)");

    private final Rows rows;
    private final Desk rxe;
    private final PeerProcess peer;
    private int port = 18515;

    Programs(Rows rows, Desk rxe, PeerProcess peer) {
        this.rows = rows;
        this.rxe = rxe;
        this.peer = peer;
    }

    /** One game: which program, and how it is called at both ends. */
    record Game(Service service, String options, long bytes) {
        /** Every service, small and large messages, polling and events. */
        static final List<Game> ALL = List.of(
                new Game(Service.RC, "-n 50 -c -s 3000", 300_000),
                new Game(Service.RC, "-n 20 -e -r 4 -s 1", 40),
                new Game(Service.RC, "-n 10 -c -m 4096 -s 100000", 2_000_000),
                new Game(Service.UC, "-n 50 -c -s 3000", 300_000),
                new Game(Service.UD, "-n 50 -c -s 1000", 100_000),
                new Game(Service.SRQ, "-n 50 -q 3 -s 2000 -c", 200_000));

        /** More than makes a route busy: in the end the system numbers the datagrams of an embedded device. */
        static final Game BUSY = new Game(Service.RC, "-n 1500 -s 64 -c", 192_000);

        /** What gets through whatever the wire does. */
        static final List<Game> RELIABLE = List.of(ALL.get(2), ALL.get(5));

        String program() {
            return service.name().toLowerCase(Locale.ROOT) + "_pingpong " + options;
        }
    }

    /** Ours on rxe0, in a thread of this JVM. */
    void playOnRxe(Game game, boolean six) {
        String title = (six ? "IPv6 " : "IPv4 ") + game.program();
        rows.row(title + ", the C program is the server", () -> {
            PingpongEnd server = theirServer(game, six);
            PingpongEnd client = PingpongEnd.ours(game.service(), onRxe(game, six, "--timeout", "60", RXE_HOST));
            assertAgreed(client.await(), server.await(), game.bytes());
        });
        rows.row(title + ", the C program is the client", () -> {
            port++;
            PingpongEnd server = PingpongEnd.ours(game.service(), onRxe(game, six, "--timeout", "60"));
            server.awaitListener(port);
            PingpongEnd client = PingpongEnd.theirs(game.service(), onRxe(game, six, RXE_HOST));
            assertAgreed(client.await(), server.await(), game.bytes());
        });
    }

    /** Ours on the embedded device. */
    void playOnSoft(Game game, boolean six) {
        String title = (six ? "IPv6 " : "IPv4 ") + game.program();
        rows.row(title + ", the C program is the server", () -> {
            PingpongEnd server = theirServer(game, six);
            peer.startPingpong(
                    game.service().name(), words(game, "-d", "soft0", "-p", port(), "--timeout", "60", RXE_HOST));
            assertAgreed(output(), server.await(), game.bytes());
        });
        rows.row(title + ", the C program is the client", () -> {
            peer.startPingpong(game.service().name(), words(game, "-d", "soft0", "-p", "0", "--timeout", "60"));
            StringBuilder ours = new StringBuilder();
            Matcher listening = await(LISTENING, ours);
            if (listening == null) {
                throw new AssertionError("our program ended early:\n" + ours);
            }
            PingpongEnd client = PingpongEnd.theirs(
                    game.service(),
                    words(game, "-d", "rxe0", "-g", slot(six), "-p", listening.group(1), SoftSetup.IPV4));
            await(NEVER, ours);
            assertAgreed(client.await(), ours.toString(), game.bytes());
        });
    }

    private PingpongEnd theirServer(Game game, boolean six) throws IOException {
        port++;
        PingpongEnd server = PingpongEnd.theirs(game.service(), onRxe(game, six));
        server.awaitListener(port);
        return server;
    }

    /** Waits for our program over there to print something, and adds all that it prints to a text. */
    private @Nullable Matcher await(Pattern wanted, StringBuilder output) {
        try {
            for (String line = peer.nextOutput(); line != null; line = peer.nextOutput()) {
                output.append(line).append('\n');
                Matcher matcher = wanted.matcher(line);
                if (matcher.find()) {
                    return matcher;
                }
            }
            return null;
        } catch (AssertionError e) {
            throw new AssertionError("our program after printing:\n" + output + "soft0 counted " + peer.counters(), e);
        }
    }

    /** The rest of what our program prints over there. */
    private String output() {
        StringBuilder output = new StringBuilder();
        await(NEVER, output);
        return output.toString();
    }

    private String port() {
        return Integer.toString(port);
    }

    private String slot(boolean six) {
        return Integer.toString(rxe.gidIndex(six));
    }

    private List<String> onRxe(Game game, boolean six, String... more) {
        List<String> words = words(game, "-d", "rxe0", "-g", slot(six), "-p", port());
        words.addAll(List.of(more));
        return words;
    }

    private static List<String> words(Game game, String... more) {
        List<String> words = new ArrayList<>(Arrays.asList(game.options().split(" ")));
        words.addAll(List.of(more));
        return words;
    }

    private static void assertAgreed(String client, String server, long bytes) {
        Pattern result = Pattern.compile("(?m)^" + bytes + " bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec$");
        for (String end : List.of(client, server)) {
            Check.that(result.matcher(end).find() && !end.contains("invalid data"), "all of the game:\n" + end);
        }
        Check.equal("what the server knows of the client", addresses(client, "local"), addresses(server, "remote"));
        Check.equal("what the client knows of the server", addresses(server, "local"), addresses(client, "remote"));
        Check.that(!addresses(client, "local").isEmpty(), "addresses in:\n" + client);
    }

    private static List<String> addresses(String output, String whose) {
        String title = "  " + whose + " address:";
        return output.lines()
                .filter(line -> line.startsWith(title))
                // The datagram program has a colon where the others have a comma.
                .map(line -> line.substring(title.length()).strip().replace(": GID", ", GID"))
                .toList();
    }
}
