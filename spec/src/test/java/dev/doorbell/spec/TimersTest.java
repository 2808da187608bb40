package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimersTest {
    /** Milliseconds by code. */
    private static final String RNR = """
            655.36 0.01 0.02 0.03 0.04 0.06 0.08 0.12 0.16 0.24 0.32 0.48 0.64 0.96 1.28 1.92 2.56 3.84 5.12 7.68 10.24 \
            15.36 20.48 30.72 40.96 61.44 81.92 122.88 163.84 245.76 327.68 491.52""";

    @Test
    void rnrTimes() {
        String[] expected = RNR.split(" ", -1);
        assertThat(expected).hasSize(RnrTimer.CODES);
        for (int code = 0; code < RnrTimer.CODES; code++) {
            long nanos = Math.round(Double.parseDouble(expected[code]) * 1_000_000);
            assertThat(RnrTimer.nanos(code)).as("code %d", code).isEqualTo(nanos);
            assertThat(RnrTimer.duration(code)).isEqualTo(Duration.ofNanos(nanos));
            assertThat(RnrTimer.code(Duration.ofNanos(nanos))).isEqualTo(code);
            assertThat(RnrTimer.code(Duration.ofNanos(nanos - 1))).isEqualTo(code);
        }
        assertThat(RnrTimer.nanos(32 + 5)).isEqualTo(RnrTimer.nanos(5));
    }

    @Test
    void rnrCodesAreNeverShorterThanAsked() {
        assertThat(RnrTimer.code(Duration.ZERO)).isEqualTo(1);
        assertThat(RnrTimer.code(Duration.ofNanos(10_001))).isEqualTo(2);
        assertThat(RnrTimer.code(Duration.ofNanos(491_520_001))).isZero();
        assertThat(RnrTimer.code(Duration.ofMillis(12))).isEqualTo(21);
        assertThatThrownBy(() -> RnrTimer.code(Duration.ofNanos(655_360_001)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RnrTimer.code(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RnrTimer.code(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RnrTimer.duration(32)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RnrTimer.duration(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ackTimeouts() {
        assertThat(AckTimeout.nanos(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(AckTimeout.duration(0)).isEqualTo(Duration.ZERO);
        assertThat(AckTimeout.code(Duration.ZERO)).isEqualTo(AckTimeout.INFINITE);
        for (int code = 1; code <= AckTimeout.MAX_CODE; code++) {
            long nanos = 4096 * (long) Math.pow(2, code);
            assertThat(AckTimeout.nanos(code)).isEqualTo(nanos);
            assertThat(AckTimeout.duration(code)).isEqualTo(Duration.ofNanos(nanos));
            assertThat(AckTimeout.code(Duration.ofNanos(nanos))).isEqualTo(code);
            assertThat(AckTimeout.code(Duration.ofNanos(nanos - 1))).isEqualTo(code);
        }
        assertThat(AckTimeout.duration(14)).isEqualTo(Duration.ofNanos(67_108_864));
        assertThat(AckTimeout.code(Duration.ofNanos(1))).isEqualTo(1);
        assertThatThrownBy(() -> AckTimeout.code(AckTimeout.duration(31).plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AckTimeout.code(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AckTimeout.duration(32)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void syndromes() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            assertThat(Syndrome.isAck(syndrome)).isEqualTo(syndrome < 0x20);
            assertThat(Syndrome.isRnr(syndrome)).isEqualTo(syndrome >= 0x20 && syndrome < 0x40);
            assertThat(Syndrome.isNak(syndrome)).isEqualTo(syndrome >= 0x60 && syndrome < 0x80);
            assertThat(Syndrome.value(syndrome)).isEqualTo(syndrome % 32);
            assertThat(Syndrome.toString(syndrome)).isNotBlank();
        }
        assertThat(Syndrome.rnr(14)).isEqualTo(0x2e);
        assertThat(Syndrome.toString(Syndrome.ACK)).isEqualTo("ACK");
        assertThat(Syndrome.toString(0x2e)).isEqualTo("RNR NAK timer 14");
        assertThat(Syndrome.toString(Syndrome.NAK_REMOTE_ACCESS)).isEqualTo("NAK REMOTE_ACCESS_ERROR");
        assertThat(Syndrome.toString(0x7f)).isEqualTo("NAK code 31");
        assertThat(Syndrome.toString(0x9f)).isEqualTo("syndrome 0x9f");
        assertThat(NakCode.of(Syndrome.value(Syndrome.NAK_PSN_SEQUENCE))).isEqualTo(NakCode.PSN_SEQUENCE_ERROR);
        assertThat(NakCode.of(Syndrome.value(Syndrome.NAK_INVALID_REQUEST))).isEqualTo(NakCode.INVALID_REQUEST);
        assertThat(NakCode.of(Syndrome.value(Syndrome.NAK_REMOTE_OPERATIONAL)))
                .isEqualTo(NakCode.REMOTE_OPERATIONAL_ERROR);
        assertThat(NakCode.of(-1)).isEqualTo(NakCode.UNKNOWN);
        assertThat(NakCode.of(5)).isEqualTo(NakCode.UNKNOWN);
    }
}
