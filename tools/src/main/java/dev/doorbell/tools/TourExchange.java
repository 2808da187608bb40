package dev.doorbell.tools;

import dev.doorbell.verbs.KernelCounters;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.function.Consumer;

/** One operation on a pair, with everything counted from the first post to the last completion. */
final class TourExchange {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TourPair pair;
    private final KernelCounters kernel;
    private final long commandsBefore;
    private final long doorbellsBefore;
    private final long systemCallsBefore;
    private final long startNs;
    private int posted;
    private int polled;
    private String complaint = "";

    TourExchange(TourPair pair) {
        this.pair = pair;
        this.kernel = pair.kernel();
        this.commandsBefore = kernel.commandCount();
        this.doorbellsBefore = kernel.doorbells();
        this.systemCallsBefore = kernel.systemCallDoorbells();
        this.startNs = System.nanoTime();
    }

    /** Posts a receive at the far end. */
    TourExchange receive(long id, MemorySlice buffer) {
        pair.far().postReceive(id, buffer);
        posted++;
        return this;
    }

    /** Posts what the writer puts into a batch of the near end, with one doorbell. */
    TourExchange post(Consumer<SendBatch> writer) {
        try (SendBatch batch = pair.near().batch()) {
            writer.accept(batch);
            posted += batch.submit();
        }
        return this;
    }

    /** Polls until this many completions have come. */
    TourExchange complete(int count) {
        int came = pair.completions().await(count, PATIENCE, this::onCompletion);
        polled += came;
        if (came < count) {
            complain(came + " of " + count + " completions came in " + PATIENCE.toSeconds() + " s");
        }
        return this;
    }

    private void onCompletion(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            complain(completion.describe());
        } else if (completion.hasImmediate() && completion.immediate() != TourStops.IMMEDIATE) {
            complain("immediate data are 0x" + Integer.toHexString(completion.immediate()));
        }
    }

    private void complain(String what) {
        if (complaint.isEmpty()) {
            complaint = what;
        }
    }

    /** Ends the count; then compares the outcome. */
    TourStop stop(String title, String meaning, long bytes, Outcome outcome) {
        long elapsedNs = System.nanoTime() - startNs;
        long doorbells = kernel.doorbells() - doorbellsBefore;
        long systemCalls = kernel.systemCallDoorbells() - systemCallsBefore;
        long commands = kernel.commandCount() - commandsBefore;
        if (!outcome.isRight()) {
            complain("the bytes are not those that were sent");
        }
        return new TourStop(
                title, meaning, bytes, posted, polled, doorbells, commands + systemCalls, elapsedNs, complaint);
    }

    /** Whether memory holds what it should. */
    @FunctionalInterface
    interface Outcome {
        boolean isRight();
    }
}
