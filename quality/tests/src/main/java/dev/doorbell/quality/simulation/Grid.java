package dev.doorbell.quality.simulation;

import dev.doorbell.spec.Mtu;
import java.util.ArrayList;
import java.util.List;

/** All cells: each workload with each size around the ends of packets, each MTU, and faults of all kinds at each rate. */
public final class Grid {
    /** How many packets suffer each kind of fault. */
    public static final List<Double> RATES = List.of(0.0, 0.001, 0.01, 0.1);

    private static final int MIDDLE = 1 << 16;
    private static final int LARGE = 1 << 20;

    private Grid() {}

    /** The cells of a workload at a rate. */
    public static List<Scenario> cells(Workload workload, double rate) {
        List<Scenario> cells = new ArrayList<>();
        for (Mtu mtu : Mtu.values()) {
            for (int size : sizes(workload, mtu.bytes())) {
                cells.add(Scenario.cell(workload, size, mtu, rate));
            }
        }
        return cells;
    }

    private static List<Integer> sizes(Workload workload, int mtu) {
        return switch (workload) {
            case ATOMIC -> List.of(Long.BYTES);
            case UD_SEND -> List.of(0, 1, mtu - 1, mtu);
            case SEND, SEND_IMM, WRITE, WRITE_IMM, READ, SHARED_RECEIVE, MIXED, UC_SEND, UC_WRITE ->
                List.of(0, 1, mtu - 1, mtu, mtu + 1, MIDDLE, LARGE);
        };
    }
}
