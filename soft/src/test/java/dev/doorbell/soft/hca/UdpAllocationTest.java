package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
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
            Endpoint.Options options = new Endpoint.Options();
            options.timeout = PATIENT;
            Endpoint one = pair.left.endpoint(options);
            Endpoint other = pair.right.endpoint(options);
            Endpoint.connect(one, other);
            prepare(one, pair.left.buffer(6000), pair.right.buffer(6000));
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long thread = Thread.currentThread().threadId();
            long allocated = Long.MAX_VALUE;
            // The first rounds are interpreted, and compilers take their time: what counts is that it comes to nothing.
            long start = System.nanoTime();
            for (int attempt = 0;
                    allocated > 0 && (attempt < ATTEMPTS || System.nanoTime() - start < PATIENCE_NS);
                    attempt++) {
                long before = threads.getThreadAllocatedBytes(thread);
                for (int round = 0; round < MEASURED; round++) {
                    play(pair, one);
                }
                allocated = threads.getThreadAllocatedBytes(thread) - before;
            }
            assertThat(allocated).as("bytes per " + MEASURED + " work requests").isZero();
            assertThat(one.queuePair.state()).isEqualTo(dev.doorbell.spec.QueuePairState.RTS);
        }
    }

    private static void play(UdpPair pair, Endpoint one) {
        int end = one.sendCompletions.ring.producerAcquire();
        one.sends.publish();
        one.queuePair.ring();
        while (one.sendCompletions.ring.producerAcquire() == end) {
            pair.work();
        }
        one.sendCompletions.ring.consumerRelease(one.sendCompletions.ring.producerAcquire());
    }

    private static void prepare(Endpoint one, Device.Buffer local, Device.Buffer remote) {
        for (int slot = 0; slot < one.options.slots; slot++) {
            one.sends.index = slot;
            WorkRequestOpcode opcode = slot % 2 == 0 ? WorkRequestOpcode.RDMA_WRITE : WorkRequestOpcode.RDMA_READ;
            long at = one.prepare(slot, opcode, Endpoint.SIGNALED, sge(local));
            RxeRdmaWr.setRemoteAddr(one.sends.memory(), at, remote.address());
            RxeSendWqe.setIova(one.sends.memory(), at, remote.address());
            RxeRdmaWr.setRkey(one.sends.memory(), at, remote.key());
        }
        one.sends.index = 0;
    }
}
