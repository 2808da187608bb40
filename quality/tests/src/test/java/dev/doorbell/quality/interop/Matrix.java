package dev.doorbell.quality.interop;

import dev.doorbell.spec.Mtu;
import dev.doorbell.verbs.Device;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Plays the matrix in a guest of the kernel lab: a line a row, then {@code N passed, N failed, N skipped}. Argument: a regular
 * expression for the rows to play, part and title, if not all are.
 */
final class Matrix {
    private static final List<Mtu> MTUS = List.of(Mtu.values());
    private static final List<Mtu> SOME_MTUS = List.of(Mtu.MTU_256, Mtu.MTU_4096);
    private static final List<Integer> MIDDLING =
            Bout.SIZES.stream().filter(size -> size <= 1 << 16).toList();
    private static final List<Integer> DATAGRAMS =
            Bout.SIZES.stream().filter(size -> size <= 4096).toList();
    private static final List<Traffic> RELIABLE = List.of(Traffic.SEND, Traffic.WRITE, Traffic.WRITE_IMM, Traffic.READ);
    private static final boolean[] BOTH = {false, true};
    private static final String LOSS = "loss 1% duplicate 1%";
    private static final String REORDERING = "delay 500us reorder 2% duplicate 1%";

    private final Rows rows;
    private final Desk rxe;
    private final PeerProcess peer;
    private final Programs programs;
    private final dev.doorbell.quality.interop.KnownBytes known = new KnownBytes(Desk.BYTES);
    private int seed;

    private Matrix(Rows rows, Desk rxe, PeerProcess peer) {
        this.rows = rows;
        this.rxe = rxe;
        this.peer = peer;
        this.programs = new Programs(rows, rxe, peer);
    }

    public static void main(String[] arguments) throws Exception {
        Rows rows = new Rows(System.out, Pattern.compile(arguments.length > 0 ? arguments[0] : ""));
        boolean well;
        try (PeerProcess peer = PeerProcess.start();
                Desk rxe = Desk.at(Device.named("rxe0"))) {
            new Matrix(rows, rxe, peer).play();
        } finally {
            well = rows.end();
        }
        System.exit(well ? 0 : 1);
    }

    private void play() {
        rows.part("C programs against Doorbell, both on rxe0");
        for (boolean six : BOTH) {
            Programs.Game.ALL.forEach(game -> programs.playOnRxe(game, six));
        }
        for (boolean six : BOTH) {
            for (boolean offload : new boolean[] {true, false}) {
                wire(new SoftSetup(six, offload, false));
            }
            // By now both JVMs have compiled what they run: an embedded device that takes each packet for a new thing
            // is too
            // slow for a peer that sends again after 67 ms.
            rows.part("C programs on rxe0 against Doorbell on soft0");
            peer.next(new SoftSetup(six, true, false));
            Programs.Game.ALL.forEach(game -> programs.playOnSoft(game, six));
            programs.playOnSoft(Programs.Game.BUSY, six);
        }
        if ("yes".equals(System.getenv("LAB_TROUBLE"))) {
            trouble();
        }
    }

    private void trouble() {
        for (boolean six : BOTH) {
            netem(new SoftSetup(six, true, false), LOSS);
            troubled("fault injector upon soft0", new SoftSetup(six, true, true));
        }
        netem(new SoftSetup(false, false, false), LOSS);
        netem(new SoftSetup(false, true, false), REORDERING);
    }

    /** All sizes and MTUs, both ways, on a sound wire. */
    private void wire(SoftSetup setup) {
        rows.part("rxe0 and soft0, " + offload(setup));
        peer.next(setup);
        for (boolean fromRxe : BOTH) {
            for (Mtu mtu : MTUS) {
                RELIABLE.forEach(traffic -> bout(traffic, mtu, setup.six(), fromRxe, Bout.SIZES));
            }
            bout(Traffic.ATOMIC, Mtu.MTU_1024, setup.six(), fromRxe, List.of());
            bout(Traffic.ATOMIC_WRITE, Mtu.MTU_1024, setup.six(), fromRxe, List.of());
            for (Mtu mtu : SOME_MTUS) {
                bout(Traffic.UC_SEND, mtu, setup.six(), fromRxe, MIDDLING);
                bout(Traffic.UC_WRITE_IMM, mtu, setup.six(), fromRxe, MIDDLING);
            }
            bout(Traffic.UD_SEND, Mtu.MTU_4096, setup.six(), fromRxe, DATAGRAMS);
        }
    }

    private static String offload(SoftSetup setup) {
        return (setup.offload() ? "with" : "without") + " segmentation offload";
    }

    private void netem(SoftSetup setup, String trouble) {
        try (Netem _ = Netem.with(trouble)) {
            troubled("netem " + trouble + ", " + offload(setup), setup);
        }
    }

    /** What has to get through whatever the wire does. */
    private void troubled(String part, SoftSetup setup) {
        rows.part(part);
        peer.next(setup);
        for (boolean fromRxe : BOTH) {
            for (Mtu mtu : SOME_MTUS) {
                RELIABLE.forEach(traffic -> bout(traffic, mtu, setup.six(), fromRxe, MIDDLING));
            }
            bout(Traffic.ATOMIC, Mtu.MTU_1024, setup.six(), fromRxe, List.of());
        }
        Programs.Game.RELIABLE.forEach(game -> programs.playOnSoft(game, setup.six()));
        System.out.println("  soft0 counted " + peer.counters());
    }

    private void bout(Traffic traffic, Mtu mtu, boolean six, boolean fromRxe, List<Integer> sizes) {
        Bout bout = new Bout(traffic, mtu, six, fromRxe, seed++, sizes);
        rows.row(bout.title(), () -> peer.play(bout, rxe, known));
    }
}
