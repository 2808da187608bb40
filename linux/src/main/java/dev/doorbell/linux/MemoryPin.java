package dev.doorbell.linux;

import dev.doorbell.kernel.CommandChannel.Pin;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Keeps memory reachable while it is registered, so that the garbage collector does not free an automatic arena under a
 * device. The kernel pins the pages when it registers them; nothing here can keep an arena from being closed.
 */
public final class MemoryPin implements Pin {
    /** Never started: it only stands for "some other thread". */
    private static final Thread ANY_OTHER = Thread.ofPlatform().unstarted(() -> {});

    private @Nullable MemorySegment memory;

    /**
     * Holds memory.
     *
     * @throws KernelException EFAULT for memory that a device cannot reach from any thread
     */
    public MemoryPin(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new KernelException(
                    Errno.EFAULT,
                    "a device cannot reach memory on the Java heap, which moves; allocate it from an Arena, or use a"
                            + " direct ByteBuffer");
        }
        if (!memory.isAccessibleBy(ANY_OTHER)) {
            throw new KernelException(
                    Errno.EFAULT,
                    "memory of a confined arena belongs to one thread and may vanish while a device works on it; use a"
                            + " shared or an automatic arena");
        }
        if (!memory.scope().isAlive()) {
            throw new KernelException(Errno.EFAULT, "the arena of this memory is closed");
        }
        this.memory = memory;
    }

    /** What is held; null after {@link #close()}. */
    @Nullable
    MemorySegment memory() {
        return memory;
    }

    @Override
    public void close() {
        memory = null;
    }
}
