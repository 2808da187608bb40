package dev.doorbell.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {
    @Test
    void tellsMedianAndSpreadOfItsRounds() {
        Figure figure = new Figure("it", List.of(5.0, 1.0, 3.0));

        assertThat(figure.median()).isEqualTo(3.0);
        assertThat(figure.smallest()).isEqualTo(1.0);
        assertThat(figure.largest()).isEqualTo(5.0);
    }

    @Test
    void comparesRoundByRound() {
        Figure slow = new Figure("slow", List.of(20.0, 300.0, 60.0));
        Figure fast = new Figure("fast", List.of(10.0, 100.0, 60.0));

        assertThat(slow.over(fast).rounds()).containsExactly(2.0, 3.0, 1.0);
    }

    @Test
    void refusesToSpeakOfNothing() {
        assertThatThrownBy(() -> new Figure("it", List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it was never measured");
    }

    @Test
    void tableComparesWithTheFirstLine() {
        String table = Table.of(List.of(new Figure("floor", List.of(100.0)), new Figure("stack", List.of(250.0))));

        assertThat(table.lines().toList()).hasSize(4);
        assertThat(table.lines().toList().getLast()).contains("stack", "250.0 ns", "2.50 (2.50..2.50)");
    }
}
