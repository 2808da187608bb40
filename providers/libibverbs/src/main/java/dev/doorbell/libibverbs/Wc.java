package dev.doorbell.libibverbs;

/**
 * A completion in C.
 *
 * <pre>
 *   struct ibv_wc
 *      0  u64  wr_id
 *      8  s32  status
 *     12  s32  opcode
 *     16  u32  vendor_err
 *     20  u32  byte_len
 *     24  be32 imm_data        or u32 invalidated_rkey
 *     28  u32  qp_num
 *     32  u32  src_qp
 *     36  u32  wc_flags
 *     40  u16  pkey_index
 *     42  u16  slid
 *     44  u8   sl
 *     45  u8   dlid_path_bits
 *     48  bytes in all
 * </pre>
 */
final class Wc {
    static final int SIZE = 48;
    static final int WR_ID = 0;
    static final int STATUS = 8;
    static final int OPCODE = 12;
    static final int VENDOR_ERR = 16;
    static final int BYTE_LEN = 20;
    static final int IMM_DATA = 24;
    static final int QP_NUM = 28;
    static final int SRC_QP = 32;
    static final int WC_FLAGS = 36;
    static final int PKEY_INDEX = 40;
    static final int SLID = 42;
    static final int SL = 44;
    static final int DLID_PATH_BITS = 45;

    private Wc() {}
}
