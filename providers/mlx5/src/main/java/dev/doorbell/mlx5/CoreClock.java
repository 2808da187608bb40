package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.mlx5.MappingOffset;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The device's clock, which stamps completions: a big-endian counter of 64 bits in a register page that is mapped for reading. The device
 * is read a word at a time, so the upper one is read twice.
 *
 * <p>Thread rules: any thread.
 */
final class CoreClock {
    private static final long PAGE = 4096;
    private static final int TRIES = 2;

    private final MemorySegment page;
    private final long at;

    private CoreClock(MemorySegment page, long at) {
        this.page = page;
        this.at = at;
    }

    /** The clock of a device; null if there is none to be read, which is no reason not to open it. */
    static @Nullable CoreClock open(CommandChannel channel, DeviceLimits limits) {
        long at = limits.clockOffset();
        if (at < 0 || at % Integer.BYTES != 0 || at > PAGE - Long.BYTES) {
            return null;
        }
        try {
            return new CoreClock(channel.mapReadOnly(MappingOffset.of(MappingOffset.CLOCK, 0, PAGE), PAGE), at);
        } catch (KernelException e) {
            return null;
        }
    }

    /** Ticks. */
    long read() {
        long high = word(at);
        for (int i = 0; i < TRIES; i++) {
            long low = word(at + Integer.BYTES);
            long again = word(at);
            if (again == high) {
                return high << Integer.SIZE | low;
            }
            high = again;
        }
        // It went over while it was read, twice: where it stands now is not far from the start of this round.
        return high << Integer.SIZE;
    }

    private long word(long offset) {
        return Integer.toUnsignedLong(Integer.reverseBytes(Shared.getIntAcquire(page, offset)));
    }
}
