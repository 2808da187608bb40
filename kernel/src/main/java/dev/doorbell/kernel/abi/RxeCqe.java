package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * A completion, as rxe's completion queue and POLL_CQ have it. On an error only {@code wr_id}, {@code status},
 * {@code vendor_err} and {@code qp_num} mean something.
 *
 * <pre>
 *   struct ib_uverbs_wc
 *      0  u64    wr_id               identifier that the work request carried
 *      8  u32    status              see {@code WorkCompletionStatus}
 *     12  u32    opcode              see {@code WorkCompletionOpcode}
 *     16  u32    vendor_err          the device's own error code
 *     20  u32    byte_len            bytes received
 *     24  be32   ex.imm_data         immediate data, if the flags say so
 *     24  u32    ex.invalidate_rkey  key that the peer invalidated, if the flags say so
 *     28  u32    qp_num              own queue pair
 *     32  u32    src_qp              peer's queue pair (UD)
 *     36  u32    wc_flags            see {@code WorkCompletionFlag}
 *     40  u16    pkey_index          slot of the partition key table
 *     42  u16    slid                local identifier of the sender; 0 on Ethernet
 *     44  u8     sl                  service level
 *     45  u8     dlid_path_bits      low bits of the own local identifier
 *     46  u8     port_num            port
 *     47  u8     reserved
 *     48  bytes in all
 * </pre>
 */
public final class RxeCqe {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    /**
     * What an element of a completion ring needs, as Linux makes them: the kernel has its own, larger struct in the same
     * place. A driver goes by the ring's header.
     */
    public static final int ELEMENT_SIZE = 128;

    /**
     * In {@code wc_flags}: the key that the peer invalidated is valid. The kernel stores its own number for it, which is not
     * that of the verbs.
     */
    public static final int WITH_INVALIDATE = 1 << 2;

    private static final int WR_ID = 0;
    private static final int STATUS = 8;
    private static final int OPCODE = 12;
    private static final int VENDOR_ERR = 16;
    private static final int BYTE_LEN = 20;
    private static final int IMM_DATA = 24;
    private static final int INVALIDATE_RKEY = 24;
    private static final int QP_NUM = 28;
    private static final int SRC_QP = 32;
    private static final int WC_FLAGS = 36;
    private static final int PKEY_INDEX = 40;
    private static final int SLID = 42;
    private static final int SL = 44;
    private static final int DLID_PATH_BITS = 45;
    private static final int PORT_NUM = 46;

    private RxeCqe() {}

    /** Identifier that the work request carried. */
    public static long wrId(MemorySegment segment, long at) {
        return Host.getLong(segment, at + WR_ID);
    }

    /** Stores {@link #wrId}. */
    public static void setWrId(MemorySegment segment, long at, long value) {
        Host.setLong(segment, at + WR_ID, value);
    }

    /** See {@code WorkCompletionStatus}. */
    public static int status(MemorySegment segment, long at) {
        return Host.getInt(segment, at + STATUS);
    }

