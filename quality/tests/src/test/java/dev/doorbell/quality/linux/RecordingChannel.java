package dev.doorbell.quality.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A channel that keeps the rings in the order in which they were mapped, and says when a doorbell is about to ring. */
final class RecordingChannel implements CommandChannel {
    private final CommandChannel channel;
    private final List<MemorySegment> rings = new ArrayList<>();
    private Runnable beforeDoorbell = () -> {};

    RecordingChannel(CommandChannel channel) {
        this.channel = channel;
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
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        return channel.invoke(command, coreIn, coreOut, driverIn, driverOut);
    }

    @Override
    public MemorySegment map(long offset, long length) {
        MemorySegment ring = channel.map(offset, length);
        rings.add(ring);
        return ring;
    }

    @Override
    public void unmap(MemorySegment mapping) {
        channel.unmap(mapping);
    }

    @Override
    public Pin pin(MemorySegment memory) {
        return channel.pin(memory);
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        Doorbell doorbell = channel.doorbell(queuePairHandle);
        return new Doorbell() {
            @Override
            public int ring() {
                beforeDoorbell.run();
                return doorbell.ring();
            }

            @Override
            public boolean isSystemCall() {
                return doorbell.isSystemCall();
            }
        };
    }

    @Override
    public EventFile eventFile(int descriptor) {
        return channel.eventFile(descriptor);
    }

    @Override
    public Progress progress() {
        return channel.progress();
    }

    @Override
    public String description() {
        return channel.description();
    }

    @Override
    public void close() {
        channel.close();
    }
}
