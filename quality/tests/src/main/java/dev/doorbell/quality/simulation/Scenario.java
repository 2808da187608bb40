package dev.doorbell.quality.simulation;

import dev.doorbell.spec.Mtu;
import dev.doorbell.testkit.LinkModel;
import java.math.BigDecimal;

/**
 * One simulation: what is done, over what.
 *
 * @param workload the operations
 * @param size bytes of a message
 * @param mtu path MTU
 * @param loss how many of the packets are lost in either direction
 * @param others how many are doubled, how many held back and how many damaged, each
 * @param messages how many messages
 * @param depth how many of them are posted at a time
 * @param links how fast the link is in either direction
 * @param seed where chance begins
 */
public record Scenario(
        Workload workload,
        int size,
        Mtu mtu,
        double loss,
        double others,
        long messages,
        int depth,
        LinkModel links,
        long seed) {
    private static final int ROOM = 4 << 20;
    private static final int MOST_DEPTH = 32;
    private static final long SEED = 20_261_130;

    /** A cell of the grid: lost, doubled, held back and damaged at the same rate. */
    public static Scenario cell(Workload workload, int size, Mtu mtu, double faults) {
        long messages = size <= 2 * mtu.bytes() ? 48 : size <= 1 << 16 ? 8 : 2;
        return new Scenario(workload, size, mtu, faults, faults, messages, depth(size), LinkModel.standard(), SEED);
    }

    /** Messages in a row, of which only the link loses some. */
    public static Scenario stream(Workload workload, int size, Mtu mtu, double loss, long messages, LinkModel links) {
        return new Scenario(workload, size, mtu, loss, 0, messages, depth(size), links, SEED);
    }

    private static int depth(int size) {
        return Math.clamp(ROOM / Math.max(size, 1), 2, MOST_DEPTH);
    }

    /** With another seed. */
    public Scenario seed(long value) {
        return new Scenario(workload, size, mtu, loss, others, messages, depth, links, value);
    }

    /** The scenario in a few words, without the seed. */
    public String label() {
        String faults = percent(loss);
        return "%s %d B mtu %d faults %s".formatted(workload, size, mtu.bytes(), faults);
    }

    @Override
    public String toString() {
        return label() + " others " + percent(others) + " messages " + messages + " seed " + seed;
    }

    private static String percent(double rate) {
        return BigDecimal.valueOf(rate).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
