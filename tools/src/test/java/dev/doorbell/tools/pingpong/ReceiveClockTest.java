package dev.doorbell.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReceiveClockTest {
    @Test
    void oneReceiveIsNoTime() {
        ReceiveClock clock = new ReceiveClock(-1);
        clock.onReceive(1000);
        assertThat(clock.count()).isZero();
    }

    @Test
    void timesAreBetweenReceives() {
        ReceiveClock clock = new ReceiveClock(-1);
        for (long timestamp : new long[] {1000, 1010, 1040, 1045}) {
            clock.onReceive(timestamp);
        }
        assertThat(clock.count()).isEqualTo(3);
        assertThat(clock.longest()).isEqualTo(30);
        assertThat(clock.shortest()).isEqualTo(5);
        assertThat(clock.average()).isEqualTo(15);
    }

    @Test
    void theClockMayBeginAgain() {
        ReceiveClock clock = new ReceiveClock(0xffff);
        clock.onReceive(0xfffe);
        clock.onReceive(3);
        assertThat(clock.longest()).isEqualTo(5);
        ReceiveClock full = new ReceiveClock(-1);
        full.onReceive(-2);
        full.onReceive(3);
        assertThat(full.longest()).isEqualTo(5);
    }
}
