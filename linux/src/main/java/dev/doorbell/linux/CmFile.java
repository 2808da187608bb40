package dev.doorbell.linux;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.linux.syscall.Libc;
import dev.doorbell.linux.syscall.NativeAccess;
import dev.doorbell.linux.syscall.RecordFile;
import dev.doorbell.linux.syscall.SystemFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * An open /dev/infiniband/rdma_cm. Commands and the reading of events are both writes on one descriptor, which does not
 * block: that matters to the reading of events alone.
 */
final class CmFile implements CmChannel {
    private static final String MODULE = "rdma_ucm";
    private static final String ABI = "class/misc/rdma_cm/abi_version";

    private final String node;
    private final SystemFile file;
    private final CmCarrier carrier;
    private final RecordFile events;

    private CmFile(String node, SystemFile file) {
        this.node = node;
        this.file = file;
        BufferPool buffers = new BufferPool();
        this.carrier = new CmCarrier((address, length) -> file.write(0, address, length), buffers);
        this.events = DescriptorEvents.of(file, carrier::readEvent, buffers);
    }

    /** @throws KernelException with the errno and the remedy */
    static CmFile open(Path node, Sysfs sysfs) {
        int fd = NativeAccess.first("opening " + node, () -> Libc.open(node.toString(), Libc.O_RDWR_CLOEXEC));
        if (fd < 0) {
            throw new KernelException(-fd, "opening " + node + ": " + DeviceNode.explain(node, MODULE, -fd));
        }
        SystemFile file = new SystemFile(fd);
        try {
            int abi = sysfs.number(ABI, CmIds.ABI_VERSION);
            if (abi != CmIds.ABI_VERSION) {
                throw new KernelException(
                        Errno.EOPNOTSUPP,
                        "opening " + node + ": its commands have ABI version " + abi + ", and this library speaks "
                                + CmIds.ABI_VERSION);
            }
            return new CmFile(node.toString(), file);
        } catch (KernelException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public int invoke(CmCommand command, MemorySegment request, MemorySegment response) {
        return carrier.send(command, request, response);
    }

    @Override
    public EventFile events() {
        return events;
    }

    @Override
    public String description() {
        return node + " fd " + file.fd();
    }

    /** Waits for commands that are being executed; whoever waits for events comes back. */
    @Override
    public void close() {
        events.close();
    }
}
