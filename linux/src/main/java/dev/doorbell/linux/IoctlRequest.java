package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.IoctlAttribute;
import dev.doorbell.kernel.abi.IoctlHeader;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * One ioctl command, built into a native buffer, and its answer, read from there.
 *
 * <pre>
 *   header 24 | attributes, 16 each | ... | inputs longer than 8 bytes, and outputs, each at a multiple of 8
 *                                         └ {@link #DATA_AT}
 * </pre>
 *
 * <p>An input of up to eight bytes lies in its attribute. A new handle, or a new descriptor, comes back in the attribute
 * too. What does not fit makes the command EINVAL; the caller need not know the sizes.
 *
 * <p>Thread rules: used by one thread.
 */
final class IoctlRequest {
    /** One request to the device; {@link dev.doorbell.linux.syscall.SystemFile#ioctl} but for tests. */
    @FunctionalInterface
    interface Caller {
        /** 0 or more, or a negative errno; by then the answers stand where the attributes said. */
        int ioctl(int stripe, long request, long address);
    }

    /** Where inputs and outputs begin: behind the header and more attributes than any command has. */
    static final int DATA_AT = 384;

    private static final int MAX_ATTRIBUTES = (DATA_AT - IoctlHeader.SIZE) / IoctlAttribute.SIZE;
    private static final int INLINE = 8;
    private static final int MAX_LENGTH = 0xffff;

    private final MemorySegment buffer;
    private final int stripe;
    private int attributes;
    private long dataEnd = DATA_AT;
    private boolean misfit;

    /**
     * Begins a command in a buffer with anything in it.
     *
     * @param driverId the driver that runs the device; the kernel compares it
     */
    IoctlRequest(MemorySegment buffer, int object, int method, int driverId) {
        this.buffer = buffer;
        this.stripe = object << 4 | method;
        buffer.asSlice(0, DATA_AT).fill((byte) 0);
        IoctlHeader.setObjectId(buffer, 0, object);
        IoctlHeader.setMethodId(buffer, 0, method);
        IoctlHeader.setDriverId(buffer, 0, driverId);
    }

    /** An input number of {@code size} bytes, at most eight. */
    IoctlRequest value(int attribute, long value, int size) {
        IoctlAttribute.setData(buffer, add(attribute, size), value);
        return this;
    }

    /** An input number of four bytes. */
    IoctlRequest value(int attribute, int value) {
        return value(attribute, Integer.toUnsignedLong(value), Integer.BYTES);
    }

    /** The handle of an object, or a descriptor. */
    IoctlRequest handle(int attribute, int handle) {
        IoctlAttribute.setData(buffer, add(attribute, 0), Integer.toUnsignedLong(handle));
        return this;
    }

    /** An object that the command makes. Returns where {@link #handle(long)} finds it. */
    long newHandle(int attribute) {
        return add(attribute, 0);
    }

    /** Input bytes. */
    IoctlRequest bytes(int attribute, MemorySegment bytes) {
        long size = bytes.byteSize();
        long at = add(attribute, size);
        if (size <= INLINE) {
            MemorySegment.copy(bytes, 0, buffer, at + IoctlAttribute.SIZE - INLINE, size);
        } else {
            long data = room(size);
            if (!misfit) {
                MemorySegment.copy(bytes, 0, buffer, data, size);
                IoctlAttribute.setData(buffer, at, buffer.address() + data);
            }
        }
        return this;
    }

    /** Room for output bytes, zeroed. Returns where they will stand. */
    long output(int attribute, long size) {
        long at = add(attribute, size);
        long data = room(size);
        if (misfit) {
            return DATA_AT;
        }
        buffer.asSlice(data, size).fill((byte) 0);
        IoctlAttribute.setData(buffer, at, buffer.address() + data);
        return data;
    }

    /** What the driver adds to both directions. Returns where its output will stand. */
    long driver(MemorySegment in, MemorySegment out) {
        if (in.byteSize() > 0) {
            bytes(IoctlIds.UHW_IN, in);
        }
        return out.byteSize() > 0 ? output(IoctlIds.UHW_OUT, out.byteSize()) : DATA_AT;
    }

    /** Sends it. Returns 0 or an errno. */
    int send(Caller device) {
        if (misfit) {
            return Errno.EINVAL;
        }
        IoctlHeader.setLength(buffer, 0, IoctlHeader.SIZE + attributes * IoctlAttribute.SIZE);
        IoctlHeader.setNumAttrs(buffer, 0, attributes);
        try {
            int result = device.ioctl(stripe, Integer.toUnsignedLong(IoctlIds.RDMA_VERBS_IOCTL), buffer.address());
            return result < 0 ? -result : 0;
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    /** The handle or descriptor that came back. */
    int handle(long at) {
        return (int) IoctlAttribute.data(buffer, at);
    }

    /** A number of an output. */
    int number(long at) {
        return Host.getInt(buffer, at);
    }

    /** Copies an output. */
    void copy(long at, MemorySegment to) {
        copy(at, to, to.byteSize());
    }

    void copy(long at, MemorySegment to, long size) {
        MemorySegment.copy(buffer, at, to, 0, size);
    }

    private long add(int attribute, long size) {
        if (attributes == MAX_ATTRIBUTES || size > MAX_LENGTH) {
            misfit = true;
            return IoctlHeader.SIZE;
        }
        long at = IoctlHeader.SIZE + (long) attributes * IoctlAttribute.SIZE;
        attributes++;
        IoctlAttribute.setAttrId(buffer, at, attribute);
        IoctlAttribute.setLen(buffer, at, (int) size);
        IoctlAttribute.setFlags(buffer, at, IoctlIds.FLAG_MANDATORY);
        return at;
    }

    private long room(long size) {
        long at = dataEnd;
        dataEnd = at + size + INLINE - 1 & -INLINE;
        misfit |= at + size > buffer.byteSize();
        return at;
    }
}
