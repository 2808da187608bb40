package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import java.time.Duration;

/** What a completion queue may be asked to gather: the command has 16 bits for either number. */
final class Moderation {
    private static final int MOST = 0xffff;
    private static final Duration LONGEST = Duration.ofNanos(MOST * 1000L);

    private Moderation() {}

    /**
     * The period as the command has it.
     *
     * @param object the queue, for messages
     * @throws VerbsException EINVAL if it, or the number of completions, does not fit
     */
    static int micros(int completions, Duration period, String object) {
        if (completions < 0 || completions > MOST) {
            throw refusal(object)
                    .rule("events are raised after 0 to " + MOST + " completions")
                    .limit(completions, MOST)
                    .exception();
        }
        if (period.isNegative() || period.compareTo(LONGEST) > 0) {
            throw refusal(object)
                    .rule("events are raised after 0 to " + MOST + " microseconds")
                    .limit(period, MOST + " us")
                    .exception();
        }
        return (int) (period.toNanos() / 1000);
    }

    private static Refusal refusal(String object) {
        return Refusal.of(Errno.EINVAL, "MODIFY_CQ", object);
    }
}
