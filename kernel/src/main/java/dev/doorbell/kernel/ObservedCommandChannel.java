package dev.doorbell.kernel;

import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.GidEntry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * A command channel that tells an observer what goes through it. It stands beside the seam, for either kernel; who
 * observes nothing does not build one and pays nothing.
 */
public final class ObservedCommandChannel implements CommandChannel {
    private final CommandChannel channel;
    private final CommandObserver observer;

    /** A channel that passes everything on, and tells the observer about it. Closing it closes the channel below. */
    public ObservedCommandChannel(CommandChannel channel, CommandObserver observer) {
        this.channel = channel;
        this.observer = observer;
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        long start = System.nanoTime();
        int errno = channel.invoke(command, coreIn, coreOut, driverIn, driverOut);
        observer.onCommand(command, errno, System.nanoTime() - start);
        return errno;
    }

    @Override
    public int call(MethodCall call) {
        return channel.call(call);
    }

    @Override
    public MemorySegment map(long offset, long length) {
        long start = System.nanoTime();
        MemorySegment mapping = channel.map(offset, length);
        observer.onMap(length, System.nanoTime() - start);
        return mapping;
    }

    @Override
    public MemorySegment mapReadOnly(long offset, long length) {
        long start = System.nanoTime();
        MemorySegment mapping = channel.mapReadOnly(offset, length);
        observer.onMap(length, System.nanoTime() - start);
        return mapping;
    }

    @Override
    public void unmap(MemorySegment mapping) {
        channel.unmap(mapping);
        observer.onUnmap(mapping.byteSize());
    }

    @Override
    public Pin pin(MemorySegment memory) {
        Pin pin = channel.pin(memory);
        observer.onPin(memory.byteSize());
        return pin;
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        Doorbell doorbell = channel.doorbell(queuePairHandle);
        return observer.wantsDoorbells() ? new ObservedDoorbell(doorbell, observer) : doorbell;
    }

    @Override
    public EventFile eventFile(int descriptor) {
        return channel.eventFile(descriptor);
    }

    @Override
    public Optional<List<GidEntry>> gids(int port) {
        return channel.gids(port);
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
    public CommandChannel undecorated() {
        return channel.undecorated();
    }

    @Override
    public void close() {
        channel.close();
    }

    private record ObservedDoorbell(Doorbell doorbell, CommandObserver observer) implements Doorbell {
        @Override
        public int ring() {
            int errno = doorbell.ring();
            observer.onDoorbell(doorbell.isSystemCall(), errno);
            return errno;
        }

        @Override
        public boolean isSystemCall() {
            return doorbell.isSystemCall();
        }
    }
}
