package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same driver, the same work requests, two kernels: the bytes in the rings, the completions and the memory must be
 * the same on Linux's Soft-RoCE and on the embedded device. Where they differ, Linux is right, but for the deviations
 * that are declared here.
 */
@Tag("lab")
@Timeout(240)
final class TwoKernelsLabTest {
    /**
     * Where the embedded device does what the InfiniBand specification says and rxe does not.
     *
     * @param linux what Linux writes; a kernel may also do as the embedded one does
     */
    private record Deviation(Scenario scenario, String linux, String embedded) {}

    private static final List<Deviation> DEVIATIONS = List.of(
            // Before 6.4, rxe has one answer for everything that is wrong with a send, too.
            new Deviation(
                    Scenario.SEND_FROM_A_WRONG_KEY,
                    "completion of A: id 1 failed, status 2 (LOC_QP_OP_ERR)",
                    "completion of A: id 1 failed, status 4 (LOC_PROT_ERR)"),
            // From 6.4 on, rxe flushes the request that failed before it has reported the failure.
            new Deviation(
                    Scenario.SEND_FROM_A_WRONG_KEY,
                    "completion of A: id 1 failed, status 5 (WR_FLUSH_ERR)",
                    "completion of A: id 1 failed, status 4 (LOC_PROT_ERR)"),
            // rxe has one answer for everything that is wrong with a receive: "operation error", on both sides.
            new Deviation(
                    Scenario.MESSAGE_LONGER_THAN_ITS_RECEIVE,
                    "completion of A: id 1 failed, status 11 (REM_OP_ERR)",
                    "completion of A: id 1 failed, status 9 (REM_INV_REQ_ERR)"),
            new Deviation(
                    Scenario.MESSAGE_LONGER_THAN_ITS_RECEIVE,
                    "completion of B: id 100 failed, status 2 (LOC_QP_OP_ERR)",
                    "completion of B: id 100 failed, status 1 (LOC_LEN_ERR)"),
            new Deviation(
                    Scenario.RECEIVE_INTO_A_WRONG_KEY,
                    "completion of B: id 100 failed, status 2 (LOC_QP_OP_ERR)",
                    "completion of B: id 100 failed, status 4 (LOC_PROT_ERR)"));

    @ParameterizedTest
    @EnumSource
    void bothKernelsDoTheSame(Scenario scenario) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(Conversation.MEMORY_SIZE, 4096);
            List<String> linux = scenario.play(Rxe0.device(), memory);
            List<String> embedded = scenario.play(new SoftKernel().devices().getFirst(), memory);
            assertThat(differences(scenario, linux, embedded)).isEmpty();
        }
    }

    private static List<String> differences(Scenario scenario, List<String> linux, List<String> embedded) {
        List<String> differences = new ArrayList<>();
        for (int line = 0; line < Math.max(linux.size(), embedded.size()); line++) {
            String one = line < linux.size() ? linux.get(line) : "nothing";
            String other = line < embedded.size() ? embedded.get(line) : "nothing";
            if (!one.equals(other) && !DEVIATIONS.contains(new Deviation(scenario, one, other))) {
                differences.add("Linux:    " + one + "%nembedded: ".formatted() + other);
            }
        }
        return differences;
    }
}
