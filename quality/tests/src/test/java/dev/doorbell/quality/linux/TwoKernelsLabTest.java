package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same driver, the same work requests, two kernels: the bytes in the rings, the completions and the memory must be
 * the same on Linux's Soft-RoCE and on the embedded device. Linux is right.
 */
@Tag("lab")
@Timeout(120)
final class TwoKernelsLabTest {
    @ParameterizedTest
    @EnumSource
    void bothKernelsDoTheSame(Scenario scenario) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(Conversation.MEMORY_SIZE, 4096);
            var linux = scenario.play(Rxe0.device(), memory);
            var embedded = scenario.play(new SoftKernel().devices().getFirst(), memory);
            assertThat(embedded).containsExactlyElementsOf(linux);
        }
    }
}
