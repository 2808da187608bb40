package dev.doorbell.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The generator is the same every time, covers its range, and says how to repeat a failure. */
final class PropertyTest {
    @Test
    void runsAreTheSameEveryTimeAndDifferFromEachOther() {
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        Property.named("same").check(draw -> first.add(draw.anyLong()));
        Property.named("same").check(draw -> second.add(draw.anyLong()));
        assertThat(first).isEqualTo(second).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void aFailureNamesTheSeedThatRepeatsIt() {
        List<Long> seeds = new ArrayList<>();
        Property property = Property.named("numbers stay below 90").runs(1000);
        assertThatThrownBy(() -> property.check(draw -> {
                    seeds.add(draw.seed());
                    assertThat(draw.intIn(0, 100)).isLessThan(90);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("'numbers stay below 90' does not hold (run " + seeds.size() + " of 1000")
                .hasMessageContaining("-Ddoorbell.seed=" + seeds.getLast());
        assertThat(new Draw(seeds.getLast()).intIn(0, 100)).isGreaterThanOrEqualTo(90);
    }

    @Test
    void drawsCoverTheirRangeAndStayInIt() {
        Draw draw = new Draw(5);
        Set<Integer> seen = new TreeSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(draw.intIn(-3, 3));
            assertThat(draw.longIn(Long.MAX_VALUE - 1, Long.MAX_VALUE)).isGreaterThanOrEqualTo(Long.MAX_VALUE - 1);
            assertThat(draw.longIn(Long.MIN_VALUE, Long.MIN_VALUE + 1)).isLessThanOrEqualTo(Long.MIN_VALUE + 1);
            draw.longIn(Long.MIN_VALUE, Long.MAX_VALUE);
            assertThat(draw.list(1, 2, each -> each.oneOf(List.of("a", "b")))).hasSizeBetween(1, 2);
        }
        assertThat(seen).containsExactly(-3, -2, -1, 0, 1, 2, 3);
        assertThat(draw.chance(0)).isFalse();
        assertThat(draw.chance(1)).isTrue();
        assertThat(draw.bytes(9)).hasSize(9);
    }
}
