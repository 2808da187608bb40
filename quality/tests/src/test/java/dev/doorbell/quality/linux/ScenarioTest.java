package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lab compares two kernels by what is written down: on one kernel it must be the same each time. */
@Timeout(60)
final class ScenarioTest {
    @ParameterizedTest
    @EnumSource
    void aScenarioPlaysTheSameTwice(Scenario scenario) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(Conversation.MEMORY_SIZE, 4096);
            var first = scenario.play(new SoftKernel().devices().getFirst(), memory);
            assertThat(scenario.play(new SoftKernel().devices().getFirst(), memory))
                    .isEqualTo(first);
        }
    }
}
