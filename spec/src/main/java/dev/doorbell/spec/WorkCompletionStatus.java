package dev.doorbell.spec;

/**
 * How a work request ended (IBV_WC_*), with its usual cause and what to look at.
 *
 * <p>Follows ibv_poll_cq(3).
 *
 * <p>Thread rules: immutable.
 */
public enum WorkCompletionStatus {
    /** Done. */
    SUCCESS("success", "the work request is done", "nothing to do"),
    /** A message and the memory for it differ in length. */
    LOC_LEN_ERR(
            "local length error",
            "a message was longer than the receive buffer, or than the port allows",
            "post larger receives; on UD add 40 bytes for the global route header"),
    /** The work request itself is wrong. */
    LOC_QP_OP_ERR(
            "local QP operation error",
            "the device could not make sense of the work request, or a receive buffer was too small",
            "check operation, flags and elements against what the queue pair's type and the device support"),
    /** Historic. */
    LOC_EEC_OP_ERR("local EE context operation error", "reliable datagram only", "not used by today's devices"),
    /** The own memory is not what the work request says. */
    LOC_PROT_ERR(
            "local protection error",
            "an element's lkey, range or rights do not fit the memory, or the memory is gone",
            "check that the region covers address and length, is still registered, belongs to the queue pair's"
                    + " protection domain, and allows LOCAL_WRITE where the device writes"),
    /** Never started, because the queue pair failed before. */
    WR_FLUSH_ERR(
            "work request flushed error",
            "the queue pair was in the error state: an earlier work request failed, or somebody moved it there",
            "look at the first completion that failed with another status; this one is its consequence"),
    /** A memory window could not be bound. */
    MW_BIND_ERR(
            "memory window bind error",
            "window, region and rights do not fit together",
            "the region needs MW_BIND, the window must lie inside it and may not allow more than it"),
    /** The peer answered something else. */
    BAD_RESP_ERR(
            "bad response error",
            "the peer answered with something that the request did not ask for",
            "check that both ends use the same path MTU and are really connected to each other"),
    /** The peer wrote where this side does not allow it. */
    LOC_ACCESS_ERR(
            "local access error",
            "an RDMA WRITE with immediate data hit memory that it may not write",
            "check the rights of the region that was announced to the peer"),
    /** The peer found the request invalid. */
    REM_INV_REQ_ERR(
            "remote invalid request error",
            "the peer's queue pair refused: operation not allowed on it, wrong length, or unaligned atomic",
            "check the peer queue pair's access flags, its limit of READs and atomics, and the size of its receives"),
    /** The peer refused access to its memory. */
    REM_ACCESS_ERR(
            "remote access error",
            "the peer's memory does not allow this: wrong rkey, range or rights, or it is no longer registered",
            "check address, length and rkey that the peer announced, and that its region allows the operation"),
    /** The peer failed. */
    REM_OP_ERR(
            "remote operation error",
            "the peer could not do it, often because its receive buffer is bad or too small",
            "look at the peer's completions and the size of its receives"),
    /** No answer. */
    RETRY_EXC_ERR(
            "transport retry counter exceeded",
            "the peer did not answer in time, over and over",
            "check that the peer's queue pair is at least ready to receive with this queue pair's number, GID and"
                    + " path MTU, that UDP port 4791 gets through, and that timeout and retry count are large enough"),
    /** The peer had no receive posted. */
    RNR_RETRY_EXC_ERR(
            "RNR retry counter exceeded",
            "the peer had no receive work request for this message, over and over",
            "post receives before the peer sends, or raise the RNR retry count (7 waits for ever)"),
    /** Historic. */
    LOC_RDD_VIOL_ERR("local RDD violation error", "reliable datagram only", "not used by today's devices"),
    /** Historic. */
    REM_INV_RD_REQ_ERR("remote invalid RD request", "reliable datagram only", "not used by today's devices"),
    /** Cancelled. */
    REM_ABORT_ERR(
            "aborted error", "the operation was aborted at the peer", "look at the peer's completions and its log"),
    /** Historic. */
    INV_EECN_ERR("invalid EE context number", "reliable datagram only", "not used by today's devices"),
    /** Historic. */
    INV_EEC_STATE_ERR("invalid EE context state", "reliable datagram only", "not used by today's devices"),
    /** Beyond repair. */
    FATAL_ERR(
            "fatal error",
            "the device or its driver got into a state that it cannot leave",
            "destroy the queue pair; look at the asynchronous events and the kernel's log"),
    /** No response. */
    RESP_TIMEOUT_ERR(
            "response timeout error", "a response did not come in time", "check that the peer is alive and reachable"),
    /** Something else. */
    GENERAL_ERR(
            "general error",
            "the device reports an error that has no status of its own",
            "look at the completion's vendor error and the kernel's log"),
    /** Tag matching failed. */
    TM_ERR("TM error", "tag matching failed", "look at the completion's vendor error"),
    /** Tag matching has to be finished by the program. */
    TM_RNDV_INCOMPLETE(
            "TM software rendezvous",
            "a rendezvous message was not fetched by the device",
            "fetch it with an RDMA READ"),
    /** A number without a name here; whoever holds the number shows it. */
    UNKNOWN("unknown status", "the driver reports a number that the verbs do not define", "look at the driver's notes");

    private static final WorkCompletionStatus[] VALUES = values();

    private final String text;
    private final String cause;
    private final String hint;

    WorkCompletionStatus(String text, String cause, String hint) {
        this.text = text;
        this.cause = cause;
        this.hint = hint;
    }

    /** The number in a completion, 0 to 23; -1 for {@link #UNKNOWN}. */
    public int code() {
        return this == UNKNOWN ? -1 : ordinal();
    }

    /** What it is called, in the words of {@code ibv_wc_status_str}. */
    public String text() {
        return text;
    }

    /** What usually leads to it. */
    public String cause() {
        return cause;
    }

    /** What to look at. */
    public String hint() {
        return hint;
    }

    /** Whether the work request was done. */
    public boolean isSuccess() {
        return this == SUCCESS;
    }

    /** The constant with this number; {@link #UNKNOWN} for a number that has none. Part of the data path. */
    public static WorkCompletionStatus of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : UNKNOWN;
    }
}
