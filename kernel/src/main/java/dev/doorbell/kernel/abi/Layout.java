package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a class of accessors says about its struct: good for printing one, and for comparing the class with what a C
 * compiler says. Made anew whenever it is asked for; nothing on the data path touches it.
 */
public final class Layout {
    /** How a field's bytes are read. */
    enum Kind {
        U8,
        U16,
        U32,
        S32,
        U64,
        BE16,
        BE32,
        BE64,
        GID,
        BYTES,
        STRUCT,
        RESERVED
    }

    /**
     * One field.
     *
     * @param name its name in C, with dots into nested structs
     * @param offset bytes from the start of the struct
     * @param size bytes
     * @param kind how to read it
     * @param nested the field's own layout, for {@link Kind#STRUCT}
     */
    record Field(
            String name,
            long offset,
            long size,
            Kind kind,
            @Nullable Layout nested) {}

    private final String struct;
    private final long size;
    private final List<Field> fields = new ArrayList<>();

    private Layout(String struct, long size) {
        this.struct = struct;
        this.size = size;
    }

    /** A layout without fields. */
    public static Layout of(String struct, long size) {
        return new Layout(struct, size);
    }

    /** The struct's name in C. */
    String struct() {
        return struct;
    }

    /** Bytes of the struct. */
    long size() {
        return size;
    }

    /** The fields in the order in which they were added. */
    List<Field> fields() {
        return Collections.unmodifiableList(fields);
    }

    /** An unsigned 8-bit field. */
    public Layout u8(String name, long offset) {
        return add(name, offset, 1, Kind.U8);
    }

    /** An unsigned 16-bit field in host order. */
    public Layout u16(String name, long offset) {
        return add(name, offset, 2, Kind.U16);
    }

    /** An unsigned 32-bit field in host order. */
    public Layout u32(String name, long offset) {
        return add(name, offset, 4, Kind.U32);
    }

    Layout s32(String name, long offset) {
        return add(name, offset, 4, Kind.S32);
    }

    /** A 64-bit field in host order. */
    public Layout u64(String name, long offset) {
        return add(name, offset, 8, Kind.U64);
    }

    /** An unsigned big-endian 16-bit field. */
    public Layout be16(String name, long offset) {
        return add(name, offset, 2, Kind.BE16);
    }

    /** An unsigned big-endian 32-bit field. */
    public Layout be32(String name, long offset) {
        return add(name, offset, 4, Kind.BE32);
    }

    /** A big-endian 64-bit field. */
    public Layout be64(String name, long offset) {
        return add(name, offset, 8, Kind.BE64);
    }

    Layout gid(String name, long offset) {
        return add(name, offset, Gid.BYTES, Kind.GID);
    }

    /** A field of bytes. */
    public Layout bytes(String name, long offset, long bytes) {
        return add(name, offset, bytes, Kind.BYTES);
    }

    /** Bytes without a meaning. */
    public Layout reserved(String name, long offset, long bytes) {
        return add(name, offset, bytes, Kind.RESERVED);
    }

    Layout struct(String name, long offset, Layout nested) {
        fields.add(new Field(name, offset, nested.size, Kind.STRUCT, nested));
        return this;
    }

    /** The struct at {@code at} on one line: {@code name{field=value, ...}}, without reserved fields. */
    public String print(MemorySegment segment, long at) {
        StringBuilder text = new StringBuilder(struct).append('{');
        String separator = "";
        for (Field field : fields) {
            if (field.kind != Kind.RESERVED) {
                text.append(separator).append(field.name).append('=').append(value(field, segment, at + field.offset));
                separator = ", ";
            }
        }
        return text.append('}').toString();
    }

    private Layout add(String name, long offset, long bytes, Kind kind) {
        fields.add(new Field(name, offset, bytes, kind, null));
        return this;
    }

    private static String value(Field field, MemorySegment segment, long at) {
        return switch (field.kind) {
            case U8 -> Integer.toString(Host.getUnsignedByte(segment, at));
            case U16 -> Integer.toString(Host.getUnsignedShort(segment, at));
            case U32 -> number(Host.getUnsignedInt(segment, at));
            case S32 -> Integer.toString(Host.getInt(segment, at));
            case U64 -> number(Host.getLong(segment, at));
            case BE16 -> Integer.toString(Be.getUnsignedShort(segment, at));
            case BE32 -> number(Be.getUnsignedInt(segment, at));
            case BE64 -> "0x%016x".formatted(Be.getLong(segment, at));
            case GID -> new Gid(Be.getLong(segment, at), Be.getLong(segment, at + Long.BYTES)).toString();
            case BYTES -> hex(segment, at, field.size);
            case STRUCT -> field.nested == null ? "" : field.nested.print(segment, at);
            case RESERVED -> "";
        };
    }

    /** Small numbers as people count, large ones, which are keys, addresses or masks, in hexadecimal. */
    private static String number(long value) {
        return value >= 0 && value < 1 << 16 ? Long.toString(value) : "0x" + Long.toHexString(value);
    }

    private static String hex(MemorySegment segment, long at, long bytes) {
        StringBuilder text = new StringBuilder();
        for (long i = 0; i < bytes; i++) {
            HexFormat.of().toHexDigits(text, (byte) Host.getUnsignedByte(segment, at + i));
        }
        return text.toString();
    }
}
