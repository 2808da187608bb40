package dev.doorbell.spec;

import java.util.EnumSet;
import java.util.Set;

/**
 * Flags of a send work request (IBV_SEND_*).
 *
 * <p>Follows ibv_post_send(3).
 *
 * <p>Thread rules: immutable.
 */
public enum SendFlag {
    /** Start only after all earlier READs and atomics of this queue pair are complete. */
    FENCE(0),
    /** Complete visibly, also on success. */
    SIGNALED(1),
    /** Raise an event at the peer where it waits for solicited completions only. */
    SOLICITED(2),
    /** The message lies in the work request itself. */
    INLINE(3),
    /** Let the device fill IP and TCP or UDP checksums. */
    IP_CSUM(4);

    private final int bit;

    SendFlag(int number) {
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
    public static int mask(Set<SendFlag> flags) {
        int mask = 0;
        for (SendFlag flag : flags) {
            mask |= flag.bit;
        }
        return mask;
    }

    /** The flags that are in a mask; bits without a name here are left out, see {@link #unnamed}. */
    public static Set<SendFlag> set(int mask) {
        EnumSet<SendFlag> flags = EnumSet.noneOf(SendFlag.class);
        for (SendFlag flag : values()) {
            if (flag.isIn(mask)) {
                flags.add(flag);
            }
        }
        return flags;
    }

    /** The bits of a mask that have no name here. */
    public static int unnamed(int mask) {
        for (SendFlag flag : values()) {
            mask &= ~flag.bit;
        }
        return mask;
    }
}
