package dev.doorbell.quality.interop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Bytes that both JVMs know: drawn once, as an emulated JVM draws slowly, and looked at from another place by each seed. */
final class KnownBytes {
    private static final int SHIFTS = 256;
    private static final int STEP = 72;

    private final MemorySegment bytes;
    private final MemorySegment scratch;
    private final long size;

    KnownBytes(long size) {
        byte[] drawn = new byte[(int) size + SHIFTS * STEP];
        new SplittableRandom(20_261_130).nextBytes(drawn);
        this.size = size;
        this.bytes = Arena.ofAuto().allocate(drawn.length, 64).copyFrom(MemorySegment.ofArray(drawn));
        this.scratch = Arena.ofAuto().allocate(size, 64);
    }

    /** The bytes of a whole region. */
    MemorySegment of(int seed) {
        return bytes.asSlice((long) (seed % SHIFTS) * STEP, size);
    }

    /** Room for a region's expected contents; for one bout at a time. */
    MemorySegment scratch() {
        return scratch;
    }
}