    /** Stores {@link #status}. */
    public static void setStatus(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + STATUS, value);
    }

    /** See {@code WorkCompletionOpcode}. */
    public static int opcode(MemorySegment segment, long at) {
        return Host.getInt(segment, at + OPCODE);
    }

    /** Stores {@link #opcode}. */
    public static void setOpcode(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + OPCODE, value);
    }

    /** The device's own error code. */
    public static int vendorErr(MemorySegment segment, long at) {
        return Host.getInt(segment, at + VENDOR_ERR);
    }

    /** Stores {@link #vendorErr}. */
    public static void setVendorErr(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + VENDOR_ERR, value);
    }

    /** Bytes received. */
    public static long byteLen(MemorySegment segment, long at) {
        return Host.getUnsignedInt(segment, at + BYTE_LEN);
    }

    /** Stores {@link #byteLen}. */
    public static void setByteLen(MemorySegment segment, long at, long value) {
        Host.setInt(segment, at + BYTE_LEN, (int) value);
    }

    /** Immediate data, if the flags say so. */
    public static int immData(MemorySegment segment, long at) {
        return Be.getInt(segment, at + IMM_DATA);
    }

    /** Stores {@link #immData}. */
    public static void setImmData(MemorySegment segment, long at, int value) {
        Be.setInt(segment, at + IMM_DATA, value);
    }

    /** Key that the peer invalidated, if the flags say so. */
    public static int invalidateRkey(MemorySegment segment, long at) {
        return Host.getInt(segment, at + INVALIDATE_RKEY);
    }

    /** Stores {@link #invalidateRkey}. */
    public static void setInvalidateRkey(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + INVALIDATE_RKEY, value);
    }

    /** Own queue pair. */
    public static int qpNum(MemorySegment segment, long at) {
        return Host.getInt(segment, at + QP_NUM);
    }

    /** Stores {@link #qpNum}. */
    public static void setQpNum(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + QP_NUM, value);
    }

    /** Peer's queue pair (UD). */
    public static int srcQp(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SRC_QP);
    }

    /** Stores {@link #srcQp}. */
    public static void setSrcQp(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SRC_QP, value);
    }

    /** See {@code WorkCompletionFlag}. */
    public static int wcFlags(MemorySegment segment, long at) {
        return Host.getInt(segment, at + WC_FLAGS);
    }

    /** Stores {@link #wcFlags}. */
    public static void setWcFlags(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + WC_FLAGS, value);
    }

    /** Slot of the partition key table. */
    public static int pkeyIndex(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + PKEY_INDEX);
    }

    /** Stores {@link #pkeyIndex}. */
    public static void setPkeyIndex(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + PKEY_INDEX, value);
    }

    /** Local identifier of the sender; 0 on Ethernet. */
    public static int slid(MemorySegment segment, long at) {
        return Host.getUnsignedShort(segment, at + SLID);
    }

    /** Stores {@link #slid}. */
    public static void setSlid(MemorySegment segment, long at, int value) {
        Host.setShort(segment, at + SLID, value);
    }

    /** Service level. */
    public static int sl(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + SL);
    }

    /** Stores {@link #sl}. */
    public static void setSl(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + SL, value);
    }

    /** Low bits of the own local identifier. */
    public static int dlidPathBits(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + DLID_PATH_BITS);
    }

    /** Stores {@link #dlidPathBits}. */
    public static void setDlidPathBits(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + DLID_PATH_BITS, value);
    }

    /** Port. */
    public static int portNum(MemorySegment segment, long at) {
        return Host.getUnsignedByte(segment, at + PORT_NUM);
    }

    /** Stores {@link #portNum}. */
    public static void setPortNum(MemorySegment segment, long at, int value) {
        Host.setByte(segment, at + PORT_NUM, value);
    }

    /** Stores {@link #status} and {@link #opcode} with one access. */
    public static void setOutcome(MemorySegment segment, long at, int status, int opcode) {
        Host.setInts(segment, at + STATUS, status, opcode);
    }

    /** Stores {@link #byteLen}, and no {@link #vendorErr}, with one access. */
    public static void setBytes(MemorySegment segment, long at, int bytes) {
        Host.setInts(segment, at + VENDOR_ERR, 0, bytes);
    }

    /** Stores {@link #srcQp} and {@link #wcFlags} with one access. */
    public static void setSourceAndFlags(MemorySegment segment, long at, int sourceQueuePair, int flags) {
        Host.setInts(segment, at + SRC_QP, sourceQueuePair, flags);
    }

    /** Stores {@link #portNum}, and 0 for what only InfiniBand has beside it. */
    public static void setPortOnly(MemorySegment segment, long at, int port) {
        Host.setLong(segment, at + PKEY_INDEX, 0);
        Host.setByte(segment, at + PORT_NUM, port);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_wc", SIZE)
                .u64("wr_id", WR_ID)
                .u32("status", STATUS)
                .u32("opcode", OPCODE)
                .u32("vendor_err", VENDOR_ERR)
                .u32("byte_len", BYTE_LEN)
                .be32("ex.imm_data", IMM_DATA)
                .u32("ex.invalidate_rkey", INVALIDATE_RKEY)
                .u32("qp_num", QP_NUM)
                .u32("src_qp", SRC_QP)
                .u32("wc_flags", WC_FLAGS)
                .u16("pkey_index", PKEY_INDEX)
                .u16("slid", SLID)
                .u8("sl", SL)
                .u8("dlid_path_bits", DLID_PATH_BITS)
                .u8("port_num", PORT_NUM)
                .reserved("reserved", 47, 1);
    }
}
