package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.verbs.spi.ReceiveQueue;
import org.junit.jupiter.api.Test;

/** Work requests in the receive ring, byte for byte, and the accounts of the ring. */
class RxeReceiveQueueTest {
    private final Fixtures fixtures = new Fixtures();
    private final FakeRing ring = fixtures.receiveRing(4);
    private final RxeQueuePair pair = fixtures.queuePair(fixtures.sendRing(4), ring);
    private final ReceiveQueue queue = pair.receiveQueue();

    @Test
    void limitsAreThoseOfTheGrant() {
        assertThat(queue.capacity()).isEqualTo(3);
        assertThat(queue.maxSge()).isEqualTo(2);
    }

    @Test
    void elements() {
        ring.soil();
        queue.begin();
        assertThat(queue.request(0x1122334455667788L)).isTrue();
        queue.sge(0x1000, 40, 5);
        queue.sge(0x2000, 24, 6);
        queue.seal();
        queue.commit();
        Bytes expected = Bytes.of(128);
        for (int at = 0; at < 128; at++) {
            expected.u8(at, 0xee);
        }
        expected.u64(0, 0x1122334455667788L)
                .u32(16, 64)
                .u32(20, 64)
                .u32(24, 0)
                .u32(28, 2)
                .u32(32, 0)
                .u32(36, 0)
                .u64(40, 0x1000)
                .u32(48, 40)
                .u32(52, 5)
                .u64(56, 0x2000)
                .u32(64, 24)
                .u32(68, 6);
        assertThat(ring.element(0)).isEqualTo(expected);
        assertThat(ring.producer()).isEqualTo(1);
    }

    @Test
    void aBufferOfNoElements() {
        queue.begin();
        assertThat(queue.request(9)).isTrue();
        queue.seal();
        queue.commit();
        assertThat(ring.element(0)).isEqualTo(Bytes.of(128).u64(0, 9));
    }

    @Test
    void postingRingsNoDoorbellAndSendsNoCommand() {
        fixtures.channel.log.clear();
        post(1);
        assertThat(fixtures.channel.log).isEmpty();
    }

    private void post(long id) {
        queue.begin();
        assertThat(queue.request(id)).isTrue();
        queue.seal();
        queue.commit();
    }

    @Test
    void whatWasNotCommittedWasNeverPosted() {
        queue.begin();
        queue.request(1);
        queue.seal();
        assertThat(ring.producer()).isZero();
        queue.begin();
        queue.commit();
        assertThat(ring.producer()).isZero();
        assertThat(queue.outstanding()).isZero();
    }

    @Test
    void fullUntilTheKernelTakes() {
        for (int i = 0; i < 3; i++) {
            post(i);
        }
        queue.begin();
        assertThat(queue.request(3)).isFalse();
        ring.consumer(1);
        assertThat(queue.outstanding()).isEqualTo(2);
        post(3);
        assertThat(ring.producer()).isZero();
        assertThat(Bytes.copy(ring.memory(), ring.offset(3), 8))
                .isEqualTo(Bytes.of(8).u64(0, 3));
        queue.begin();
        assertThat(queue.request(4)).isFalse();
    }

    @Test
    void afterCloseTheQueueIsFullForGood() {
        pair.close();
        queue.begin();
        assertThat(queue.request(1)).isFalse();
        queue.commit();
        assertThat(queue.outstanding()).isZero();
    }
}
