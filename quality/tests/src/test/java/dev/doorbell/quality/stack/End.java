package dev.doorbell.quality.stack;

import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import java.lang.foreign.MemorySegment;

/** One end of a {@link Pair}: everything that it owns. Its one completion queue takes sends and receives. */
public record End(
        Context context,
        ProtectionDomain domain,
        CompletionQueue completions,
        QueuePair queuePair,
        MemoryRegion region) {
    /** The bytes of its region. */
    public MemorySegment memory() {
        return region.segment();
    }
}
