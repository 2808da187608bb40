package dev.doorbell.quality.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.quality.stack.TappedChannel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A channel that keeps the rings in the order in which they were mapped, and says when a doorbell is about to ring. */
final class RecordingChannel extends TappedChannel {
    private final List<MemorySegment> rings = new ArrayList<>();
    private Runnable beforeDoorbell = () -> {};

    RecordingChannel(CommandChannel channel) {
        super(channel);
    }

    /** The ring that was mapped as the {@code index}-th, from 0. */
    MemorySegment ring(int index) {
        return rings.get(index);
    }

    /** What to do when everything stands in the ring and the kernel does not know yet. */
    void beforeDoorbell(Runnable action) {
        beforeDoorbell = action;
    }

    @Override
    protected void mapped(MemorySegment mapping) {
        rings.add(mapping);
    }

    @Override
    protected void ringing() {
        beforeDoorbell.run();
    }
}
