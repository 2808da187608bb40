package dev.doorbell.verbs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs something in another thread and hands on what it throws. */
final class OtherThread {
    private OtherThread() {}

    static void run(Runnable body) {
        try {
            start(body).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    static CompletableFuture<Void> start(Runnable body) {
        return CompletableFuture.runAsync(body, command -> Thread.ofPlatform().start(command));
    }
}
