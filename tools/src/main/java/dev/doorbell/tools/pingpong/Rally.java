package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.CompletionHandler;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The game: on each lane, a message goes out when one has come in and the last one is out. It is over when as many
 * messages were sent and received as were asked for, over all lanes together, as in the C programs.
 */
final class Rally implements CompletionHandler {
    private static final int RECEIVE_PENDING = 1;
    private static final int SEND_PENDING = 2;

    private final Setup setup;
    private final Settings settings;
    private final Lanes lanes;
    private final @Nullable ReceiveClock clock;
    private final int[] pending;
    private int credit;
    private int sent;
    private int received;
    private boolean moved;

    Rally(Setup setup, Lanes lanes) {
        this.setup = setup;
        this.settings = setup.settings();
        this.lanes = lanes;
        this.clock = setup.clock();
        this.pending = new int[settings.queuePairs()];
    }

    /** Posts the first receives: before the peer knows where to send. */
    void prepare() {
        credit = settings.receiveDepth();
        lanes.postReceives(credit);
    }

    /**
     * Plays to the end.
     *
     * @return how long it took, in nanoseconds
     * @throws PingpongException if nothing happens for too long
     */
    long play() {
        for (int lane = 0; lane < pending.length; lane++) {
            pending[lane] = RECEIVE_PENDING;
            if (settings.isClient()) {
                send(lane);
            }
        }
        BooleanSupplier progress = () -> moved;
        long start = System.nanoTime();
        while (sent < settings.iterations() || received < settings.iterations()) {
            moved = false;
            if (!setup.waiting().await(progress, settings.patience(), this)) {
                throw new PingpongException(stuck());
            }
        }
        return System.nanoTime() - start;
    }

    private String stuck() {
        String what = Thread.currentThread().isInterrupted()
                ? "interrupted"
                : "nothing came from the peer in " + Report.seconds(settings.patience());
        return what + ": " + sent + " messages were sent and " + received + " received of " + settings.iterations()
                + " each way" + setup.reach() + "; " + sameProgram();
    }

    @Override
    public void onCompletion(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new PingpongException(completion.describe() + disagreement(completion.status()));
        }
        moved = true;
        int lane = lanes.laneOf(completion.queuePairNumber());
        if (lane < 0) {
            throw new PingpongException("a completion names queue pair " + completion.queuePairNumber()
                    + ", which is not one of this program's");
        }
        if (completion.id() == Lanes.SEND) {
            sent++;
            pending[lane] &= ~SEND_PENDING;
        } else {
            received++;
            pending[lane] &= ~RECEIVE_PENDING;
            ReceiveClock watch = clock;
            if (watch != null) {
                watch.onReceive(completion.timestamp());
            }
            refill();
        }
        if (sent < settings.iterations() && pending[lane] == 0) {
            pending[lane] = RECEIVE_PENDING;
            send(lane);
        }
    }

    /** What a wrong length says of this game: the addresses that the ends exchange carry neither sizes nor MTUs. */
    private String disagreement(WorkCompletionStatus status) {
        return status == WorkCompletionStatus.LOC_LEN_ERR || status == WorkCompletionStatus.REM_INV_REQ_ERR
                ? ". Here: " + sameProgram()
                : "";
    }

    private String sameProgram() {
        return "both ends have to be the same program with the same "
                + (settings.service() == Service.UD ? "-s and -n" : "-s, -m and -n");
    }

    private void refill() {
        credit--;
        if (credit <= pending.length) {
            lanes.postReceives(settings.receiveDepth() - credit);
            credit = settings.receiveDepth();
        }
    }

    private void send(int lane) {
        pending[lane] |= SEND_PENDING;
        lanes.postSend(lane);
    }

    /** Waits for completions: by polling, or asleep. */
    @FunctionalInterface
    interface Wait {
        /** Gives completions to the handler until the condition holds; false if the time is up first. */
        boolean await(BooleanSupplier condition, Duration patience, CompletionHandler handler);
    }
}
