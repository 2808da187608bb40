package dev.doorbell.verbs;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;

/**
 * Memory of a peer: all that a WRITE, READ or atomic needs to reach it. The owner makes it from a region or a slice and
 * sends it over any road, as {@linkplain #toBytes() bytes} or {@linkplain #toText() text}.
 *
 * <p>Bytes, all big-endian: u32 magic {@code DBRM}, u16 version 1, u16 reserved 0, u64 address, u64 length, u32 rkey, u32
 * access bits. A rkey is a capability: whoever has it can use the memory until the region is closed.
 *
 * <p>Address, key and length are those of the RDMA extended transport header (InfiniBand Architecture Specification,
 * volume 1, chapter 9); address and key are {@code wr.rdma} of ibv_post_send(3).
 *
 * <p>Thread rules: immutable.
 *
 * <p>A whole program, {@code examples/RemoteWrite.java}:
 * {@snippet file="RemoteWrite.java"}
 *
 * @param address the first byte, as the peer's work requests have to name it
 * @param length bytes
 * @param rkey the key
 * @param access what the region grants, bits of {@link AccessFlag}
 */
public record RemoteMemory(long address, long length, int rkey, int access) {
    /** Size of the serialised form. */
    public static final int BYTES = 32;

    private static final int MAGIC = 0x4442524d;
    private static final int VERSION = 1;
    private static final String PREFIX = "remote/1:";

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if the length is negative
     */
    public RemoteMemory {
        if (length < 0) {
            throw new IllegalArgumentException("remote memory cannot have " + length + " bytes");
        }
    }

    /**
     * A part of it.
     *
     * @throws IndexOutOfBoundsException if the part does not lie inside
     */
    public RemoteMemory slice(long offset, long size) {
        checkInside(offset, size);
        return new RemoteMemory(address + offset, size, rkey, access);
    }

    /**
     * From an offset to the end.
     *
     * @throws IndexOutOfBoundsException if the offset does not lie inside
     */
    public RemoteMemory slice(long offset) {
        return slice(offset, length - offset);
    }

    void checkInside(long offset, long size) {
        if ((offset | size) < 0 || size > length - offset) {
            throw outside(offset, size);
        }
    }

    private IndexOutOfBoundsException outside(long offset, long size) {
        return new IndexOutOfBoundsException(
                "bytes [" + offset + ", " + (offset + size) + ") do not lie in " + length + " bytes of remote memory");
    }

    /** Whether the region grants this. */
    public boolean allows(AccessFlag flag) {
        return flag.isIn(access);
    }

    /** The {@value #BYTES} bytes of the serialised form. */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Be.setInt(segment, 0, MAGIC);
        Be.setShort(segment, 4, VERSION);
        Be.setLong(segment, 8, address);
        Be.setLong(segment, 16, length);
        Be.setInt(segment, 24, rkey);
        Be.setInt(segment, 28, access);
        return bytes;
    }

    /**
     * Reads the serialised form.
     *
     * @throws IllegalArgumentException if it is anything else, or of a version that is not known here
     */
    public static RemoteMemory fromBytes(byte[] bytes) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Serialized.check("RemoteMemory", segment, BYTES, MAGIC, VERSION);
        return new RemoteMemory(
                Be.getLong(segment, 8), Be.getLong(segment, 16), Be.getInt(segment, 24), Be.getInt(segment, 28));
    }

    /** One line without spaces: {@code remote/1:address=0x7f2a1c000000,length=4096,rkey=0x1a2b,access=REMOTE_READ}. */
    public String toText() {
        return PREFIX + "address=0x" + Long.toHexString(address) + ",length=" + length + ",rkey=0x"
                + Integer.toHexString(rkey) + ",access="
                + String.join(
                        "+", AccessFlag.set(access).stream().map(Enum::name).toList());
    }

    /** The text form: keys and addresses are hexadecimal, rights have names. */
    @Override
    public String toString() {
        return toText();
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is anything else, or of a version that is not known here
     */
    public static RemoteMemory fromText(String text) {
        Fields fields = Fields.parse("RemoteMemory", PREFIX, text);
        String[] names = fields.text("access").split("\\+", -1);
        Set<AccessFlag> flags = names[0].isEmpty() && names.length == 1
                ? Set.of()
                : Set.copyOf(Arrays.stream(names).map(AccessFlag::valueOf).toList());
        return new RemoteMemory(
                fields.number("address"), fields.number("length"), (int) fields.number("rkey"), AccessFlag.mask(flags));
    }
}
