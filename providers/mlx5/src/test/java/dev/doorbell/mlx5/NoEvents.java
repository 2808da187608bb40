package dev.doorbell.mlx5;

import dev.doorbell.kernel.EventFile;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A file in which no event ever comes. */
record NoEvents(int descriptor) implements EventFile {
    @Override
    public int read(MemorySegment record, long timeoutNs) {
        return 0;
    }

    @Override
    public boolean await(long timeoutNs) {
        return false;
    }

    @Override
    public void onReadable(@Nullable Runnable action) {}

    @Override
    public void close() {}
}
