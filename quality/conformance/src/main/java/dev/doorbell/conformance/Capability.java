package dev.doorbell.conformance;

/** Something that not every device has. What a fabric lacks it {@linkplain Fabric#lacks() declares}, with the reason. */
public enum Capability {
    /** Unreliable connections. */
    UC,
    /** Datagrams and address handles. */
    UD,
    /** Multicast groups. */
    MULTICAST,
    /** Shared receive queues. */
    SRQ,
    /** Shared receive queues of another size. */
    RESIZE_SRQ,
    /** A shared receive queue is as large as it says: none without work requests, no limit beyond its size. */
    EXACT_SRQ,
    /** Completion queues of another size. */
    RESIZE_CQ,
    /** Draining the send queue. */
    SQD,
    /** What was posted while the send queue was drained goes on by itself afterwards. */
    SQD_RESUMES,
    /** While the send queue drains, what has to be sent again is sent again. */
    SQD_RETRY,
    /** Memory windows of type 1. */
    WINDOW_TYPE_1,
    /** Memory windows of type 2B, local invalidate and SEND with invalidate. */
    WINDOW_TYPE_2B,
    /** A registration can be given another domain and other rights. */
    REREGISTER,
    /** A registration can be given other memory. */
    REREGISTER_MEMORY,
    /** ATOMIC WRITE. */
    ATOMIC_WRITE,
    /** FLUSH. */
    FLUSH,
    /** Completions say when they happened. */
    COMPLETION_TIMESTAMP,
    /** Completions stay when their queue pair goes. */
    COMPLETIONS_OUTLIVE_QUEUE_PAIR,
    /** Completion channels and asynchronous events. */
    EVENTS,
    /** Who asked for an event of any completion gets it, though he asked for solicited ones afterwards. */
    ANY_OUTWEIGHS_SOLICITED,
    /** An event says that a queue pair which failed takes nothing more from its shared receive queue. */
    LAST_REQUEST_EVENT,
    /** Two devices with packets between them, so that loss, wrong peers and time-outs are real. */
    TWO_DEVICES,
    /** Packets that get lost or come twice when a case wants them to. */
    FAULTS,
    /** Devices that fail when a case wants them to. */
    DEVICE_FAILURE,
    /** Posting to a device that failed is refused. */
    POSTING_SEES_FAILURE,
    /** The last aligned eight bytes of a WRITE are stored after the others, so that a program can poll memory. */
    LAST_WORD_LAST,
    /** Connections by address: the device's kernel has a connection manager. */
    CONNECTION_MANAGER
}
