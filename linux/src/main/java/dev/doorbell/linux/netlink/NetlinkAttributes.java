package dev.doorbell.linux.netlink;

import dev.doorbell.kernel.abi.NetlinkAttribute;
import dev.doorbell.kernel.abi.NldevIds;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one message or of one nested attribute, parsed once. A length that is too small for its head or
 * reaches past the end ends the parse: what was read until then stays. An attribute that is absent, or has another size
 * than its kind, reads as what the caller names for that; unknown ones are skipped.
 */
final class NetlinkAttributes {
    private static final int ALIGNMENT = 4;
    private static final int TYPE_MASK = ~(NldevIds.FLAG_NESTED | NldevIds.FLAG_NETWORK_ORDER) & 0xffff;

    private final Map<Integer, List<MemorySegment>> values = new LinkedHashMap<>();
    private final boolean complete;

    private NetlinkAttributes(MemorySegment bytes) {
        long size = bytes.byteSize();
        long at = 0;
        while (size - at >= NetlinkAttribute.SIZE) {
            int length = NetlinkAttribute.length(bytes, at);
            if (length < NetlinkAttribute.SIZE || length > size - at) {
                break;
            }
            values.computeIfAbsent(NetlinkAttribute.type(bytes, at) & TYPE_MASK, type -> new ArrayList<>())
                    .add(bytes.asSlice(at + NetlinkAttribute.SIZE, length - NetlinkAttribute.SIZE));
            at += length + ALIGNMENT - 1 & -ALIGNMENT;
        }
        complete = at >= size;
    }

    /** Parses all of {@code bytes}. */
    static NetlinkAttributes parse(MemorySegment bytes) {
        return new NetlinkAttributes(bytes);
    }

    /** Whether attributes filled the bytes to the end. */
    boolean isComplete() {
        return complete;
    }

    boolean has(int attribute) {
        return values.containsKey(attribute);
    }

    /** An unsigned number of 1, 2, 4 or 8 bytes; the kernel's headers do not always say the size that it sends. */
    long number(int attribute, long absent) {
        MemorySegment value = first(attribute);
        if (value == null) {
            return absent;
        }
        return switch ((int) value.byteSize()) {
            case Byte.BYTES -> Host.getUnsignedByte(value, 0);
            case Short.BYTES -> Host.getUnsignedShort(value, 0);
            case Integer.BYTES -> Host.getUnsignedInt(value, 0);
            case Long.BYTES -> Host.getLong(value, 0);
            default -> absent;
        };
    }

    /** A number that must be from 0 to {@code highest}. */
    int number(int attribute, int highest, int absent) {
        long value = number(attribute, absent);
        return value < 0 || value > highest ? absent : (int) value;
    }

    /** A text, up to its first zero; empty if it is absent. */
    String text(int attribute) {
        MemorySegment value = first(attribute);
        if (value == null) {
            return "";
        }
        byte[] bytes = new byte[(int) value.byteSize()];
        MemorySegment.copy(value, 0, MemorySegment.ofArray(bytes), 0, bytes.length);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /** The attributes inside each attribute of this type, in their order. */
    List<NetlinkAttributes> nested(int attribute) {
        return values.getOrDefault(attribute, List.of()).stream()
                .map(NetlinkAttributes::parse)
                .toList();
    }

    private @Nullable MemorySegment first(int attribute) {
        List<MemorySegment> all = values.get(attribute);
        return all == null ? null : all.getFirst();
    }
}
