package dev.doorbell.conformance.bench;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.Fabric;
import dev.doorbell.conformance.FabricKind;
import dev.doorbell.conformance.LinkFaults;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.testkit.Draw;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a case works with: two sides with their devices, ready-made pairs, checks, and numbers to draw. Everything that was
 * taken from it is closed when the case is over.
 *
 * <pre>
 *   bench.a() ── Side ── context, domain, completionQueue(n), register(bytes)
 *   bench.b() ── Side        |
 *   bench.pair(RC).build() ──┴── Pair ── a: End ── queuePair, sends, receives, region
 *                                  └──── b: End
 * </pre>
 *
 * <p>Thread rules: the case's thread; checks and patience also from threads that the case starts.
 */
public final class Bench implements AutoCloseable {
    private final Fabric fabric;
    private final Fabric.Session session;
    private final Check check;
    private final Draw draw;
    private final long endNs;
    private final Arena arena = Arena.ofShared();
    private final Side a;
    private final Side b;

    /**
     * @param seed of what the case draws
     * @param endNs when waits give up, by {@link System#nanoTime()}
     */
    public Bench(Fabric fabric, Fabric.Session session, long seed, long endNs) {
        this.fabric = fabric;
        this.session = session;
        this.check = new Check(fabric.kind());
        this.draw = new Draw(seed);
        this.endNs = endNs;
        this.a = new Side("A", session.a(), arena);
        this.b = new Side("B", session.b(), arena);
    }

    /** The side that most cases act on. */
    public Side a() {
        return a;
    }

    /** The other side: a context of its own, on the same device or on another. */
    public Side b() {
        return b;
    }

    /** Whether both sides are on one device. */
    public boolean isOneDevice() {
        return a.device().equals(b.device());
    }

    /** Who is behind the devices. */
    public FabricKind kind() {
        return fabric.kind();
    }

    /** Whether the fabric has this, for a part of a case that can do without. */
    public boolean has(Capability capability) {
        return !fabric.lacks().containsKey(capability);
    }

    /** Runs what opens something by kernel and not by device, such as an event channel, with that of both devices. */
    public <T> T onTheirKernel(Supplier<T> program) {
        return session.onItsKernel(program);
    }

    /** What can go wrong between the sides; for cases that need {@link Capability#FAULTS}. */
    public LinkFaults faults() {
        return session.faults();
    }

    /** Breaks the device of side B; for cases that need {@link Capability#DEVICE_FAILURE}. */
    public void failB() {
        session.failB();
    }

    /** Says expectations. */
    public Check check() {
        return check;
    }

    /** Draws numbers and bytes. */
    public Draw draw() {
        return draw;
    }

    /** Two connected queue pairs of this type, one on each side, to be described further. */
    public Pair.Builder pair(QueuePairType type) {
        return new Pair.Builder(this, type);
    }

    /** Two connected queue pairs for reliable connections, as {@link Pair.Builder} describes them. */
    public Pair pair() {
        return pair(QueuePairType.RC).build();
    }

    /** How long something may still take. Waits use half of what is left, so that a case can say what did not come. */
    public Duration patience() {
        return Duration.ofNanos(Math.max(0, endNs - System.nanoTime()) / 2);
    }

    /** Polls until something holds; false if it does not in time. */
    public boolean eventually(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + patience().toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() >= giveUp) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Zeroed native memory that nobody registered; it lives as long as the bench. */
    public MemorySegment memory(long bytes) {
        return arena.allocate(bytes, 4096);
    }

    /** Native memory with drawn bytes. */
    public MemorySegment drawnBytes(int bytes) {
        MemorySegment memory = arena.allocate(Math.max(bytes, 1), 64).asSlice(0, bytes);
        memory.copyFrom(MemorySegment.ofArray(draw.bytes(bytes)));
        return memory;
    }

    /** Closes the contexts of both sides, and then the memory. */
    @Override
    public void close() {
        try (arena) {
            try {
                a.close();
            } finally {
                b.close();
            }
        }
    }
}
