package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The new contents of a memory key.
 *
 * <pre>
 *   struct mlx5_wqe_mkey_context_seg
 *      0  u8     free                       0x40: the key opens nothing
 *      1  1 B    reserved1
 *      2  u8     access_flags               access
 *      3  u8     sf                         not used
 *      4  be32   qpn_mkey                   queue pair that may use it 31..8, all ones for any; low byte of the key
 *      8  4 B    reserved2
 *     12  be32   flags_pd                   protection domain 23..0
 *     16  be64   start_addr                 first address
 *     24  be64   len                        length
 *     32  be32   bsf_octword_size           0
 *     36  16 B   reserved3
 *     52  be32   translations_octword_size  0
 *     56  3 B    reserved4
 *     59  u8     log_page_size              0
 *     60  4 B    reserved
 *     64  bytes in all
 * </pre>
 */
public final class MkeySegment {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    private static final int FREE = 0;
    private static final int ACCESS = 2;
    private static final int SF = 3;
    private static final int QUEUE_PAIR_AND_KEY = 4;
    private static final int FLAGS_AND_DOMAIN = 12;
    private static final int ADDRESS = 16;
    private static final int LEN = 24;
    private static final int SIGNATURE_UNITS = 32;
    private static final int TRANSLATION_UNITS = 52;
    private static final int LOG_PAGE_SIZE = 59;

    private MkeySegment() {}

    /** 0x40: the key opens nothing. */
    public static int free(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + FREE);
    }

    /** Stores {@link #free}. */
    public static void setFree(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + FREE, value);
    }

    /** Access. */
    public static int access(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + ACCESS);
    }

    /** Stores {@link #access}. */
    public static void setAccess(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + ACCESS, value);
    }

    /** Not used. */
    public static int sf(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SF);
    }

    /** Stores {@link #sf}. */
    public static void setSf(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SF, value);
    }

    /** Queue pair that may use it 31..8, all ones for any; low byte of the key. */
    public static int queuePairAndKey(MemorySegment segment, long at) {
        return Be.getInt(segment, at + QUEUE_PAIR_AND_KEY);
    }

    /** Stores {@link #queuePairAndKey}. */
    public static void setQueuePairAndKey(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + QUEUE_PAIR_AND_KEY, value);
    }

    /** Protection domain 23..0. */
    public static int flagsAndDomain(MemorySegment segment, long at) {
        return Be.getInt(segment, at + FLAGS_AND_DOMAIN);
    }

    /** Stores {@link #flagsAndDomain}. */
    public static void setFlagsAndDomain(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + FLAGS_AND_DOMAIN, value);
    }

    /** First address. */
    public static long address(MemorySegment segment, long at) {
        return Be.getLong(segment, at + ADDRESS);
    }

    /** Stores {@link #address}. */
    public static void setAddress(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + ADDRESS, value);
    }

    /** Length. */
    public static long len(MemorySegment segment, long at) {
        return Be.getLong(segment, at + LEN);
    }

    /** Stores {@link #len}. */
    public static void setLen(MemorySegment segment, long at, long value) {
        Be.setLong(segment, at + LEN, value);
    }

    /** 0. */
    public static int signatureUnits(MemorySegment segment, long at) {
        return Be.getInt(segment, at + SIGNATURE_UNITS);
    }

    /** Stores {@link #signatureUnits}. */
    public static void setSignatureUnits(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + SIGNATURE_UNITS, value);
    }

    /** 0. */
    public static int translationUnits(MemorySegment segment, long at) {
        return Be.getInt(segment, at + TRANSLATION_UNITS);
    }

    /** Stores {@link #translationUnits}. */
    public static void setTranslationUnits(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + TRANSLATION_UNITS, value);
    }

    /** 0. */
    public static int logPageSize(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + LOG_PAGE_SIZE);
    }

    /** Stores {@link #logPageSize}. */
    public static void setLogPageSize(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + LOG_PAGE_SIZE, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_mkey_context_seg", SIZE)
                .u8("free", FREE)
                .reserved("reserved1", 1, 1)
                .u8("access_flags", ACCESS)
                .u8("sf", SF)
                .be32("qpn_mkey", QUEUE_PAIR_AND_KEY)
                .reserved("reserved2", 8, 4)
                .be32("flags_pd", FLAGS_AND_DOMAIN)
                .be64("start_addr", ADDRESS)
                .be64("len", LEN)
                .be32("bsf_octword_size", SIGNATURE_UNITS)
                .reserved("reserved3", 36, 16)
                .be32("translations_octword_size", TRANSLATION_UNITS)
                .reserved("reserved4", 56, 3)
                .u8("log_page_size", LOG_PAGE_SIZE)
                .reserved("reserved", 60, 4);
    }
}
