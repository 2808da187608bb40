package dev.doorbell.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.linux.LinuxSettings.CarrierChoice;
import dev.doorbell.linux.syscall.RecordFile;
import dev.doorbell.linux.syscall.SystemFile;
import dev.doorbell.spec.GidEntry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open /dev/infiniband/uverbsN.
 *
 * <p>Every use of the descriptor is counted in and out ({@link SystemFile}), so a command that races with
 * {@link #close()} is either finished first or answered with EBADF, and never reaches another file that got the same
 * number.
 */
final class UverbsChannel implements CommandChannel {
    private final String node;
    private final SystemFile file;
    private final BufferPool buffers = new BufferPool();
    private final CommandCarrier carrier;
    private final RingMappings mappings = new RingMappings();
    private final Map<Integer, RecordFile> eventFiles = new ConcurrentHashMap<>();

    /**
     * Takes over an open descriptor.
     *
     * @param node the path that was opened, for people
     * @param driverId the driver that runs the device
     * @param choice how commands are to travel
     * @throws KernelException EOPNOTSUPP if they cannot travel so; the descriptor is closed then
     */
    UverbsChannel(String node, int fd, int driverId, CarrierChoice choice) {
        this.node = node;
        this.file = new SystemFile(fd);
        try {
            this.carrier = Carriers.choose(file, buffers, driverId, choice);
        } catch (KernelException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        return carrier.send(command, coreIn, coreOut, driverIn, driverOut);
    }

    @Override
    public int call(MethodCall call) {
        return carrier.call(call);
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return mappings.map(file, UverbsCommand.CREATE_CQ.number(), offset, length);
    }

    @Override
    public MemorySegment mapReadOnly(long offset, long length) {
        return mappings.mapReadOnly(file, UverbsCommand.CREATE_CQ.number(), offset, length);
    }

    @Override
    public void unmap(MemorySegment mapping) {
        mappings.unmap(mapping);
    }

    @Override
    public Pin pin(MemorySegment memory) {
        requireOpen("pinning memory");
        return new MemoryPin(memory);
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        requireOpen("making a doorbell");
        return new WriteDoorbell(file, queuePairHandle);
    }

    @Override
    public EventFile eventFile(int descriptor) {
        if (!file.enter(descriptor)) {
            throw closed("opening an event file");
        }
        try {
            return eventFiles.computeIfAbsent(
                    descriptor, fd -> DescriptorEvents.of(fd, buffers, () -> eventFiles.remove(fd)));
        } finally {
            file.exit(descriptor);
        }
    }

    @Override
    public Optional<List<GidEntry>> gids(int port) {
        return carrier.gids(port);
    }

    /** A Linux device runs by itself. */
    @Override
    public Progress progress() {
        return Progress.NONE;
    }

    @Override
    public String description() {
        return node + " fd " + file.fd() + " by " + carrier.name();
    }

    /** Waits for commands that are being executed, then closes event files, mappings and the device. */
    @Override
    public void close() {
        file.close();
        for (RecordFile events : eventFiles.values()) {
            events.close();
        }
        // A mapping holds a reference to the file: the kernel takes the context down when the last of them has gone.
        mappings.close();
    }

    private void requireOpen(String operation) {
        if (file.isClosed()) {
            throw closed(operation);
        }
    }

    private KernelException closed(String operation) {
        return new KernelException(Errno.EBADF, operation + ": " + node + " is closed");
    }
}
