package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import dev.doorbell.verbs.QueuePairCapacity;
import java.lang.foreign.MemorySegment;

/**
 * What a queue pair is to be, in C; the library writes what it granted into the sizes.
 *
 * <pre>
 *   struct ibv_qp_init_attr
 *      0  ptr  qp_context
 *      8  ptr  send_cq
 *     16  ptr  recv_cq
 *     24  ptr  srq
 *     32  u32  cap.max_send_wr
 *     36  u32  cap.max_recv_wr
 *     40  u32  cap.max_send_sge
 *     44  u32  cap.max_recv_sge
 *     48  u32  cap.max_inline_data
 *     52  s32  qp_type
 *     56  s32  sq_sig_all
 *     64  bytes in all
 * </pre>
 */
final class QpInitAttr {
    static final int SIZE = 64;
    static final int QP_CONTEXT = 0;
    static final int SEND_CQ = 8;
    static final int RECV_CQ = 16;
    static final int SRQ = 24;
    static final int MAX_SEND_WR = 32;
    static final int MAX_RECV_WR = 36;
    static final int MAX_SEND_SGE = 40;
    static final int MAX_RECV_SGE = 44;
    static final int MAX_INLINE_DATA = 48;
    static final int QP_TYPE = 52;
    static final int SQ_SIG_ALL = 56;

    private QpInitAttr() {}

    static void writeCapacity(MemorySegment out, QueuePairCapacity capacity) {
        Host.setInt(out, MAX_SEND_WR, capacity.maxSendRequests());
        Host.setInt(out, MAX_RECV_WR, capacity.maxReceiveRequests());
        Host.setInt(out, MAX_SEND_SGE, capacity.maxSendSge());
        Host.setInt(out, MAX_RECV_SGE, capacity.maxReceiveSge());
        Host.setInt(out, MAX_INLINE_DATA, capacity.maxInline());
    }

    static QueuePairCapacity readCapacity(MemorySegment in) {
        return new QueuePairCapacity(
                Host.getInt(in, MAX_SEND_WR),
                Host.getInt(in, MAX_RECV_WR),
                Host.getInt(in, MAX_SEND_SGE),
                Host.getInt(in, MAX_RECV_SGE),
                Host.getInt(in, MAX_INLINE_DATA));
    }
}
