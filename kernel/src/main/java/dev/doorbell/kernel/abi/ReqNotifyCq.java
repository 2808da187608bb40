package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/**
 * The request of REQ_NOTIFY_CQ: asks for one event; it has no answer.
 *
 * <pre>
 *   struct ib_uverbs_req_notify_cq
 *      0  u32    cq_handle       completion queue
 *      4  u32    solicited_only  1: solicited completions and errors only
 *      8  bytes in all
 * </pre>
 */
public final class ReqNotifyCq {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    private static final int CQ_HANDLE = 0;
    private static final int SOLICITED_ONLY = 4;

    private ReqNotifyCq() {}

    /** Completion queue. */
    public static int cqHandle(MemorySegment segment, long at) {
        return Host.getInt(segment, at + CQ_HANDLE);
    }

    /** Stores {@link #cqHandle}. */
    public static void setCqHandle(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + CQ_HANDLE, value);
    }

    /** 1: solicited completions and errors only. */
    public static int solicitedOnly(MemorySegment segment, long at) {
        return Host.getInt(segment, at + SOLICITED_ONLY);
    }

    /** Stores {@link #solicitedOnly}. */
    public static void setSolicitedOnly(MemorySegment segment, long at, int value) {
        Host.setInt(segment, at + SOLICITED_ONLY, value);
    }

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("ib_uverbs_req_notify_cq", SIZE)
                .u32("cq_handle", CQ_HANDLE)
                .u32("solicited_only", SOLICITED_ONLY);
    }
}
