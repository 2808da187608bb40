package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.abi.NetlinkAttribute;
import dev.doorbell.kernel.abi.NetlinkHeader;
import dev.doorbell.kernel.abi.NldevIds;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Builds one request: header, then attributes, each padded to four bytes. Requests of this client are short; what does not
 * fit is a mistake of the caller.
 */
final class NetlinkRequest {
    /** Room for a request; names have at most 64 bytes in the kernel. */
    private static final int CAPACITY = 512;

    private static final int ALIGNMENT = 4;

    private final MemorySegment message = Arena.ofAuto().allocate(CAPACITY, Long.BYTES);
    private int size = NetlinkHeader.SIZE;

    /**
     * A request of the device client.
     *
     * @param flags {@link NldevIds#FLAG_DUMP} for a list, {@link NldevIds#FLAG_ACK} for an order
     */
    NetlinkRequest(int command, int flags) {
        NetlinkHeader.setType(message, 0, NldevIds.type(command));
        NetlinkHeader.setFlags(message, 0, NldevIds.FLAG_REQUEST | flags);
    }

    NetlinkRequest number(int attribute, int value) {
        Host.setInt(message, value(attribute, Integer.BYTES), value);
        return this;
    }

    /** A name, which travels with a zero at its end. */
    NetlinkRequest text(int attribute, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long at = value(attribute, bytes.length + 1);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, message, at, bytes.length);
        return this;
    }

    private long value(int attribute, int bytes) {
        long at = size;
        int end = size + NetlinkAttribute.SIZE + bytes;
        if (end > CAPACITY) {
            throw new IllegalArgumentException("a netlink request of more than " + CAPACITY + " bytes");
        }
        NetlinkAttribute.setLength(message, at, NetlinkAttribute.SIZE + bytes);
        NetlinkAttribute.setType(message, at, attribute);
        size = end + ALIGNMENT - 1 & -ALIGNMENT;
        return at + NetlinkAttribute.SIZE;
    }

    /** Which command it is. */
    int type() {
        return NetlinkHeader.type(message, 0);
    }

    /** The finished message with this number. */
    MemorySegment message(int sequence) {
        NetlinkHeader.setLength(message, 0, size);
        NetlinkHeader.setSequence(message, 0, sequence);
        return message.asSlice(0, size);
    }
}
