package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.doorbell.kernel.abi.DoorbellClock;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.SharedRing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Completion queues with timestamps, and those that do not look for room. */
class CompletionOptionsTest {
    private final AtomicLong clock = new AtomicLong(5_000);
    private final Device device = new Device(1, clock, null);
    private final AtomicInteger overflows = new AtomicInteger();
    private final CompletionListener listener = new CompletionListener() {
        @Override
        public void completion() {}

        @Override
        public void overflow() {
            overflows.incrementAndGet();
        }
    };
    private final Completion completion = new Completion(0, false);

    private static SharedRing ring(int log2) {
        MemorySegment memory = Arena.ofAuto().allocate(384 + (4L << log2), 128);
        return new SharedRing(memory, 128, 256, 384, log2, 3);
    }

    @Test
    void completionsAreStampedWithTheDevicesClock() {
        SharedRing ring = ring(7);
        RingCompletionQueue queue = device.hca.createCompletionQueue(ring, 3, listener, true, false);
        for (int index = 0; index < 3; index++) {
            clock.addAndGet(100);
            completion.id = index;
            assertThat(queue.post(completion)).isTrue();
            assertThat(DoorbellClock.stamp(ring.memory(), ring.offset(index))).isEqualTo(100L * (index + 1));
            assertThat(RxeCqe.wrId(ring.memory(), ring.offset(index))).isEqualTo(index);
        }
        assertThat(device.hca.clockNs()).isEqualTo(300);
    }

    @Test
    void whoDoesNotAskGetsNothing() {
        SharedRing ring = ring(7);
        RingCompletionQueue queue = device.hca.createCompletionQueue(ring, 3, listener);
        clock.addAndGet(100);
        queue.post(completion);
        for (long at = RxeCqe.SIZE; at < 128; at += Long.BYTES) {
            assertThat(Host.getLong(ring.memory(), ring.offset(0) + at)).isZero();
        }
    }

    @Test
    void elementsWithoutRoomForAStampAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.hca.createCompletionQueue(
                        new SharedRing(Arena.ofAuto().allocate(384 + 4 * 32, 128), 128, 256, 384, 5, 3),
                        3,
                        listener,
                        true,
                        false));
    }

    @Test
    void anOverrunThatIsIgnoredLosesCompletionsAndNothingElse() {
        SharedRing ring = ring(6);
        RingCompletionQueue queue = device.hca.createCompletionQueue(ring, 3, listener, false, true);
        for (int index = 0; index < 5; index++) {
            completion.id = index;
            assertThat(queue.post(completion)).isTrue();
        }
        assertThat(overflows).hasValue(0);
        ring.consumerRelease(ring.producerAcquire());
        completion.id = 9;
        assertThat(queue.post(completion)).isTrue();
        assertThat(RxeCqe.wrId(ring.memory(), ring.offset(3))).isEqualTo(9);
    }
}
