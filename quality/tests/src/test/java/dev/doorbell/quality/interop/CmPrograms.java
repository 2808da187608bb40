package dev.doorbell.quality.interop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The programs of rdmacm-utils on rxe0, with the kernel's connection manager, against ours: on rxe0 as well, or on the other
 * JVM's embedded device, whose connection manager is Doorbell's own.
 */
final class CmPrograms {
    private static final List<String> RXE = List.of("10.77.0.1", "fd77::1");
    private static final List<String> SOFT = List.of(SoftSetup.IPV4, SoftSetup.IPV6);
    private static final String GROUP = "239.1.2.";

    /** The C program udaddy listens there and nowhere else; its -p is the port space. */
    private static final int UDADDY_PORT = 7174;

    private final CmRows rows;
    private final PeerProcess peer;
    private int port = 20_000;

    CmPrograms(Rows rows, PeerProcess peer) {
        this.rows = new CmRows(rows, peer);
        this.peer = peer;
    }

    /**
     * One game: which program, and how it is called at both ends. An ACK timeout of 9 s: what half a second's makes of 100
     * connections between programs that a busy host lets stand still for seconds is a measure of the host.
     *
     * @param server words for the server; {@code A} stands for its address, {@code P} for its port
     * @param client words for the client
     */
    record Game(CmProgram program, String server, String client) {
        private static final Game DATAGRAMS = new Game(CmProgram.UDADDY, "-b A -C 5", "-s A -C 5");
        private static final Game HUNDRED =
                new Game(CmProgram.UCMATOSE, "-b A -p P -c 100 -C 5 -a 21", "-s A -p P -c 100 -C 5 -a 21");
        static final List<Game> PATIENT = List.of(HUNDRED, DATAGRAMS);
        static final List<Game> ALL = List.of(
                new Game(CmProgram.RPING, "-s -a A -p P -V", "-c -a A -p P -C 10 -V"),
                new Game(CmProgram.RPING, "-s -a A -p P -S 65000 -V", "-c -a A -p P -C 3 -S 65000 -V"),
                new Game(CmProgram.ECHO, "-s A -p P", "-s A -p P"),
                DATAGRAMS,
                HUNDRED);

        String title(boolean six) {
            String words = client.replaceAll("-[sbap] [AP] ?", "").replaceAll("-[sc] (?=-)", "");
            return (six ? "IPv6 " : "IPv4 ") + (program.nameOf(false) + " " + words).strip();
        }
    }

    /** Both on rxe0: ours in a thread of this JVM. */
    void playOnRxe(Game game, boolean six) {
        String address = RXE.get(six ? 1 : 0);
        row(
                game.title(six) + ", the C program is the server",
                () -> theirs(game, true, address),
                () -> here(game, false, address));
        row(
                game.title(six) + ", the C program is the client",
                () -> here(game, true, address),
                () -> theirs(game, false, address));
    }

    /** Ours on the embedded device, the C program on rxe0. */
    void playOnSoft(Game game, boolean six) {
        String rxe = RXE.get(six ? 1 : 0);
        String soft = SOFT.get(six ? 1 : 0);
        row(
                game.title(six) + ", the C program is the server",
                () -> theirs(game, true, rxe),
                () -> there(game, false, rxe));
        row(
                game.title(six) + ", the C program is the client",
                () -> there(game, true, soft),
                () -> theirs(game, false, soft));
    }

    /** Ours on both devices, over the wire. */
    void playOurs(Game game, boolean six) {
        String rxe = RXE.get(six ? 1 : 0);
        String soft = SOFT.get(six ? 1 : 0);
        row(game.title(six) + ", the server is on rxe0", () -> here(game, true, rxe), () -> there(game, false, rxe));
        row(game.title(six) + ", the server is on soft0", () -> there(game, true, soft), () -> here(game, false, soft));
    }

    /** A multicast group of IPv4 with the C program on rxe0 and ours on the embedded device, and on rxe0. */
    void meet() {
        // The C program does not wait for its sends: it destroys its queue pair, and with it what the kernel has not
        // sent
        // yet, which on a busy guest may be all of it.
        port++;
        rows.untilReceived(
                "mckey, the C program on rxe0 sends, soft0 receives",
                this::memberThere,
                () -> LocalEnd.theirsAgain(CmProgram.MCKEY, member(RXE.getFirst(), "-s", "-c", "10")));
        row(
                "mckey, soft0 sends, the C program on rxe0 receives",
                () -> {
                    String group = group();
                    return LocalEnd.theirs(
                            CmProgram.MCKEY, true, member(RXE.getFirst()), said -> LabState.isMember(group));
                },
                () -> memberThere("-s"));
        row(
                "mckey, soft0 sends, ours on rxe0 receives",
                () -> LocalEnd.ours(CmProgram.MCKEY, withDevice(member(RXE.getFirst()), "rxe0")),
                () -> memberThere("-s"));
    }

    private void row(String title, CmRows.Start server, CmRows.Start client) {
        port++;
        rows.row(title, server, client);
    }

    private CmEnd memberThere(String... more) {
        return new PeerEnd(peer, CmProgram.MCKEY, withDevice(member(SoftSetup.IPV4, more), "soft0"));
    }

    private String group() {
        return GROUP + port % 250;
    }

    private List<String> member(String own, String... more) {
        List<String> words = new ArrayList<>(List.of("-m", group(), "-b", own, "-C", "5"));
        words.addAll(List.of(more));
        return words;
    }

    private CmEnd theirs(Game game, boolean server, String address) throws IOException {
        int listening = game.program() == CmProgram.UDADDY ? UDADDY_PORT : port;
        Predicate<String> ready = said -> LabState.listensAt(listening);
        return LocalEnd.theirs(game.program(), server, words(server ? game.server() : game.client(), address), ready);
    }

    private CmEnd here(Game game, boolean server, String address) {
        return LocalEnd.ours(game.program(), ours(game, server, address, "rxe0"));
    }

    private CmEnd there(Game game, boolean server, String address) {
        return new PeerEnd(peer, game.program(), ours(game, server, address, "soft0"));
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
        return withDevice(words, device);
    }

    private static List<String> withDevice(List<String> words, String device) {
        words.addAll(List.of("--ib-dev", device, "--timeout", "240"));
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
