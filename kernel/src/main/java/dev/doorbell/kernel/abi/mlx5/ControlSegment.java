package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Layout;
import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;

/**
 * The first 16 bytes of a send WQE. Its first 8 bytes are what a doorbell stores into the register.
 *
 * <p>A WQE lies in 64-byte blocks and counts its 16-byte units; it may wrap at the end of the queue between two units. Behind this segment come, where the
 * operation has them: {@link DatagramSegment}, {@link RemoteSegment}, {@link AtomicSegment}, then {@link DataSegment}s or one {@link InlineSegment}; or
 * {@link UmrSegment} and {@link MkeySegment}.
 *
 * <pre>
 *   struct mlx5_wqe_ctrl_seg
 *      0  be32   opmod_idx_opcode       modifier 31..24, block index 23..8, operation 7..0
 *      4  be32   qpn_ds                 queue pair number 31..8, 16-byte units of the WQE 5..0
 *      8  u8     signature              0 unless work requests are signed
 *      9  be16   dci_stream_channel_id  0
 *     11  u8     fm_ce_se               0x80 fence, 0x20 small fence, 0x08 completion, 0x02 solicited
 *     12  be32   imm                    immediate data, or the key that is invalidated or bound
 *     16  bytes in all
 * </pre>
 */
public final class ControlSegment {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    /** Bytes of a block. */
    public static final int BLOCK = 64;
    /** Bytes of a unit. */
    public static final int UNIT = 16;
    /** Most units of a WQE. */
    public static final int MAX_UNITS = 63;

    /** In {@link #flags}: makes a completion. */
    public static final int COMPLETION = 0x08;
    /** In {@link #flags}: makes the peer's completion a solicited one. */
    public static final int SOLICITED = 0x02;
    /** In {@link #flags}: waits for earlier READs and atomics. */
    public static final int FENCE = 0x80;
    /** In {@link #flags}: waits for an earlier {@link UmrSegment} operation. */
    public static final int SMALL_FENCE = 0x20;

    private static final int INDEX_AND_OPCODE = 0;
    private static final int QUEUE_PAIR_AND_UNITS = 4;
    private static final int SIGNATURE = 8;
    private static final int STREAM = 9;
    private static final int FLAGS = 11;
    private static final int IMMEDIATE = 12;

    private ControlSegment() {}

    /** Its first eight bytes, as a big-endian number. */
    public static long head(int indexAndOpcode, int queuePairAndUnits) {
        return (long) indexAndOpcode << Integer.SIZE | Integer.toUnsignedLong(queuePairAndUnits);
    }

    /** Its last eight bytes, as a big-endian number; without signature and stream. */
    public static long tail(int flags, int immediate) {
        return (long) flags << Integer.SIZE | Integer.toUnsignedLong(immediate);
    }

    /** Modifier 31..24, block index 23..8, operation 7..0. */
    public static int indexAndOpcode(MemorySegment segment, long at) {
        return Be.getInt(segment, at + INDEX_AND_OPCODE);
    }

    /** Stores {@link #indexAndOpcode}. */
    public static void setIndexAndOpcode(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + INDEX_AND_OPCODE, value);
    }

    /** Queue pair number 31..8, 16-byte units of the WQE 5..0. */
    public static int queuePairAndUnits(MemorySegment segment, long at) {
        return Be.getInt(segment, at + QUEUE_PAIR_AND_UNITS);
    }

    /** Stores {@link #queuePairAndUnits}. */
    public static void setQueuePairAndUnits(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + QUEUE_PAIR_AND_UNITS, value);
    }

    /** 0 unless work requests are signed. */
    public static int signature(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + SIGNATURE);
    }

    /** Stores {@link #signature}. */
    public static void setSignature(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + SIGNATURE, value);
    }

    /** 0. */
    public static int stream(MemorySegment segment, long at) {
        return Be.getUnsignedShort(segment, at + STREAM);
    }

    /** Stores {@link #stream}. */
    public static void setStream(MemorySegment segment, long at, int value) {
        Be.setShort(segment, at + STREAM, value);
    }

    /** 0x80 fence, 0x20 small fence, 0x08 completion, 0x02 solicited. */
    public static int flags(MemorySegment segment, long at) {
        return Be.getUnsignedByte(segment, at + FLAGS);
    }

    /** Stores {@link #flags}. */
    public static void setFlags(MemorySegment segment, long at, int value) {
        Be.setByte(segment, at + FLAGS, value);
    }

    /** Immediate data, or the key that is invalidated or bound. */
    public static int immediate(MemorySegment segment, long at) {
        return Be.getInt(segment, at + IMMEDIATE);
    }

    /** Stores {@link #immediate}. */
    public static void setImmediate(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + IMMEDIATE, value);
    }

    /** The first word. */
    public static int indexAndOpcode(int index, int opcode) {
        return (index & 0xffff) << 8 | opcode;
    }

    /** Operation, a number of {@link WqeOpcode}. */
    public static int opcode(MemorySegment segment, long at) {
        return indexAndOpcode(segment, at) & 0xff;
    }

    /** Block index, modulo 65,536. */
    public static int index(MemorySegment segment, long at) {
        return indexAndOpcode(segment, at) >>> 8 & 0xffff;
    }

    /** Number of the queue pair. */
    public static int queuePair(MemorySegment segment, long at) {
        return queuePairAndUnits(segment, at) >>> 8;
    }

    /** 16-byte units of the WQE, this segment included. */
    public static int units(MemorySegment segment, long at) {
        return queuePairAndUnits(segment, at) & 0x3f;
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("mlx5_wqe_ctrl_seg", SIZE)
                .be32("opmod_idx_opcode", INDEX_AND_OPCODE)
                .be32("qpn_ds", QUEUE_PAIR_AND_UNITS)
                .u8("signature", SIGNATURE)
                .be16("dci_stream_channel_id", STREAM)
                .u8("fm_ce_se", FLAGS)
                .be32("imm", IMMEDIATE);
    }
}
