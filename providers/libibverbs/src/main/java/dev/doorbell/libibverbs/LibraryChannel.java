package dev.doorbell.libibverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.linux.MemoryPin;
import java.lang.foreign.MemorySegment;

/**
 * A device that the library has opened. Commands, mappings and doorbells are the library's own affair, so nobody else sends
 * them through here.
 *
 * <p>Thread rules: any thread.
 */
final class LibraryChannel implements CommandChannel {
    private final VerbsLibrary library;
    private final String node;
    private final ContextStruct context;
    private final Draining draining = new Draining();
    private boolean closed;

    LibraryChannel(VerbsLibrary library, String node, ContextStruct context) {
        this.library = library;
        this.node = node;
        this.context = context;
    }

    VerbsLibrary library() {
        return library;
    }

    ContextStruct context() {
        return context;
    }

    Draining draining() {
        return draining;
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        return Errno.EOPNOTSUPP;
    }

    @Override
    public MemorySegment map(long offset, long length) {
        throw notHere("mapping");
    }

    @Override
    public void unmap(MemorySegment mapping) {
        throw notHere("ending a mapping");
    }

    @Override
    public Pin pin(MemorySegment memory) {
        return new MemoryPin(memory);
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        throw notHere("ringing a doorbell");
    }

    @Override
    public EventFile eventFile(int descriptor) {
        throw notHere("opening an event file by its descriptor");
    }

    private KernelException notHere(String operation) {
        return new KernelException(Errno.EOPNOTSUPP, operation + ": " + library.name() + " does that itself");
    }

    @Override
    public Progress progress() {
        return draining;
    }

    @Override
    public String description() {
        return node + " through " + library.name();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        library.number(Function.CLOSE_DEVICE, context.address());
    }
}
