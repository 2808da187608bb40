package dev.doorbell.soft.link;

import dev.doorbell.wire.PacketView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * What goes wrong on a {@link FaultyLink}: by chance, the same in every run with the same seed, and by script. Scripted
 * faults come first; a packet that one of them takes is not exposed to chance. Probabilities are from 0 to 1.
 *
 * <p>Thread rules: set up before the link is used.
 */
public final class Faults {
    private final SplittableRandom random;
    private final List<Script> scripts = new ArrayList<>();
    private double loss;
    private double duplication;
    private double reordering;
    private double corruption;
    private long delayNs = 5_000;

    private Faults(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** No faults so far; chance comes from this seed. */
    public static Faults seeded(long seed) {
        return new Faults(seed);
    }

    /** Packets that vanish. */
    public Faults loss(double probability) {
        loss = probability;
        return this;
    }

    /** Packets that arrive twice, the second time at once or late. */
    public Faults duplication(double probability) {
        duplication = probability;
        return this;
    }

    /** Packets that are held back while later ones pass. */
    public Faults reordering(double probability) {
        reordering = probability;
        return this;
    }

    /** How long packets are held back at most, in nanoseconds. */
    public Faults delayNs(long longest) {
        delayNs = longest;
        return this;
    }

    /** Packets of which one bit changes: what a real link's checksum would catch. For hostile-input tests. */
    public Faults corruption(double probability) {
        corruption = probability;
        return this;
    }

    /** Drops the {@code nth} packet, from 1, that the predicate takes. */
    public Faults drop(int nth, Predicate<PacketView> which) {
        scripts.add(new Script(which, nth, Fate.DROP));
        return this;
    }

    /** Delivers the {@code nth} packet, from 1, that the predicate takes, twice. */
    public Faults duplicate(int nth, Predicate<PacketView> which) {
        scripts.add(new Script(which, nth, Fate.DUPLICATE));
        return this;
    }

    /** Holds the {@code nth} packet, from 1, that the predicate takes, back for the longest delay. */
    public Faults delay(int nth, Predicate<PacketView> which) {
        scripts.add(new Script(which, nth, Fate.DELAY));
        return this;
    }

    /** What becomes of a packet. */
    enum Fate {
        PASS,
        DROP,
        DUPLICATE,
        DELAY,
        CORRUPT
    }

    Fate decide(PacketView packet) {
        for (Script script : scripts) {
            if (script.which.test(packet) && --script.left == 0) {
                return script.fate;
            }
        }
        double chance = random.nextDouble();
        if ((chance -= loss) < 0) {
            return Fate.DROP;
        } else if ((chance -= duplication) < 0) {
            return Fate.DUPLICATE;
        } else if ((chance -= reordering) < 0) {
            return Fate.DELAY;
        }
        return chance < corruption ? Fate.CORRUPT : Fate.PASS;
    }

    long someDelayNs() {
        return random.nextLong(delayNs + 1);
    }

    long longestDelayNs() {
        return delayNs;
    }

    int someBit(int bits) {
        return random.nextInt(bits);
    }

    private static final class Script {
        private final Predicate<PacketView> which;
        private final Fate fate;
        private int left;

        Script(Predicate<PacketView> which, int nth, Fate fate) {
            this.which = which;
            this.left = nth;
            this.fate = fate;
        }
    }
}
