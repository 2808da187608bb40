package dev.doorbell.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LoopbackTest {
    @Test
    void addressesComeInTurnAndNumberedOnesAreOthers() {
        Set<InetAddress> inTurn = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            InetAddress next = Loopback.next();
            assertThat(next.isLoopbackAddress()).isTrue();
            inTurn.add(next);
        }
        assertThat(inTurn).hasSize(254);
        for (int number = 1; number < 255; number++) {
            assertThat(inTurn).doesNotContain(Loopback.at(number));
        }
        assertThat(Loopback.at(7)).isEqualTo(Loopback.at(7));
    }

    @Test
    void otherNumbersAreRefused() {
        assertThatThrownBy(() -> Loopback.at(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Loopback.at(255)).hasMessageContaining("from 1 to 254");
    }
}
