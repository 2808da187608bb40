package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import java.util.EnumSet;
import java.util.Set;

/** Which operations a queue pair has: what its transport service knows, as far as the device offers it. */
final class OperationSet {
    private static final Set<WorkRequestOpcode> OPTIONAL = EnumSet.of(
            WorkRequestOpcode.BIND_MW,
            WorkRequestOpcode.LOCAL_INV,
            WorkRequestOpcode.SEND_WITH_INV,
            WorkRequestOpcode.FLUSH,
            WorkRequestOpcode.ATOMIC_WRITE,
            WorkRequestOpcode.TSO,
            WorkRequestOpcode.DRIVER1);

    private OperationSet() {}

    /** One bit for each operation number that a queue pair has on a device with these {@link DeviceCapability} bits. */
    static int mask(QueuePairType type, long capabilities) {
        int mask = ServiceRules.operations(type);
        for (WorkRequestOpcode operation : OPTIONAL) {
            if ((needed(operation) & capabilities) == 0) {
                mask &= ~(1 << operation.code());
            }
        }
        return mask;
    }

    /** The capabilities of which the device must have one; 0 for what every device has, or none. */
    private static long needed(WorkRequestOpcode operation) {
        long type2 = DeviceCapability.MEM_WINDOW_TYPE_2A.bit() | DeviceCapability.MEM_WINDOW_TYPE_2B.bit();
        return switch (operation) {
            case BIND_MW -> DeviceCapability.MEM_WINDOW.bit() | type2;
            case LOCAL_INV, SEND_WITH_INV -> DeviceCapability.MEM_MGT_EXTENSIONS.bit() | type2;
            case FLUSH -> DeviceCapability.FLUSH_GLOBAL.bit() | DeviceCapability.FLUSH_PERSISTENT.bit();
            case ATOMIC_WRITE -> DeviceCapability.ATOMIC_WRITE.bit();
            case RDMA_WRITE,
                    RDMA_WRITE_WITH_IMM,
                    SEND,
                    SEND_WITH_IMM,
                    RDMA_READ,
                    ATOMIC_CMP_AND_SWP,
                    ATOMIC_FETCH_AND_ADD,
                    TSO,
                    DRIVER1,
                    UNKNOWN -> 0;
        };
    }

    static VerbsException lacking(String queuePair, QueuePairType type, int operation) {
        if ((ServiceRules.operations(type) >>> operation & 1) == 0) {
            return ServiceRules.refusal(queuePair, type, operation);
        }
        WorkRequestOpcode name = WorkRequestOpcode.of(operation);
        return Refusal.of(Errno.EOPNOTSUPP, "post " + name, queuePair)
                .rule("the device does not offer " + DeviceCapability.set(needed(name)))
                .remedy("Ask QueuePair.supports() first")
                .exception();
    }
}
