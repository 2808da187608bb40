package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.IoctlAttribute;
import dev.doorbell.kernel.abi.IoctlHeader;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A kernel of a few lines behind ioctl(): writes down what it is asked, follows the pointers, fills every output with a
 * pattern, gives each new object the next handle, and refuses what the test tells it to.
 */
final class ScriptedIoctl implements IoctlRequest.Caller {
    private static final int MAX = 1 << 16;

    private final List<String> requests = new ArrayList<>();
    private final Set<Integer> newHandles = new HashSet<>();
    private final Set<Integer> outputs = new HashSet<>();
    private int nextHandle = 41;
    private int refusal;
    private int unknownMethod = -1;

    /** The attributes that are outputs, and those that are new objects, of the methods that the test uses. */
    ScriptedIoctl outputs(int... attributes) {
        outputs.clear();
        outputs.add(IoctlIds.UHW_OUT);
        for (int attribute : attributes) {
            outputs.add(attribute);
        }
        return this;
    }

    ScriptedIoctl makes(int... attributes) {
        newHandles.clear();
        for (int attribute : attributes) {
            newHandles.add(attribute);
        }
        return this;
    }

    void refuse(int errno) {
        refusal = errno;
    }

    /** Makes the kernel one that lacks the method, of every object. */
    void lacks(int method) {
        unknownMethod = method;
    }

    /** Each request on a line: object.method driver, then attribute=value. */
    List<String> requests() {
        return requests;
    }

    @Override
    public int ioctl(int stripe, long request, long address) {
        if (request != 0xc018_1b01L) {
            return -Errno.ENOTTY;
        }
        MemorySegment message = at(address, MAX);
        int count = IoctlHeader.numAttrs(message, 0);
        if (IoctlHeader.length(message, 0) != IoctlHeader.SIZE + count * IoctlAttribute.SIZE) {
            return -Errno.EINVAL;
        }
        StringBuilder line = new StringBuilder("%d.%d driver %d"
                .formatted(
                        IoctlHeader.objectId(message, 0),
                        IoctlHeader.methodId(message, 0),
                        IoctlHeader.driverId(message, 0)));
        if (IoctlHeader.methodId(message, 0) == unknownMethod) {
            requests.add(line + " unknown");
            return -Errno.EPROTONOSUPPORT;
        }
        for (int i = 0; i < count; i++) {
            line.append(' ').append(attribute(message, IoctlHeader.SIZE + (long) i * IoctlAttribute.SIZE));
        }
        requests.add(line.toString());
        return -refusal;
    }

    private String attribute(MemorySegment message, long at) {
        int id = IoctlAttribute.attrId(message, at);
        int length = IoctlAttribute.len(message, at);
        long data = IoctlAttribute.data(message, at);
        String name = id >= 0x1000 ? "0x" + Integer.toHexString(id) : Integer.toString(id);
        if (outputs.contains(id)) {
            MemorySegment output = at(data, length);
            for (int i = 0; i < length; i++) {
                if (Host.getUnsignedByte(output, i) != 0) {
                    return name + "=dirty";
                }
                Host.setByte(output, i, refusal == 0 ? 0xa0 + i : 0xee);
            }
            return name + "=>" + length;
        }
        if (length == 0) {
            if (newHandles.contains(id) && refusal == 0) {
                IoctlAttribute.setData(message, at, nextHandle++);
                return name + "=new";
            }
            return name + "=#" + data;
        }
        byte[] bytes = new byte[length];
        MemorySegment source = length <= 8 ? message.asSlice(at + 8, length) : at(data, length);
        MemorySegment.copy(source, 0, MemorySegment.ofArray(bytes), 0, length);
        return name + "=" + HexFormat.of().formatHex(bytes).toLowerCase(Locale.ROOT);
    }

    private static MemorySegment at(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }
}
