package dev.doorbell.tools;

import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/** Prints asynchronous events as ibv_asyncwatch(1) does: the name and number of each, and what it concerns. */
final class AsyncWatch {
    private final Source source;
    private final PrintStream out;

    AsyncWatch(Source source, PrintStream out) {
        this.source = source;
        this.out = out;
    }

    /**
     * Prints events until there were enough, or the time is up.
     *
     * @return how many were printed
     */
    int run(int most, Duration patience) {
        long start = System.nanoTime();
        int printed = 0;
        while (printed < most) {
            Optional<AsyncEvent> event = source.await(patience.minusNanos(System.nanoTime() - start));
            if (event.isEmpty()) {
                break;
            }
            out.println("  event_type " + describe(event.get()));
            out.flush();
            printed++;
        }
        return printed;
    }

    private static String describe(AsyncEvent event) {
        String type = (event.type() == AsyncEventType.UNKNOWN ? "unknown" : "IBV_EVENT_" + event.type()) + " ("
                + event.code() + ")";
        return type
                + switch (event) {
                    case AsyncEvent.OfPort port -> ", port " + port.port();
                    case AsyncEvent.OfDevice device ->
                        ", device " + device.device().name();
                    case AsyncEvent.OfQueuePair pair -> ", " + pair.queuePair();
                    case AsyncEvent.OfCompletionQueue queue -> ", " + queue.completionQueue();
                    case AsyncEvent.OfSharedReceiveQueue queue -> ", " + queue.sharedReceiveQueue();
                    case AsyncEvent.Other other -> ", element " + other.element();
                };
    }

    /** Where events come from. */
    @FunctionalInterface
    interface Source {
        /** The next event; empty if the time is up first. */
        Optional<AsyncEvent> await(Duration patience);
    }
}
