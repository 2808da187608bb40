package dev.doorbell.verbs;

import java.util.List;

/**
 * A change of a shared receive queue's list of tags ({@code struct ibv_ops_wr}, ibv_post_srq_ops(3)), by which the device
 * finds the buffer of a message. No device that Doorbell drives today matches tags.
 *
 * <p>Thread rules: immutable, as long as nobody changes the list of elements.
 */
public sealed interface TagList {
    /**
     * A message with this tag goes to these elements.
     *
     * @param id comes back in the completion
     * @param tag the tag
     * @param mask the bits of it that count
     * @param elements where the message goes
     */
    record Add(long id, long tag, long mask, List<MemorySlice> elements) implements TagList {}

    /**
     * Takes an entry out of the list.
     *
     * @param id comes back in the completion
     * @param handle what adding it returned
     */
    record Remove(long id, int handle) implements TagList {}

    /**
     * Tells the device how many unexpected messages were handled.
     *
     * @param id comes back in the completion
     * @param unexpected how many
     */
    record Synchronise(long id, int unexpected) implements TagList {}
}
