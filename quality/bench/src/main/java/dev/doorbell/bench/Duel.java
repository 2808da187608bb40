package dev.doorbell.bench;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.DoubleSupplier;

/** Two threads that play one round against each other, each on a processor of its own where the system allows that. */
public final class Duel {
    private final Optional<Affinity> affinity;

    public Duel(Optional<Affinity> affinity) {
        this.affinity = affinity;
    }

    /** Runs both to their end; returns what the first one measured, or throws what either of them threw. */
    public double run(DoubleSupplier measuring, Runnable partner) {
        CompletableFuture<Double> second = start(1, () -> {
            partner.run();
            return 0;
        });
        CompletableFuture<Double> first = start(0, measuring);
        try {
            // Whoever fails first says why; the other one would only say that nobody answers it.
            CompletableFuture.anyOf(first, second).join();
            second.join();
            return first.join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the round failed", e.getCause());
        }
    }

    /** Runs one thread alone, where the measuring one of two would run. */
    public double alone(DoubleSupplier measuring) {
        try {
            return start(0, measuring).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the round failed", e.getCause());
        }
    }

    private CompletableFuture<Double> start(int index, DoubleSupplier work) {
        CompletableFuture<Double> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("bench-" + index).start(() -> {
            try {
                affinity.ifPresent(known -> known.bind(index));
                result.complete(work.getAsDouble());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
