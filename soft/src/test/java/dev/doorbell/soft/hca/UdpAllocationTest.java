package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.management.ManagementFactory;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sending and receiving through sockets allocates nothing once it is compiled. */
@Timeout(120)
class UdpAllocationTest {
    private static final int MEASURED = 2_000;
    private static final int ATTEMPTS = 400;
    private static final long PATIENCE_NS = 30_000_000_000L;
    private static final int PATIENT = 18;

    @Test
    void packetsThroughSocketsAllocateNothing() {
        try (UdpPair pair = new UdpPair(UdpPair.plan(), UdpPair.plan(), UnaryOperator.identity())) {
            Endpoint one = endpoint(pair.left);
            Endpoint other = endpoint(pair.right);
            Endpoint.connect(one, other);
            prepare(one, pair.left.buffer(6000), pair.right.buffer(6000), WorkRequestOpcode.RDMA_READ);
            assertThat(allocated(() -> play(pair, one)))
                    .as("bytes per " + MEASURED + " work requests")
                    .isZero();
            assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    /** Both ends poll and reply at once, so that acknowledgements wait. */
    @Test
    void conversationsAllocateNothing() {
        try (UdpPair pair = new UdpPair(UdpPair.plan(), UdpPair.plan(), UnaryOperator.identity())) {
            Endpoint one = endpoint(pair.left);
            Endpoint other = endpoint(pair.right);
            Endpoint.connect(one, other);
            Device.Buffer left = pair.left.buffer(8);
            Device.Buffer right = pair.right.buffer(8);
            prepare(one, left, right, WorkRequestOpcode.RDMA_WRITE);
            prepare(other, right, left, WorkRequestOpcode.RDMA_WRITE);
            assertThat(allocated(() -> converse(pair, one, other)))
                    .as("bytes per " + MEASURED + " round trips")
                    .isZero();
            assertThat(one.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    private static Endpoint endpoint(Device device) {
        Endpoint.Options options = new Endpoint.Options();
        options.timeout = PATIENT;
        return device.endpoint(options);
    }

    /** The first rounds are interpreted, and compilers take their time: what counts is that it comes to nothing. */
    private static long allocated(Runnable round) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long allocated = Long.MAX_VALUE;
        long start = System.nanoTime();
        for (int attempt = 0;
                allocated > 0 && (attempt < ATTEMPTS || System.nanoTime() - start < PATIENCE_NS);
                attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int count = 0; count < MEASURED; count++) {
                round.run();
            }
            allocated = threads.getThreadAllocatedBytes(thread) - before;
        }
        return allocated;
    }

    private static void converse(UdpPair pair, Endpoint one, Endpoint other) {
        post(one);
        poll(pair, pair.right);
        post(other);
        poll(pair, pair.left);
        poll(pair, pair.right);
        release(one);
        release(other);
    }

    private static void poll(UdpPair pair, Device device) {
        long now = System.nanoTime();
        pair.clock.set(now);
        device.hca.poll(now);
    }

    private static void post(Endpoint endpoint) {
        endpoint.sends.publish();
        endpoint.queuePair.ring();
    }

    private static void release(Endpoint endpoint) {
        endpoint.sendCompletions.ring.consumerRelease(endpoint.sendCompletions.ring.producerAcquire());
    }

    private static void play(UdpPair pair, Endpoint one) {
        int end = one.sendCompletions.ring.producerAcquire();
        post(one);
        while (one.sendCompletions.ring.producerAcquire() == end) {
            pair.work();
        }
        release(one);
    }

    /** Every other work request is a WRITE. */
    private static void prepare(Endpoint one, Device.Buffer local, Device.Buffer remote, WorkRequestOpcode others) {
        for (int slot = 0; slot < one.options.slots; slot++) {
            one.sends.index = slot;
            WorkRequestOpcode opcode = slot % 2 == 0 ? WorkRequestOpcode.RDMA_WRITE : others;
            long at = one.prepare(slot, opcode, Endpoint.SIGNALED, sge(local));
            RxeRdmaWr.setRemoteAddr(one.sends.memory(), at, remote.address());
            RxeSendWqe.setIova(one.sends.memory(), at, remote.address());
            RxeRdmaWr.setRkey(one.sends.memory(), at, remote.key());
        }
        one.sends.index = 0;
    }
}
