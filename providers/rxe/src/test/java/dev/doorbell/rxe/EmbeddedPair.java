package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.VirtualTime;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Two connected queue pairs of one embedded device, each with its queues and its memory, in one thread. */
final class EmbeddedPair implements AutoCloseable {
    static final int ALL_ACCESS = 15;
    static final int BYTES = 8192;

    /** One of the two. */
    static final class End {
        final ProviderCompletionQueue completions;
        final ProviderQueuePair pair;
        final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
        final ProviderMemoryRegion region;

        End(ProviderContext context, int domain) {
            completions = context.createCompletionQueue(31, 0, -1, 1);
            region = context.registerMemory(domain, memory, memory.address(), ALL_ACCESS);
            pair = context.createQueuePair(new QueuePairRequest(
                    domain,
                    QueuePairType.RC,
                    completions,
                    completions,
                    null,
                    new QueuePairCapacity(7, 7, 4, 4, 64),
                    false,
                    2));
        }

        /** Posts a receive for the bytes at {@code offset}. */
        void receive(long id, long offset, int length) {
            pair.receiveQueue().begin();
            assertThat(pair.receiveQueue().request(id)).isTrue();
            pair.receiveQueue().sge(memory.address() + offset, length, region.lkey());
            pair.receiveQueue().seal();
            pair.receiveQueue().commit();
        }

        /** Appends an element with the bytes at {@code offset} to the open work request. */
        void element(long offset, int length) {
            pair.sendQueue().sge(memory.address() + offset, length, region.lkey());
        }

        /** Moves the cursor to the next completion, which must be there. */
        void expect(long id, int status) {
            assertThat(completions.next()).as("completion of " + id).isTrue();
            assertThat(completions.id()).isEqualTo(id);
            assertThat(completions.status()).isEqualTo(status);
        }

        void expectNothing() {
            assertThat(completions.next()).isFalse();
        }

        void close() {
            pair.close();
            completions.close();
            region.close();
        }
    }

    /** A clock that only waiting moves. */
    private static final class Clock implements VirtualTime {
        private long now = 1_000_000_000L;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void advanceTo(long nowNs) {
            now = nowNs;
        }
    }

    private final Clock clock = new Clock();
    final SoftNetwork network =
            SoftNetwork.builder().devices(1).virtualTime(clock).seed(1).build();
    private final CommandChannel channel;
    private final Gid gid;

    final ProviderContext context;
    final int domain;
    final End left;
    final End right;

    EmbeddedPair() {
        KernelDevice device = network.devices().getFirst();
        channel = device.open();
        context = new RxeProvider().open(device, channel);
        gid = device.gids(1).getFirst().gid();
        domain = context.allocateProtectionDomain();
        left = new End(context, domain);
        right = new End(context, domain);
        connect();
    }

    /** Walks both to RTS. */
    void connect() {
        connect(left, right);
        connect(right, left);
    }

    private void connect(End from, End to) {
        from.pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(ALL_ACCESS)
                .build());
        from.pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(AddressVector.roce(gid, 1, 0))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePair(to.pair.number())
                .receivePsn(0xfffffe)
                .maxDestReadAtomic(4)
                .minRnrTimer(1)
                .build());
        from.pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .timeout(10)
                .retryCount(1)
                .rnrRetry(1)
                .sendPsn(0xfffffe)
                .maxReadAtomic(4)
                .build());
    }

    /** Lets the device's time pass until nothing is due any more. */
    void settle() {
        while (network.doWork() || network.nextDeadlineNs() != Long.MAX_VALUE) {
            if (network.nextDeadlineNs() != Long.MAX_VALUE) {
                clock.advanceTo(Math.max(clock.nanoTime(), network.nextDeadlineNs()));
            }
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
        context.deallocateProtectionDomain(domain);
        channel.close();
        network.close();
    }
}
