package dev.doorbell.verbs;

import dev.doorbell.spec.AsyncEventType;

/**
 * Something that happened to a device, a port or an object by itself (ibv_get_async_event(3)). It is acknowledged already,
 * and keeps nothing from being closed.
 *
 * <p>Thread rules: immutable.
 */
public sealed interface AsyncEvent {
    /** What happened; {@link AsyncEventType#UNKNOWN} for a number that has no name here. */
    AsyncEventType type();

    /** The kernel's number for it. */
    int code();

    /**
     * It happened to a queue pair: QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR,
     * QP_LAST_WQE_REACHED.
     */
    record OfQueuePair(AsyncEventType type, QueuePair queuePair) implements AsyncEvent {
        @Override
        public int code() {
            return type.code();
        }
    }

    /** It happened to a completion queue: CQ_ERR. Its queue pairs go to the error state. */
    record OfCompletionQueue(AsyncEventType type, CompletionQueue completionQueue) implements AsyncEvent {
        @Override
        public int code() {
            return type.code();
        }
    }

    /** It happened to a shared receive queue: SRQ_ERR, SRQ_LIMIT_REACHED. */
    record OfSharedReceiveQueue(AsyncEventType type, SharedReceiveQueue sharedReceiveQueue) implements AsyncEvent {
        @Override
        public int code() {
            return type.code();
        }
    }

    /**
     * It happened to a port: PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE,
     * DEVICE_SPEED_CHANGE.
     *
     * @param port from 1
     */
    record OfPort(AsyncEventType type, Device device, int port) implements AsyncEvent {
        @Override
        public int code() {
            return type.code();
        }
    }

    /** It happened to the whole device: DEVICE_FATAL. Nothing of it works any more; close the context. */
    record OfDevice(AsyncEventType type, Device device) implements AsyncEvent {
        @Override
        public int code() {
            return type.code();
        }
    }

    /**
     * An event that this library has no name for, or that concerns an object which it does not know.
     *
     * @param type its type, {@link AsyncEventType#UNKNOWN} without a name
     * @param code the kernel's number for it
     * @param element what the kernel says it concerns: a port, or a cookie
     */
    record Other(AsyncEventType type, int code, long element) implements AsyncEvent {}
}
