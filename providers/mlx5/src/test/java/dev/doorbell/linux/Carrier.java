package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;

/** Linux's carriers before a kernel of the test's, which finds each request at an address, as the real one does. */
public final class Carrier {
    /** The system call: 0, or a negative errno. */
    public interface Request {
        /** Takes what lies at the address. */
        int take(long address);
    }

    private final CommandCarrier carrier;

    private Carrier(CommandCarrier carrier) {
        this.carrier = carrier;
    }

    /** By ioctl(), after the question whether it is offered. */
    public static Carrier byIoctl(Request kernel, int driverId) {
        IoctlRequest.Caller caller = (stripe, request, address) -> kernel.take(address);
        BufferPool buffers = new BufferPool();
        if (!IoctlCarrier.isOffered(caller, buffers, driverId)) {
            throw new IllegalStateException("ioctl is not offered");
        }
        WriteCarrier none = new WriteCarrier((stripe, address, length) -> -Errno.EPERM, buffers);
        return new Carrier(new IoctlCarrier(caller, buffers, driverId, none));
    }

    /** By write(). */
    public static Carrier byWrite(Request kernel) {
        return new Carrier(new WriteCarrier(
                (stripe, address, length) -> {
                    int result = kernel.take(address);
                    return result == 0 ? length : result;
                },
                new BufferPool()));
    }

    /** See {@link dev.doorbell.kernel.CommandChannel#invoke}. */
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        return carrier.send(command, coreIn, coreOut, driverIn, driverOut);
    }

    /** See {@link dev.doorbell.kernel.CommandChannel#call}. */
    public int call(MethodCall call) {
        return carrier.call(call);
    }
}
