package dev.doorbell.quality.stack;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;

/** A channel that passes everything on, and is told of each mapping and of each doorbell that is about to ring. */
public abstract class TappedChannel implements CommandChannel {
    private final CommandChannel channel;

    protected TappedChannel(CommandChannel channel) {
        this.channel = channel;
    }

    /** Memory was mapped. */
    protected abstract void mapped(MemorySegment mapping);

    /** Everything stands in the ring, and the kernel does not know yet. */
    protected abstract void ringing();

    /** What the program gets for this mapping. */
    protected MemorySegment offered(MemorySegment mapping) {
        return mapping;
    }

    /** The mapping for which the program got this. */
    protected MemorySegment original(MemorySegment offered) {
        return offered;
    }

    /** An errno with which a doorbell is refused instead of rung; 0 for none. */
    protected int refusal() {
        return 0;
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
    public int call(MethodCall call) {
        return channel.call(call);
    }

    @Override
    public MemorySegment map(long offset, long length) {
        MemorySegment mapping = channel.map(offset, length);
        mapped(mapping);
        return offered(mapping);
    }

    @Override
    public MemorySegment mapReadOnly(long offset, long length) {
        return channel.mapReadOnly(offset, length);
    }

    @Override
    public void unmap(MemorySegment mapping) {
        channel.unmap(original(mapping));
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
                ringing();
                int refused = refusal();
                return refused == 0 ? doorbell.ring() : refused;
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
