package dev.doorbell.quality.interop;

import java.util.regex.Pattern;

/**
 * Plays the programs of rdmacm-utils against ours in a guest of the kernel lab: a line a row, then
 * {@code N passed, N failed, N skipped}. Argument: a regular expression for the rows to play, part and title, if not all are.
 */
final class Connections {
    private static final boolean[] BOTH = {false, true};

    private final Rows rows;
    private final PeerProcess peer;
    private final CmPrograms programs;

    private Connections(Rows rows, PeerProcess peer) {
        this.rows = rows;
        this.peer = peer;
        this.programs = new CmPrograms(rows, peer);
    }

    public static void main(String[] arguments) throws Exception {
        Rows rows = new Rows(System.out, Pattern.compile(arguments.length > 0 ? arguments[0] : ""));
        boolean well;
        try (PeerProcess peer = PeerProcess.start()) {
            new Connections(rows, peer).play();
        } finally {
            well = rows.end();
        }
        System.exit(well ? 0 : 1);
    }

    private void play() {
        for (boolean six : BOTH) {
            rows.part("rdmacm programs against Doorbell, both on rxe0");
            CmPrograms.Game.ALL.forEach(game -> programs.playOnRxe(game, six));
        }
        for (boolean six : BOTH) {
            peer.next(new SoftSetup(six, true, false));
            // First those whose connections have patience with a JVM that has just begun.
            rows.part("Doorbell on rxe0 against Doorbell on soft0");
            CmPrograms.Game.PATIENT.forEach(game -> programs.playOurs(game, six));
            rows.part("rdmacm programs on rxe0 against Doorbell on soft0");
            CmPrograms.Game.ALL.forEach(game -> programs.playOnSoft(game, six));
            if (!six) {
                rows.part("a multicast group of rxe0 and soft0");
                programs.meet();
            }
            System.out.println("  soft0 counted " + peer.counters());
        }
    }
}
