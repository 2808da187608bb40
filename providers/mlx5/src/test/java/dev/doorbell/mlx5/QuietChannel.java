package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.Progress;
import java.lang.foreign.MemorySegment;

/** What stand-ins for the kernel have in common: they pin and unmap nothing, tell of no events, and do no work by themselves. */
abstract class QuietChannel implements CommandChannel {
    @Override
    public final void unmap(MemorySegment mapping) {}

    @Override
    public final Pin pin(MemorySegment memory) {
        return () -> {};
    }

    /** This driver rings in register pages. */
    @Override
    public final Doorbell doorbell(int queuePairHandle) {
        throw new UnsupportedOperationException("no command rings a doorbell of mlx5");
    }

    @Override
    public final EventFile eventFile(int descriptor) {
        return new NoEvents(descriptor);
    }

    @Override
    public final Progress progress() {
        return Progress.NONE;
    }

    @Override
    public final void close() {}
}
