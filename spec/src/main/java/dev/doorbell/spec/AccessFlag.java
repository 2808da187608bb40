package dev.doorbell.spec;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a memory region, a memory window or a queue pair allows (IBV_ACCESS_*).
 *
 * <p>Follows ibv_reg_mr(3), ibv_bind_mw(3) and ibv_modify_qp(3).
 *
 * <p>Thread rules: immutable.
 */
public enum AccessFlag {
    /** The device may write for local work requests: RECV, RDMA READ and atomic results. */
    LOCAL_WRITE(0),
    /** Peers may write. Needs {@link #LOCAL_WRITE} on a memory region. */
    REMOTE_WRITE(1),
    /** Peers may read. */
    REMOTE_READ(2),
    /** Peers may run atomic operations. Needs {@link #LOCAL_WRITE} on a memory region. */
    REMOTE_ATOMIC(3),
    /** Memory windows may be bound. */
    MW_BIND(4),
    /** Addresses count from the start of the memory. */
    ZERO_BASED(5),
    /** Pages are not pinned but fetched on demand. */
    ON_DEMAND(6),
    /** The memory consists of huge pages. */
    HUGETLB(7),
    /** Peers may FLUSH to global visibility. */
    FLUSH_GLOBAL(8),
    /** Peers may FLUSH to persistence. */
    FLUSH_PERSISTENT(9),
    /** Writes may become visible in any order; a kernel may ignore it. */
    RELAXED_ORDERING(20);

    private final int bit;

    AccessFlag(int number) {
        this.bit = 1 << number;
    }

    /** The flag's bit in a mask, a power of two. */
    public int bit() {
        return bit;
    }

    /** Whether the flag is in a mask. */
    public boolean isIn(int mask) {
        return (mask & bit) != 0;
    }

    /** The mask of a set of flags. */
    public static int mask(Set<AccessFlag> flags) {
        int mask = 0;
        for (AccessFlag flag : flags) {
            mask |= flag.bit;
        }
        return mask;
    }

    /** The flags that are in a mask; bits without a name here are left out, see {@link #unnamed}. */
    public static Set<AccessFlag> set(int mask) {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : values()) {
            if (flag.isIn(mask)) {
                flags.add(flag);
            }
        }
        return flags;
    }

    /** The bits of a mask that have no name here. */
    public static int unnamed(int mask) {
        for (AccessFlag flag : values()) {
            mask &= ~flag.bit;
        }
        return mask;
    }

    /**
     * The rule of the kernel for memory regions: whoever lets peers write, also by atomic operations, lets the device
     * write.
     *
     * @return {@link #LOCAL_WRITE} if the mask needs it and lacks it, otherwise nothing
     */
    public static Optional<AccessFlag> missing(int mask) {
        boolean needsLocalWrite = REMOTE_WRITE.isIn(mask) || REMOTE_ATOMIC.isIn(mask);
        return needsLocalWrite && !LOCAL_WRITE.isIn(mask) ? Optional.of(LOCAL_WRITE) : Optional.empty();
    }

    /** The flags that a queue pair's access mask may hold; the others belong to memory. */
    public static int queuePairMask() {
        return mask(EnumSet.of(REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL, FLUSH_PERSISTENT));
    }
}
