package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a long message waits for more room in the window. */
class SendQuantumTest {
    private static final int MESSAGE = 256;
    private static final int MUCH = 100;

    private final SendQuantum quantum = new SendQuantum();

    private static int shift(int mtu) {
        return Integer.numberOfTrailingZeros(mtu);
    }

    @Test
    void aSendIsBegunWithRoomForAllOfIt() {
        quantum.configure(shift(4096));
        assertThat(quantum.waits(2, MESSAGE, 14, MUCH)).isTrue();
        assertThat(quantum.waits(2, MESSAGE, 15, MUCH)).isFalse();
        assertThat(quantum.waits(17, MESSAGE, 14, MUCH)).isTrue();
    }

    @Test
    void oneThatIsBegunGoesOn() {
        quantum.configure(shift(4096));
        for (int index = 3; index < 17; index++) {
            assertThat(quantum.waits(index, MESSAGE, 1, MUCH)).isFalse();
        }
    }

    @Test
    void theLastSendOfAMessageIsNotWorthMoreThanItsPackets() {
        quantum.configure(shift(4096));
        assertThat(quantum.waits(242, MESSAGE, 14, MUCH)).isFalse();
        assertThat(quantum.waits(242, MESSAGE, 13, MUCH)).isTrue();
    }

    @Test
    void shortMessagesNeverWait() {
        quantum.configure(shift(1024));
        assertThat(quantum.waits(0, 1, 1, MUCH)).isFalse();
        assertThat(quantum.waits(1, 2, 1, MUCH)).isFalse();
    }

    @Test
    void thePeerIsNeverLeftWithoutWork() {
        quantum.configure(shift(4096));
        assertThat(quantum.waits(2, MESSAGE, 1, 30)).isFalse();
        assertThat(quantum.waits(2, MESSAGE, 1, 31)).isTrue();
    }
}
