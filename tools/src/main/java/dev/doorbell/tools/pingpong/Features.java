package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.Capability;
import dev.doorbell.verbs.Context;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says no, in a sentence, to what was asked for and the device, or this program, does not have. */
final class Features {
    private Features() {}

    static void require(Set<Extra> extras, Context context) {
        for (Extra extra : extras) {
            Capability needed = needed(extra);
            if (needed != null && !context.supports(needed)) {
                throw new PingpongException("device " + context.device().name() + ", driven by " + context.driver()
                        + ", has no " + name(extra) + "; leave out -" + extra.letter());
            }
            if (!isUsed(extra)) {
                throw new PingpongException(
                        "this program does not use " + name(extra) + "; leave out -" + extra.letter());
            }
        }
    }

    private static @Nullable Capability needed(Extra extra) {
        return switch (extra) {
            case CHECK, NEW_SEND, EVENTS -> null;
            case ON_DEMAND, IMPLICIT_ON_DEMAND -> Capability.ON_DEMAND_PAGING;
            case PREFETCH -> Capability.PREFETCH;
            case TIMESTAMPS -> Capability.COMPLETION_TIMESTAMPS;
            case DEVICE_MEMORY -> Capability.DEVICE_MEMORY;
        };
    }

    private static boolean isUsed(Extra extra) {
        return switch (extra) {
            case CHECK, NEW_SEND, EVENTS, ON_DEMAND, TIMESTAMPS -> true;
            case IMPLICIT_ON_DEMAND, PREFETCH, DEVICE_MEMORY -> false;
        };
    }

    private static String name(Extra extra) {
        return switch (extra) {
            case CHECK -> "validation";
            case NEW_SEND -> "batches";
            case EVENTS -> "completion events";
            case ON_DEMAND -> "on-demand paging";
            case IMPLICIT_ON_DEMAND -> "implicit on-demand paging";
            case PREFETCH -> "prefetching of on-demand regions";
            case TIMESTAMPS -> "completion timestamps";
            case DEVICE_MEMORY -> "memory of its own";
        };
    }
}
