package dev.doorbell.spec;

import java.util.EnumSet;
import java.util.Set;

/**
 * Flags of a work completion (IBV_WC_*).
 *
 * <p>Follows ibv_poll_cq(3).
 *
 * <p>Thread rules: immutable.
 */
public enum WorkCompletionFlag {
    /** The receive buffer starts with a global route header of 40 bytes. */
    GRH(0),
    /** The immediate data are valid. */
    WITH_IMM(1),
    /** The checksums were right. */
    IP_CSUM_OK(2),
    /** The key that the peer invalidated is valid. */
    WITH_INV(3),
    /** Tag matching: the lists need to be synchronised. */
    TM_SYNC_REQ(4),
    /** Tag matching: a tag matched. */
    TM_MATCH(5),
    /** Tag matching: the data are in the buffer. */
    TM_DATA_VALID(6);

    private final int bit;

    WorkCompletionFlag(int number) {
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
    public static int mask(Set<WorkCompletionFlag> flags) {
        int mask = 0;
        for (WorkCompletionFlag flag : flags) {
            mask |= flag.bit;
        }
        return mask;
    }

    /** The flags that are in a mask; bits without a name here are left out, see {@link #unnamed}. */
    public static Set<WorkCompletionFlag> set(int mask) {
        EnumSet<WorkCompletionFlag> flags = EnumSet.noneOf(WorkCompletionFlag.class);
        for (WorkCompletionFlag flag : values()) {
            if (flag.isIn(mask)) {
                flags.add(flag);
            }
        }
        return flags;
    }

    /** The bits of a mask that have no name here. */
    public static int unnamed(int mask) {
        for (WorkCompletionFlag flag : values()) {
            mask &= ~flag.bit;
        }
        return mask;
    }
}
