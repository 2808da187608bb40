package dev.doorbell.kernel.abi.mlx5;

/**
 * What failed, in an {@link ErrorCqe}.
 */
public final class Syndrome {
    /** Local length error. */
    public static final int LOCAL_LENGTH = 0x01;

    /** Local queue pair operation error. */
    public static final int LOCAL_QP_OPERATION = 0x02;

    /** Local protection error. */
    public static final int LOCAL_PROTECTION = 0x04;

    /** Flushed: the queue pair is in the error state. */
    public static final int FLUSHED = 0x05;

    /** Memory window bind error. */
    public static final int WINDOW_BIND = 0x06;

    /** Bad response. */
    public static final int BAD_RESPONSE = 0x10;

    /** Local access error. */
    public static final int LOCAL_ACCESS = 0x11;

    /** Remote invalid request. */
    public static final int REMOTE_INVALID_REQUEST = 0x12;

    /** Remote access error. */
    public static final int REMOTE_ACCESS = 0x13;

    /** Remote operation error. */
    public static final int REMOTE_OPERATION = 0x14;

    /** Transport retries exhausted. */
    public static final int TRANSPORT_RETRIES = 0x15;

    /** RNR retries exhausted. */
    public static final int RNR_RETRIES = 0x16;

    /** Remote aborted. */
    public static final int REMOTE_ABORTED = 0x22;

    private Syndrome() {}
}
