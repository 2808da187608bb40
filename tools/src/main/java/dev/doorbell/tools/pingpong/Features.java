package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.Context;
import java.util.Set;

/** Says no, in a sentence, to what was asked for and the device does not have. */
final class Features {
    private Features() {}

    static void require(Set<Extra> extras, Context context) {
        for (Extra extra : extras) {
            String missing = switch (extra) {
                case CHECK, NEW_SEND, EVENTS -> "";
                case ON_DEMAND -> "on-demand paging";
                case IMPLICIT_ON_DEMAND -> "implicit on-demand paging";
                case PREFETCH -> "prefetching of on-demand regions";
                case TIMESTAMPS -> "completion timestamps";
                case DEVICE_MEMORY -> "memory of its own";
            };
            if (!missing.isEmpty()) {
                throw new PingpongException("device " + context.device().name() + ", driven by " + context.driver()
                        + ", has no " + missing + "; leave out -" + extra.letter());
            }
        }
    }
}
