package dev.doorbell.quality.stack;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.testkit.VirtualClock;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Two connected queue pairs of embedded devices that nobody else uses. */
public final class Pair implements AutoCloseable {
    private static final AccessFlag[] EVERYTHING = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    private final SoftNetwork network;
    private final List<Context> contexts;
    private final Builder builder;
    private final End left;
    private final End right;

    private Pair(Builder builder) {
        SoftNetwork.Builder networkBuilder = SoftNetwork.builder().devices(builder.path == Path.DIRECT ? 1 : 2);
        VirtualClock clock = builder.clock;
        if (clock != null) {
            networkBuilder.virtualTime(clock);
        }
        this.builder = builder;
        this.network = networkBuilder.build();
        Kernel kernel = builder.kernel.apply(network);
        List<Device> devices = DeviceCatalog.of(
                        List.of(kernel), DeviceCatalog.installed().providers())
                .devices();
        this.contexts = devices.stream().map(Device::open).toList();
        this.left = end(contexts.getFirst());
        this.right = end(contexts.getLast());
        connect(left.queuePair(), right.queuePair());
    }

    /** One device, queue pairs for 16 work requests of 4 elements and 64 inline bytes each way, 64 KiB of memory each. */
    public static Builder builder() {
        return new Builder();
    }

    /** As {@link #builder()} has it, on this path and of this type. */
    public static Pair of(QueuePairType type, Path path) {
        return builder().path(path).queuePair(queuePair -> queuePair.type(type)).build();
    }

    /** As {@link #builder()} has it, on this path. */
    public static Pair on(Path path) {
        return builder().path(path).build();
    }

    /** The end that tests usually post on. */
    public End left() {
        return left;
    }

    /** The other end; on the same device for {@link Path#DIRECT}, then also in the same context. */
    public End right() {
        return right;
    }

    /** Both ends. */
    public List<End> ends() {
        return List.of(left, right);
    }

    /** Another end in the context of one of the ends, not connected. */
    public End anotherEnd(End beside) {
        return end(beside.context());
    }

    /** Connects two queue pairs as those of this pair are; for datagrams it brings them up. */
    public void connect(QueuePair one, QueuePair other) {
        if (one.type() == QueuePairType.UD) {
            one.activate();
            other.activate();
            return;
        }
        one.connect(other.endpoint(), builder.options);
        other.connect(one.endpoint(), builder.options);
    }

    private End end(Context context) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue completions = context.createCompletionQueue(builder.completions);
        QueuePair.Builder described =
                domain.queuePair(completions).depth(16, 16).sge(4, 4).inline(64);
        return new End(
                context,
                domain,
                completions,
                builder.queuePair.apply(described).build(),
                domain.register(Arena.ofAuto().allocate(builder.bytes, 4096), builder.access));
    }

    @Override
    public void close() {
        contexts.forEach(Context::close);
        network.close();
    }

    /** What a pair shall be like. */
    public static final class Builder {
        private Path path = Path.DIRECT;
        private UnaryOperator<QueuePair.Builder> queuePair = builder -> builder;
        private UnaryOperator<Kernel> kernel = kernel -> kernel;
        private ConnectOptions options = ConnectOptions.defaults();
        private AccessFlag[] access = EVERYTHING;
        private int completions = 64;
        private long bytes = 1 << 16;
        private @Nullable VirtualClock clock;

        private Builder() {}

        /** How the ends reach each other. */
        public Builder path(Path value) {
            path = value;
            return this;
        }

        /** Changes the description of each queue pair. */
        public Builder queuePair(UnaryOperator<QueuePair.Builder> value) {
            queuePair = value;
            return this;
        }

        /** Puts something before the kernel. */
        public Builder kernel(UnaryOperator<Kernel> value) {
            kernel = value;
            return this;
        }

        /** How they are connected. */
        public Builder options(ConnectOptions value) {
            options = value;
            return this;
        }

        /** What the regions grant; all there is unless set. */
        public Builder access(AccessFlag... value) {
            access = value.clone();
            return this;
        }

        /** Entries of each completion queue. */
        public Builder completions(int value) {
            completions = value;
            return this;
        }

        /** Bytes of each region. */
        public Builder bytes(long value) {
            bytes = value;
            return this;
        }

        /** Lets everything run in the thread that posts and polls, in the time of this clock. */
        public Builder clock(VirtualClock value) {
            clock = value;
            return this;
        }

        /** The pair, connected. */
        public Pair build() {
            return new Pair(this);
        }
    }
}
