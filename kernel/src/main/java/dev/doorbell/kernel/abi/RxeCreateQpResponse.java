package dev.doorbell.kernel.abi;

import java.lang.foreign.MemorySegment;

/**
 * The driver's answer of CREATE_QP. The receive queue's part means nothing with a shared receive queue.
 *
 * <pre>
 *   struct rxe_create_qp_resp
 *      0  16 B   rq_mi  {@link RxeMmapInfo}, of the receive queue
 *     16  16 B   sq_mi  {@link RxeMmapInfo}, of the send queue
 *     32  bytes in all
 * </pre>
 */
public final class RxeCreateQpResponse {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    /** Where the {@link RxeMmapInfo} of the receive queue lies in this struct. */
    public static final int RECEIVE_QUEUE = 0;

    /** Where the {@link RxeMmapInfo} of the send queue lies in this struct. */
    public static final int SEND_QUEUE = 16;

    private RxeCreateQpResponse() {}

    /** The struct on one line. */
    public static String print(MemorySegment segment, long at) {
        return layout().print(segment, at);
    }

    static Layout layout() {
        return Layout.of("rxe_create_qp_resp", SIZE)
                .struct("rq_mi", RECEIVE_QUEUE, RxeMmapInfo.layout())
                .struct("sq_mi", SEND_QUEUE, RxeMmapInfo.layout());
    }
}
