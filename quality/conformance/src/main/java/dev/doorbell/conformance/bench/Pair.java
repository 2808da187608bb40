package dev.doorbell.conformance.bench;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.QueuePair;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Two connected queue pairs, one on each side. */
public final class Pair {
    private final End a;
    private final End b;

    private Pair(End a, End b) {
        this.a = a;
        this.b = b;
    }

    /** The end on side A. */
    public End a() {
        return a;
    }

    /** The end on side B. */
    public End b() {
        return b;
    }

    /**
     * Describes a pair. Unless told otherwise: 16 work requests of 4 elements and 64 inline bytes each way, a send and a
     * receive completion queue of 64 entries for each end, and 64 KiB of registered memory that grants everything.
     *
     * <p>An end that gets no answer gives up after two seconds, not half a one: on a busy machine the threads of a peer may
     * not run for as long. Cases in which packets get lost shorten it, since they wait for it.
     */
    public static final class Builder {
        private static final Duration ACK_TIMEOUT = Duration.ofMillis(268);

        private final Bench bench;
        private final QueuePairType type;
        private UnaryOperator<QueuePair.Builder> queuePairs = queuePair -> queuePair;
        private UnaryOperator<ConnectOptions> options = given -> given.ackTimeout(ACK_TIMEOUT);
        private UnaryOperator<QueuePair.Builder> atB = queuePair -> queuePair;
        private @Nullable CompletionQueue receivesAtB;
        private boolean connected = true;
        private long bytes = 1 << 16;
        private int completions = 64;

        Builder(Bench bench, QueuePairType type) {
            this.bench = bench;
            this.type = type;
        }

        /** Changes the description of both queue pairs. */
        public Builder queuePairs(UnaryOperator<QueuePair.Builder> value) {
            UnaryOperator<QueuePair.Builder> before = queuePairs;
            queuePairs = queuePair -> value.apply(before.apply(queuePair));
            return this;
        }

        /** Changes the description of the queue pair on side B. */
        public Builder atB(UnaryOperator<QueuePair.Builder> value) {
            atB = value;
            return this;
        }

        /** Where the receives of side B complete. */
        public Builder receivesAtB(CompletionQueue value) {
            receivesAtB = value;
            return this;
        }

        /** Changes how they are connected. */
        public Builder options(UnaryOperator<ConnectOptions> value) {
            UnaryOperator<ConnectOptions> before = options;
            options = given -> value.apply(before.apply(given));
            return this;
        }

        /** Connects them with this path MTU at most. */
        public Builder mtu(Mtu value) {
            return options(given -> given.maxMtu(value));
        }

        /** What each queue pair grants its peer. */
        public Builder access(AccessFlag... flags) {
            return options(given -> given.access(flags));
        }

        /** Leaves them unconnected, in the state RESET. */
        public Builder unconnected() {
            connected = false;
            return this;
        }

        /** Bytes of each end's region. */
        public Builder bytes(long value) {
            bytes = value;
            return this;
        }

        /** Entries of each completion queue. */
        public Builder completions(int value) {
            completions = value;
            return this;
        }

        /** The pair. */
        public Pair build() {
            Pair pair = new Pair(end(bench.a()), end(bench.b()));
            if (connected) {
                connect(pair.a, pair.b);
            }
            return pair;
        }

        /** Connects two ends as those of this pair are. */
        public void connect(End one, End other) {
            connectOneWay(one, other);
            connectOneWay(other, one);
        }

        /** Connects the first end to the second, and leaves the second as it is; for datagrams it brings the first up. */
        public void connectOneWay(End one, End other) {
            if (type == QueuePairType.UD) {
                one.queuePair().activate();
                return;
            }
            one.queuePair().connect(other.queuePair().endpoint(), options.apply(ConnectOptions.defaults()));
        }

        /** One more end of this kind on a side, unconnected. */
        public End end(Side side) {
            CompletionQueue sends = side.completionQueue(completions);
            boolean isB = side == bench.b();
            CompletionQueue given = receivesAtB;
            CompletionQueue receives = isB && given != null ? given : side.completionQueue(completions);
            QueuePair.Builder described = side.domain()
                    .queuePair(sends)
                    .receiveCompletions(receives)
                    .type(type)
                    .depth(16, 16)
                    .sge(4, 4)
                    .inline(64);
            QueuePair.Builder changed = queuePairs.apply(described);
            QueuePair queuePair = (isB ? atB.apply(changed) : changed).build();
            return new End(bench, side, queuePair, sends, receives, side.register(bytes));
        }
    }
}
