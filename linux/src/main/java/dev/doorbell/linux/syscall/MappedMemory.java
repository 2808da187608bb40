package dev.doorbell.linux.syscall;

import dev.doorbell.kernel.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a file, mapped shared. Its segment may be used from every thread.
 *
 * <p>Each mapping has a shared arena of its own. Closing it makes the segment inaccessible everywhere and only then
 * unmaps the pages: a thread that comes late, or is in the middle of an access, gets an
 * {@link IllegalStateException} and never a fault.
 */
public final class MappedMemory {
    private final Arena arena;
    private final MemorySegment segment;

    private MappedMemory(Arena arena, MemorySegment segment) {
        this.arena = arena;
        this.segment = segment;
    }

    /**
     * Takes over a mapping at {@code address}.
     *
     * @param address what {@link SystemFile#mapShared} returned
     */
    @SuppressWarnings("MustBeClosedChecker") // closed by unmap()
    public static MappedMemory of(long address, long length) {
        Arena arena = Arena.ofShared();
        MemorySegment segment =
                MemorySegment.ofAddress(address).reinterpret(length, arena, mapped -> Libc.unmap(address, length));
        return new MappedMemory(arena, segment);
    }

    /** The mapped bytes. */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Makes the segment inaccessible and unmaps it. Once done, doing it again has no effect.
     *
     * @return 0, or EBUSY if a native call is using the segment at this moment; then nothing has changed
     */
    public int unmap() {
        try {
            arena.close();
            return 0;
        } catch (IllegalStateException e) {
            return segment.scope().isAlive() ? Errno.EBUSY : 0;
        }
    }
}
