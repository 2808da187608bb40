package dev.doorbell.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedRingTest {
    private static final int PRODUCER = 128;
    private static final int CONSUMER = 256;
    private static final int ELEMENTS = 384;

    private final MemorySegment memory = Arena.ofAuto().allocate(ELEMENTS + 8 * 64, 64);
    private final SharedRing ring = new SharedRing(memory, PRODUCER, CONSUMER, ELEMENTS, 6, 7);

    @Test
    void holdsOneElementLessThanItHasSlots() {
        assertThat(ring.capacity()).isEqualTo(7);
        assertThat(ring.elementSize()).isEqualTo(64);
        assertThat(ring.free(0, 0)).isEqualTo(7);
        assertThat(ring.free(7, 0)).isZero();
        assertThat(ring.count(2, 5)).isEqualTo(5);
        assertThat(ring.free(2, 5)).isEqualTo(2);
    }

    @Test
    void indicesGoAround() {
        assertThat(ring.next(6)).isEqualTo(7);
        assertThat(ring.next(7)).isZero();
        assertThat(ring.offset(0)).isEqualTo(ELEMENTS);
        assertThat(ring.offset(7)).isEqualTo(ELEMENTS + 7 * 64);
        assertThat(ring.offset(8)).isEqualTo(ELEMENTS);
    }

    @Test
    void indicesFromTheOtherSideAreMasked() {
        Host.setInt(memory, PRODUCER, 0xffff_ffff);
        Host.setInt(memory, CONSUMER, 0x1234_5678);
        assertThat(ring.producerAcquire()).isEqualTo(7);
        assertThat(ring.consumerAcquire()).isZero();
        ring.producerRelease(13);
        assertThat(Host.getInt(memory, PRODUCER)).isEqualTo(5);
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThatThrownBy(() -> new SharedRing(memory, PRODUCER, CONSUMER, ELEMENTS, 6, 15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16 elements");
        for (int mask : new int[] {-1, 6, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> new SharedRing(memory, PRODUCER, CONSUMER, ELEMENTS, 6, mask))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (int log2 : new int[] {-1, 31, 64}) {
            assertThatThrownBy(() -> new SharedRing(memory, PRODUCER, CONSUMER, ELEMENTS, log2, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Breaks when an index is published before its element is written, or an element reused before it is given back. */
    @Test
    void elementsArriveWholeAndInOrder() throws InterruptedException {
        int count = 300_000;
        AtomicLong wrong = new AtomicLong();
        Thread consumer = Thread.ofPlatform().start(() -> {
            int index = 0;
            for (int i = 0; i < count; i++) {
                while (ring.producerAcquire() == index) {
                    Thread.onSpinWait();
                }
                long at = ring.offset(index);
                if (Host.getLong(memory, at) != i || Host.getLong(memory, at + 56) != ~i) {
                    wrong.incrementAndGet();
                }
                index = ring.next(index);
                ring.consumerRelease(index);
            }
        });
        int index = 0;
        for (int i = 0; i < count; i++) {
            while (ring.free(index, ring.consumerAcquire()) == 0) {
                Thread.onSpinWait();
            }
            Host.setLong(memory, ring.offset(index), i);
            Host.setLong(memory, ring.offset(index) + 56, ~i);
            index = ring.next(index);
            ring.producerRelease(index);
        }
        consumer.join();
        assertThat(wrong).hasValue(0);
    }
}
