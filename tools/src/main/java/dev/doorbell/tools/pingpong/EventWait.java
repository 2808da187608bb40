package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionHandler;
import dev.doorbell.verbs.CompletionQueue;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Sleeps until the completion channel says that there are completions, as the C programs do with {@code -e}. */
final class EventWait implements Rally.Wait {
    private final CompletionChannel channel;
    private final CompletionQueue completions;

    EventWait(CompletionChannel channel, CompletionQueue completions) {
        this.channel = channel;
        this.completions = completions;
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration patience, CompletionHandler handler) {
        long start = System.nanoTime();
        while (true) {
            completions.drain(handler);
            if (condition.getAsBoolean()) {
                return true;
            }
            long leftNs = patience.toNanos() - (System.nanoTime() - start);
            if (leftNs <= 0 || channel.await(Duration.ofNanos(leftNs)).isEmpty()) {
                return false;
            }
        }
    }
}
