package dev.doorbell.soft.hca;

/**
 * What a shared receive queue reports.
 *
 * <p>Thread rules: as for {@link CompletionListener}.
 */
public interface SharedReceiveListener {
    /** Fewer work requests wait than the limit that was armed; it is disarmed now. */
    void limitReached();

    /** The queue is in error, once: a work request in it makes no sense. It hands out nothing any more. */
    void failed();
}
