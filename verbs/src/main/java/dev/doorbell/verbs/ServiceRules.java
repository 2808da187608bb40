package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/** What each transport service has of the operations, and what datagrams need beside. */
final class ServiceRules {
    private static final String POST = "post send";
    private static final int QUEUE_PAIR_MASK = 0xff_ffff;

    private ServiceRules() {}

    /** A bit for each operation, by its number. */
    static int operations(QueuePairType type) {
        int sends = bit(WorkRequestOpcode.SEND) | bit(WorkRequestOpcode.SEND_WITH_IMM);
        return switch (type) {
            case RC -> -1;
            case UC ->
                sends
                        | bit(WorkRequestOpcode.RDMA_WRITE)
                        | bit(WorkRequestOpcode.RDMA_WRITE_WITH_IMM)
                        | bit(WorkRequestOpcode.BIND_MW);
            case UD -> sends;
        };
    }

    private static int bit(WorkRequestOpcode opcode) {
        return 1 << opcode.code();
    }

    static VerbsException refusal(String name, QueuePairType type, int operation) {
        return Refusal.of(Errno.EINVAL, POST, name)
                .rule("its transport service has no such operation")
                .limit(
                        WorkRequestOpcode.of(operation) + " on " + type,
                        type == QueuePairType.UD ? "SEND" : "SEND and WRITE, without invalidation")
                .remedy("Use a queue pair of type RC")
                .exception();
    }

    /** Why a work request may not be sent there; null if it may. */
    static @Nullable RuntimeException addressRefusal(QueuePair queuePair, AddressHandle handle, int remoteQueuePair) {
        if (queuePair.type() != QueuePairType.UD) {
            return Refusal.of(Errno.EINVAL, POST, queuePair.toString())
                    .rule("a connected queue pair sends to its peer alone")
                    .remedy("Leave to() out, or use a queue pair of type UD")
                    .exception();
        }
        if (handle.protectionDomain() != queuePair.protectionDomain()) {
            return Refusal.of(Errno.EINVAL, POST, queuePair.toString())
                    .rule(handle + " belongs to " + handle.protectionDomain() + " and not to "
                            + queuePair.protectionDomain())
                    .remedy("Create the address handle in the queue pair's protection domain")
                    .exception();
        }
        if (!handle.isOpen()) {
            return handle.closed(POST);
        }
        if ((remoteQueuePair & ~QUEUE_PAIR_MASK) != 0) {
            return Refusal.of(Errno.EINVAL, POST, queuePair.toString())
                    .limit("queue pair number 0x" + Integer.toHexString(remoteQueuePair), "24 bits")
                    .exception();
        }
        return null;
    }

    static VerbsException noAddress(String name) {
        return Refusal.of(Errno.EINVAL, POST, name)
                .rule("the datagram does not say where it goes")
                .remedy("Name an address handle, the peer's queue pair and its Q_Key with to()")
                .exception();
    }

    static VerbsException tooLong(String name, long asked, long allowed) {
        return Refusal.of(Errno.EINVAL, POST, name)
                .rule("a datagram is one packet, and the port's MTU is its limit")
                .limit(asked + " bytes", allowed)
                .remedy("Send it in parts, or over a connection")
                .exception();
    }
}
