package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.SoftKernel;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The embedded kernel and Linux get the same commands and say the same to each, but for what is declared here. */
@Tag("lab")
@Timeout(400)
final class CommandTwinsLabTest {
    /** Linux takes values that no device could work with; the embedded kernel refuses them where they are given. */
    private static final Set<String> STRICTER = Set.of(
            "MODIFY_QP to INIT with P_Key 1",
            "MODIFY_QP to RTR with 129 READs",
            "MODIFY_QP to RTR with MTU 0",
            "MODIFY_QP to RTR with RNR timer 32",
            "MODIFY_QP to RTS with 8 RNR retries",
            "MODIFY_QP to RTS with 8 retries");

    /** Kernel 6.1 does not look at access bits 5 and 7, and does not know 8 (FLUSH); the embedded one is like 6.12. */
    private static final Set<String> OLD_ACCESS_BITS = Set.of(
            "REG_MR access bit 5",
            "REG_MR access bit 5 and LOCAL_WRITE",
            "REG_MR access bit 6",
            "REG_MR access bit 6 and LOCAL_WRITE",
            "REG_MR access bit 7",
            "REG_MR access bit 7 and LOCAL_WRITE",
            "REG_MR access bit 8",
            "REG_MR access bit 8 and LOCAL_WRITE");

    @Test
    void bothKernelsSayTheSame() {
        Map<String, String> linux = answers(Rxe0.device());
        Map<String, String> soft = answers(new SoftKernel().devices().getFirst());
        assertThat(soft.keySet()).containsExactlyElementsOf(linux.keySet());
        Set<String> declared = new TreeSet<>(STRICTER);
        if (System.getProperty("os.version").startsWith("6.1.")) {
            declared.addAll(OLD_ACCESS_BITS);
        }
        Map<String, String> different = new TreeMap<>();
        linux.forEach((command, answer) -> {
            if (!answer.equals(soft.get(command))) {
                different.put(command, "Linux says " + answer + ", the embedded kernel says " + soft.get(command));
            }
        });
        assertThat(different).containsOnlyKeys(declared);
    }

    private static Map<String, String> answers(KernelDevice device) {
        try (CommandScript script = new CommandScript(device)) {
            return script.run();
        }
    }
}
