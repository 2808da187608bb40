package dev.doorbell.soft.fault;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.PacketView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with the packets of one device, in both directions: by chance, the same in every run with the same seed, and by
 * script: the n-th packet that a predicate takes. Scripted faults come first; a packet that one of them takes is not exposed to
 * chance.
 *
 * <pre>{@code
 * FaultInjector faults = FaultInjector.seeded(42)
 *         .loss(0.01)
 *         .delay(Duration.ofMillis(2))
 *         .drop(3, PassingPacket.withOpcode(Opcode.RC_READ_RESPONSE_MIDDLE));
 * SoftNetwork.builder().devices(2).faults("soft1", faults)   // or Fabric.builder() of the testkit
 * }</pre>
 *
 * <p>Probabilities are from 0 to 1, and add up to 1 at most: a packet suffers one fault. The same as text, for the
 * environment and command lines: {@link #parse}.
 *
 * <p>Thread rules: set up in one thread, before the device is used; counters from any thread. One injector serves one
 * device.
 */
public final class FaultInjector {
    private static final Duration DEFAULT_HOLD = Duration.ofNanos(20_000);

    private final long seed;
    private final SplittableRandom random;
    private final List<Script> scripts = new ArrayList<>();
    private final AtomicLongArray counts = new AtomicLongArray(Fate.values().length);
    private final SpinLock deciding = new SpinLock();
    private @Nullable Direction only;
    private double loss;
    private double duplication;
    private double reordering;
    private double corruption;
    private double falsification;
    private long delayNs;
    private long holdNs = DEFAULT_HOLD.toNanos();

    private FaultInjector(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** No faults so far; chance comes from this seed. */
    public static FaultInjector seeded(long seed) {
        return new FaultInjector(seed);
    }

    /** No faults so far; chance comes from a seed that is different each time, and that {@link #toString} tells. */
    public static FaultInjector unpredictable() {
        return new FaultInjector(System.nanoTime() & Integer.MAX_VALUE);
    }

    /**
     * Reads a line such as {@code loss=1%,duplicate=0.5%,reorder=1%,delay=2ms,corrupt=0.1%,seed=42}, or with scripts
     * {@code drop=3@READ_RESPONSE,duplicate=1-2@sent/ACKNOWLEDGE}. What there is:
     *
     * <pre>
     *   loss=P duplicate=P reorder=P corrupt=P  how many packets: a percentage with %, or a number from 0 to 1
     *   delay=T                                 every packet takes so much longer: 500us, 2ms, 1s
     *   hold=T                                  how long reordered packets and second copies are held back at most; 20us
     *   seed=N                                  where chance begins; otherwise a different one each time, which is shown
     *   only=sent|received                      faults in one direction
     *   drop=N&#64;M duplicate=N&#64;M               the N-th packet that M describes; A-B takes the A-th to the B-th
     *   reorder=N&#64;M corrupt=N&#64;M
     * </pre>
     *
     * M joins by {@code /} what a packet must be: {@code any}; {@code sent} or {@code received}; an operation, the
     * words of its name from the left, such as SEND, READ_REQUEST, READ_RESPONSE_LAST, UC_WRITE or a number as 0x11;
     * {@code psn=N}; {@code qp=N}, the destination's number; {@code peer=ADDRESS}.
     *
     * @throws IllegalArgumentException with what is wrong and what could stand there
     */
    public static FaultInjector parse(String text) {
        return FaultText.parse(text);
    }

    /** Packets that vanish. */
    public FaultInjector loss(double probability) {
        loss = checked(probability);
        return this;
    }

    /** Packets that arrive twice, the second time at once or late. */
    public FaultInjector duplication(double probability) {
        duplication = checked(probability);
        return this;
    }

    /** Packets that are held back while later ones pass. */
    public FaultInjector reordering(double probability) {
        reordering = checked(probability);
        return this;
    }

    /**
     * Packets of which a few bits change on the wire. The receiver's ICRC is computed as on a real link: where it
     * catches the change, as it nearly always does, the packet is lost.
     */
    public FaultInjector corruption(double probability) {
        corruption = checked(probability);
        return this;
    }

    /** Packets of which one bit changes without anybody noticing: what no real link does. For hostile-input tests. */
    public FaultInjector falsification(double probability) {
        falsification = checked(probability);
        return this;
    }

    /** How much longer every packet takes. */
    public FaultInjector delay(Duration time) {
        delayNs = notNegative(time);
        return this;
    }

    /** How long reordered packets are held back, and second copies at most. 20 µs unless set. */
    public FaultInjector hold(Duration longest) {
        holdNs = notNegative(longest);
        return this;
    }

    /** Leaves packets in the other direction alone. */
    public FaultInjector only(Direction direction) {
        only = direction;
        return this;
    }

    /** Drops the {@code nth} packet, from 1, that the predicate takes. */
    public FaultInjector drop(int nth, Predicate<PassingPacket> which) {
        return script(Fate.DROP, nth, nth, which);
    }

    /** Delivers the {@code nth} packet, from 1, that the predicate takes, twice. */
    public FaultInjector duplicate(int nth, Predicate<PassingPacket> which) {
        return script(Fate.DUPLICATE, nth, nth, which);
    }

    /** Holds the {@code nth} packet, from 1, that the predicate takes, back. */
    public FaultInjector reorder(int nth, Predicate<PassingPacket> which) {
        return script(Fate.HOLD_BACK, nth, nth, which);
    }

    /** Damages the {@code nth} packet, from 1, that the predicate takes. */
    public FaultInjector corrupt(int nth, Predicate<PassingPacket> which) {
        return script(Fate.DAMAGE, nth, nth, which);
    }

    FaultInjector script(Fate fate, int first, int last, Predicate<PassingPacket> which) {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("packets are counted from 1, not " + first + " to " + last);
        }
        scripts.add(new Script(which, fate, first, last));
        return this;
    }

    /** Where chance began: the same seed over the same packets does the same. */
    public long seed() {
        return seed;
    }

    /**
     * Puts the faults upon a device's link.
     *
     * @param clockNs the device's time
     */
    public PacketLink on(PacketLink link, LongSupplier clockNs) {
        return new FaultyLink(link, this, clockNs);
    }

    /** What was done so far: faults_passed, faults_lost, faults_duplicated and so on, in packets. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (Fate fate : Fate.values()) {
            long count = counts.get(fate.ordinal());
            if (count != 0 || fate == Fate.PASS || fate == Fate.DROP) {
                counters.put(fate.counter(), count);
            }
        }
        return counters;
    }

    /** Decides over a packet. {@code packet} is null if it is none. */
    Fate decide(Direction direction, @Nullable PacketView packet, Gid peer) {
        if (only != null && only != direction) {
            return Fate.PASS;
        }
        deciding.lock();
        try {
            Fate fate =
                    scripts.isEmpty() || packet == null ? null : scripted(new PassingPacket(direction, packet, peer));
            if (fate == null) {
                fate = byChance();
            }
            counts.getAndIncrement(fate.ordinal());
            return fate;
        } finally {
            deciding.unlock();
        }
    }

    private @Nullable Fate scripted(PassingPacket passing) {
        for (Script script : scripts) {
            if (script.takes(passing)) {
                return script.fate;
            }
        }
        return null;
    }

    private Fate byChance() {
        double chance = random.nextDouble();
        if ((chance -= loss) < 0) {
            return Fate.DROP;
        } else if ((chance -= duplication) < 0) {
            return Fate.DUPLICATE;
        } else if ((chance -= reordering) < 0) {
            return Fate.HOLD_BACK;
        } else if ((chance -= corruption) < 0) {
            return Fate.DAMAGE;
        }
        return chance < falsification ? Fate.FALSIFY : Fate.PASS;
    }

    /** How much longer a packet with this fate takes. */
    long delayNs(Fate fate) {
        return fate == Fate.HOLD_BACK ? delayNs + holdNs : delayNs;
    }

    /** How much longer a second copy takes. */
    long copyDelayNs() {
        return delayNs + someNumber(holdNs + 1);
    }

    /** Whether a packet is on its way for longer even if nothing goes wrong with it. */
    boolean delays(Direction direction) {
        return delayNs > 0 && (only == null || only == direction);
    }

    /** A random number below the bound. */
    long someNumber(long bound) {
        deciding.lock();
        try {
            return random.nextLong(bound);
        } finally {
            deciding.unlock();
        }
    }

    private double checked(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("a probability is from 0 to 1, not " + probability);
        }
        return probability;
    }

    private static long notNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a packet cannot arrive before it was sent: " + time);
        }
        return time.toNanos();
    }

    /** Everything that it does, as {@link #parse} takes it; scripts of the API show as their number. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        rate(parts, "loss", loss);
        rate(parts, "duplicate", duplication);
        rate(parts, "reorder", reordering);
        rate(parts, "corrupt", corruption);
        rate(parts, "falsify", falsification);
        if (delayNs > 0) {
            parts.add("delay=" + FaultText.time(delayNs));
        }
        if (holdNs != DEFAULT_HOLD.toNanos()) {
            parts.add("hold=" + FaultText.time(holdNs));
        }
        if (only != null) {
            parts.add("only=" + only.label());
        }
        scripts.forEach(script -> parts.add(script.toString()));
        parts.add("seed=" + seed);
        return String.join(",", parts);
    }

    private static void rate(List<String> parts, String name, double probability) {
        if (probability > 0) {
            parts.add(name + "=" + FaultText.percent(probability));
        }
    }

    /** Fault number so many of what a predicate takes. */
    private static final class Script {
        private final Predicate<PassingPacket> which;
        private final Fate fate;
        private final int first;
        private final int last;
        private int seen;

        Script(Predicate<PassingPacket> which, Fate fate, int first, int last) {
            this.which = which;
            this.fate = fate;
            this.first = first;
            this.last = last;
        }

        boolean takes(PassingPacket passing) {
            if (seen >= last || !which.test(passing)) {
                return false;
            }
            seen++;
            return seen >= first;
        }

        @Override
        public String toString() {
            String range = first == last ? "" + first : first + "-" + last;
            return FaultText.word(fate) + "=" + range + "@" + (which instanceof FaultMatch ? which : "(program)");
        }
    }
}
