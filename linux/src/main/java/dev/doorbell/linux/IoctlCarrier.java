package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.GidEntry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Carries commands into the kernel with ioctl(): those that have a method of their own by that method
 * ({@link NativeMethods}), all others by the method INVOKE_WRITE, which takes the command's structs as attributes.
 *
 * <p>Unlike write(), ioctl() may be called by a process other than the one that opened the device.
 */
final class IoctlCarrier implements CommandCarrier {
    private final IoctlRequest.Caller device;
    private final BufferPool buffers;
    private final int driverId;
    private final NativeMethods natives;
    private final CommandCarrier beforeMethods;

    /**
     * @param driverId the driver that runs the device; the kernel compares it
     * @param beforeMethods for kernels that have INVOKE_WRITE, but not a method to begin a context with
     */
    IoctlCarrier(IoctlRequest.Caller device, BufferPool buffers, int driverId, CommandCarrier beforeMethods) {
        this.device = device;
        this.buffers = buffers;
        this.driverId = driverId;
        this.natives = new NativeMethods(device, driverId);
        this.beforeMethods = beforeMethods;
    }

    /**
     * Whether the kernel takes commands this way: it is asked for a command without its structs, and should miss them
     * (ENOSPC). One that has no ioctl commands says ENOTTY, one that lacks this method EPROTONOSUPPORT; EINVAL says that
     * the device's driver is another, which write() does not ask for.
     */
    static boolean isOffered(IoctlRequest.Caller device, BufferPool buffers, int driverId) {
        MemorySegment buffer = buffers.take(BufferPool.BUFFER_SIZE);
        try {
            int errno = new IoctlRequest(buffer, IoctlIds.OBJECT_DEVICE, IoctlIds.DEVICE_INVOKE_WRITE, driverId)
                    .value(IoctlIds.INVOKE_WRITE_CMD, command(UverbsCommand.QUERY_DEVICE), Long.BYTES)
                    .send(device);
            return errno == 0 || errno == Errno.ENOSPC;
        } finally {
            buffers.give(buffer);
        }
    }

    @Override
    public int send(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        long sizes = coreIn.byteSize() + coreOut.byteSize() + driverIn.byteSize() + driverOut.byteSize();
        MemorySegment buffer = buffers.take(IoctlRequest.DATA_AT + sizes + NativeMethods.EXTRA);
        try {
            int errno = natives.send(buffer, command, coreIn, coreOut, driverIn, driverOut);
            if (errno != NativeMethods.NONE) {
                return errno;
            }
            return command == UverbsCommand.GET_CONTEXT
                    ? beforeMethods.send(command, coreIn, coreOut, driverIn, driverOut)
                    : invokeWrite(buffer, command, coreIn, coreOut, driverIn, driverOut);
        } finally {
            buffers.give(buffer);
        }
    }

    @Override
    public int call(MethodCall call) {
        long sizes = 0;
        for (MethodCall.Attribute attribute : call.attributes()) {
            sizes += switch (attribute.kind()) {
                case INPUT, OUTPUT -> attribute.bytes().byteSize() + Long.BYTES;
                case NUMBER, HANDLE, NEW_HANDLE -> 0;
            };
        }
        MemorySegment buffer = buffers.take(IoctlRequest.DATA_AT + sizes);
        try {
            return send(new IoctlRequest(buffer, call.object(), call.method(), driverId), call.attributes());
        } finally {
            buffers.give(buffer);
        }
    }

    private int send(IoctlRequest request, List<MethodCall.Attribute> attributes) {
        long[] places = new long[attributes.size()];
        for (int i = 0; i < places.length; i++) {
            MethodCall.Attribute attribute = attributes.get(i);
            switch (attribute.kind()) {
                case NUMBER -> request.value(attribute.id(), attribute.value(), Long.BYTES);
                case INPUT -> request.bytes(attribute.id(), attribute.bytes());
                case HANDLE -> request.handle(attribute.id(), (int) attribute.value());
                case OUTPUT ->
                    places[i] = request.output(attribute.id(), attribute.bytes().byteSize());
                case NEW_HANDLE -> places[i] = request.newHandle(attribute.id());
            }
        }
        int errno = request.send(device);
        for (int i = 0; i < places.length && errno == 0; i++) {
            MethodCall.Attribute attribute = attributes.get(i);
            switch (attribute.kind()) {
                case OUTPUT -> request.copy(places[i], attribute.bytes());
                case NEW_HANDLE -> attribute.answer(request.handle(places[i]));
                case NUMBER, INPUT, HANDLE -> {}
            }
        }
        return errno;
    }

    private int invokeWrite(
            MemorySegment buffer,
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        IoctlRequest request = new IoctlRequest(buffer, IoctlIds.OBJECT_DEVICE, IoctlIds.DEVICE_INVOKE_WRITE, driverId);
        request.value(IoctlIds.INVOKE_WRITE_CMD, command(command), Long.BYTES);
        if (coreIn.byteSize() > 0) {
            request.bytes(IoctlIds.INVOKE_WRITE_CORE_IN, coreIn);
        }
        long core = coreOut.byteSize() > 0
                ? request.output(IoctlIds.INVOKE_WRITE_CORE_OUT, coreOut.byteSize())
                : IoctlRequest.DATA_AT;
        long driver = request.driver(driverIn, driverOut);
        int errno = request.send(device);
        if (errno == 0) {
            request.copy(core, coreOut);
            request.copy(driver, driverOut);
        }
        return errno;
    }

    private static long command(UverbsCommand command) {
        return Integer.toUnsignedLong(command.word());
    }

    @Override
    public Optional<List<GidEntry>> gids(int port) {
        return GidTable.read(device, buffers, driverId, NetDevices.LOCAL, port);
    }

    @Override
    public String name() {
        return "ioctl";
    }
}
