package dev.doorbell.spec;

/**
 * How far a FLUSH must bring what was written before it (IBV_FLUSH_*).
 *
 * <p>Follows ibv_wr_flush(3).
 *
 * <p>Thread rules: immutable.
 */
public enum FlushPlacement {
    /** Every observer at the peer sees it. */
    GLOBAL_VISIBILITY(1),
    /** It survives the loss of power. */
    PERSISTENCE(2),
    /** Both. */
    VISIBILITY_AND_PERSISTENCE(3);

    private final int code;

    FlushPlacement(int code) {
        this.code = code;
    }

    /** The bits that work requests and packets carry. */
    public int code() {
        return code;
    }

    /** The access that a queue pair and the memory must grant, bits of {@link AccessFlag}. */
    public int access() {
        int global = (code & GLOBAL_VISIBILITY.code) == 0 ? 0 : AccessFlag.FLUSH_GLOBAL.bit();
        return (code & PERSISTENCE.code) == 0 ? global : global | AccessFlag.FLUSH_PERSISTENT.bit();
    }
}
