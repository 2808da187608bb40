package dev.doorbell.quality.interop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The programs of rdmacm-utils on rxe0, with the kernel's connection manager, against ours: on rxe0 as well, or on the other
 * JVM's embedded device, whose connection manager is Doorbell's own.
 */
final class CmPrograms {
    private static final List<String> RXE = List.of("10.77.0.1", "fd77::1");
    private static final List<String> SOFT = List.of(SoftSetup.IPV4, SoftSetup.IPV6);
    private static final String GROUP = "239.1.2.";

    private final Rows rows;
    private final PeerProcess peer;
    private int port = 20_000;

    CmPrograms(Rows rows, PeerProcess peer) {
        this.rows = rows;
        this.peer = peer;
    }

    /**
     * One game: which program, and how it is called at both ends.
     *
     * @param server words for the server; {@code A} stands for its address, {@code P} for its port
     * @param client words for the client
     */
    record Game(CmProgram program, String server, String client) {
        static final List<Game> CONNECTED = List.of(
                new Game(CmProgram.RPING, "-s -a A -p P -V", "-c -a A -p P -C 10 -V"),
                new Game(CmProgram.RPING, "-s -a A -p P -S 65000 -V", "-c -a A -p P -C 3 -S 65000 -V"),
                new Game(CmProgram.ECHO, "-s A -p P", "-s A -p P"),
                new Game(CmProgram.UCMATOSE, "-b A -p P -c 100 -C 5", "-s A -p P -c 100 -C 5"));
        static final Game DATAGRAMS = new Game(CmProgram.UDADDY, "-b A -p P -C 5", "-s A -p P -C 5");

        String title(boolean six) {
            String words = client.replaceAll("-[sbap] [AP] ?", "").replaceAll("-[sc] (?=-)", "");
            return (six ? "IPv6 " : "IPv4 ") + (program.nameOf(false) + " " + words).strip();
        }
    }

    /** Both on rxe0: ours in a thread of this JVM. */
    void playOnRxe(Game game, boolean six) {
        String address = RXE.get(six ? 1 : 0);
        rows.row(game.title(six) + ", the C program is the server", () -> {
            port++;
            CmEnd server = theirServer(game, address);
            CmEnd client = CmEnd.ours(game.program(), ours(game, false, address, "rxe0"));
            client.await();
            server.await();
        });
        rows.row(game.title(six) + ", the C program is the client", () -> {
            port++;
            CmEnd server = CmEnd.ours(game.program(), ours(game, true, address, "rxe0"));
            server.awaitListening();
            CmEnd client = CmEnd.theirs(game.program(), false, words(game.client(), address));
            client.await();
            server.await();
        });
    }

    /** Ours on the embedded device, the C program on rxe0. */
    void playOnSoft(Game game, boolean six) {
        rows.row(game.title(six) + ", the C program is the server", () -> {
            port++;
            String address = RXE.get(six ? 1 : 0);
            CmEnd server = theirServer(game, address);
            peer.startCm(game.program(), ours(game, false, address, "soft0"));
            peer.restOfOutput();
            server.await();
        });
        rows.row(game.title(six) + ", the C program is the client", () -> {
            port++;
            String address = SOFT.get(six ? 1 : 0);
            peer.startCm(game.program(), ours(game, true, address, "soft0"));
            peer.awaitOutput("listening at");
            CmEnd client = CmEnd.theirs(game.program(), false, words(game.client(), address));
            client.await();
            peer.restOfOutput();
        });
    }

    /** Ours on both devices, over the wire. */
    void playOurs(Game game, boolean six) {
        rows.row(game.title(six) + ", the server is on rxe0", () -> {
            port++;
            String address = RXE.get(six ? 1 : 0);
            CmEnd server = CmEnd.ours(game.program(), ours(game, true, address, "rxe0"));
            server.awaitListening();
            peer.startCm(game.program(), ours(game, false, address, "soft0"));
            peer.restOfOutput();
            server.await();
        });
        rows.row(game.title(six) + ", the server is on soft0", () -> {
            port++;
            String address = SOFT.get(six ? 1 : 0);
            peer.startCm(game.program(), ours(game, true, address, "soft0"));
            peer.awaitOutput("listening at");
            CmEnd client = CmEnd.ours(game.program(), ours(game, false, address, "rxe0"));
            client.await();
            peer.restOfOutput();
        });
    }

    /** A multicast group of IPv4 with the C program on rxe0 and ours on the embedded device, and on rxe0. */
    void meet() {
        rows.row("mckey, the C program on rxe0 sends, soft0 receives", () -> {
            String group = GROUP + ++port % 250;
            peer.startCm(CmProgram.MCKEY, member(group, SoftSetup.IPV4, "--ib-dev", "soft0", "--timeout", "100"));
            peer.awaitOutput("joined");
            CmEnd.theirs(CmProgram.MCKEY, false, member(group, RXE.getFirst(), "-s"))
                    .await();
            peer.restOfOutput();
        });
        rows.row("mckey, soft0 sends, the C program on rxe0 receives", () -> {
            String group = GROUP + ++port % 250;
            CmEnd receiver = CmEnd.theirs(CmProgram.MCKEY, true, member(group, RXE.getFirst()));
            receiver.awaitMember(group);
            peer.startCm(CmProgram.MCKEY, member(group, SoftSetup.IPV4, "-s", "--ib-dev", "soft0", "--timeout", "100"));
            peer.restOfOutput();
            receiver.await();
        });
        rows.row("mckey, soft0 sends, ours on rxe0 receives", () -> {
            String group = GROUP + ++port % 250;
            CmEnd receiver =
                    CmEnd.ours(CmProgram.MCKEY, member(group, RXE.getFirst(), "--ib-dev", "rxe0", "--timeout", "100"));
            receiver.awaitListening();
            peer.startCm(CmProgram.MCKEY, member(group, SoftSetup.IPV4, "-s", "--ib-dev", "soft0", "--timeout", "100"));
            peer.restOfOutput();
            receiver.await();
        });
    }

    private static List<String> member(String group, String own, String... more) {
        List<String> words = new ArrayList<>(List.of("-m", group, "-b", own, "-C", "5"));
        words.addAll(List.of(more));
        return words;
    }

    private CmEnd theirServer(Game game, String address) throws IOException {
        return CmEnd.theirs(game.program(), true, words(game.server(), address)).awaitListening(port);
    }

    private List<String> ours(Game game, boolean server, String address, String device) {
        if (game.program() == CmProgram.ECHO) {
            return List.of(server ? "server" : "client", address, Integer.toString(port), device);
        }
        List<String> words = words(server ? game.server() : game.client(), address);
        // Ours takes what a client wants; the option is the client's.
        int size = server ? words.indexOf("-S") : -1;
        if (size >= 0) {
            words.subList(size, size + 2).clear();
        }
        words.addAll(List.of("--ib-dev", device, "--timeout", "100"));
        return words;
    }

    private List<String> words(String text, String address) {
        List<String> words = new ArrayList<>(Arrays.asList(text.split(" ")));
        words.replaceAll(word -> switch (word) {
            case "A" -> address;
            case "P" -> Integer.toString(port);
            default -> word;
        });
        return words;
    }
}
