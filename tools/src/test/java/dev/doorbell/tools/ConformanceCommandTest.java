package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class ConformanceCommandTest {
    @TempDir
    private Path folder;

    private final Transcript out = new Transcript();
    private final Transcript err = new Transcript();

    private int run(String... words) {
        String[] command = new String[words.length + 1];
        command[0] = "conformance";
        System.arraycopy(words, 0, command, 1, words.length);
        return new DoorbellCommand(out.stream(), err.stream()).run(command);
    }

    @Test
    void aDeviceIsPutToTheCasesThatWereAskedFor() throws IOException {
        Path report = folder.resolve("report.md");
        int status = run("-d", "soft0", "--only", "^pd\\.|^rc\\.retry\\.", "--report", report.toString());
        assertThat(status).as(out + err.toString()).isZero();
        assertThat(out.toString())
                .startsWith("soft0 (kernel embedded, driver rxe), to itself: ")
                .containsPattern("chapter +pass +difference +skip +fail\n")
                .containsPattern("pd +[1-9][0-9]* +0 +0 +0\n")
                .containsPattern("rc +[1-9][0-9]* +0 +[1-9][0-9]* +0\n")
                .containsPattern("\n[0-9]+ passed, 0 failed, [0-9]+ skipped\n$")
                .doesNotContain("PASS ");
        assertThat(Files.readString(report))
                .startsWith("# Conformance of soft0")
                .contains("- command: `doorbell conformance --device soft0 --only ^pd")
                .contains("- Doorbell: doorbell 0.")
                .contains("## Failures\n\nNone.")
                .contains("`rc.retry.all-lost`: FAULTS: nobody tampers with the packets")
                .containsPattern("device soft0\n +kernel: +embedded\n")
                .containsPattern("capabilities:\n")
                .contains("\npd.allocate PASS\n");
    }

    @Test
    void aReportOfADriverThatNeverRanOnHardwareSaysSo() throws IOException {
        Path report = folder.resolve("report.md");
        try (SoftNetwork network =
                SoftNetwork.builder().devices(1).mlx5("soft0").build()) {
            DeviceCatalog catalog =
                    DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
            int status = catalog.call(
                    () -> run("-d", "soft0", "--driver", "mlx5", "--only", "^pd\\.", "--report", report.toString()));
            assertThat(status).as(out + err.toString()).isZero();
        }
        assertThat(out.toString()).contains("driver mlx5: never run on hardware");
        assertThat(Files.readString(report))
                .startsWith("# Conformance of soft0")
                .containsPattern("\n- system: .+\n")
                .containsPattern("\n +kernel: +\\S+\n +driver: +mlx5\n +driver_remark: +never run on hardware")
                .containsPattern("\n +driver_abi: +1\n")
                .containsPattern("\n +fw_ver: +\\S+\n")
                .contains("\npd.allocate PASS\n");
    }

    @Test
    void everyCaseIsPrintedForWhoeverAsks() {
        assertThat(run("-d", "soft0", "-v", "--only", "^pd.allocate$", "--patience", "3"))
                .isZero();
        assertThat(out.toString()).contains("PASS       pd.allocate (").contains("1 passed, 0 failed, 0 skipped");
    }

    @ParameterizedTest
    @CsvSource({
        "--only, (, is no regular expression",
        "--only, nosuchcase, is found in the name of no case",
        "--patience, 0, is 1 to 100",
        "--patience, much, is 1 to 100",
    })
    void whatMakesNoSenseIsAMistakeOfTheCaller(String option, String value, String explanation) {
        assertThat(run("-d", "soft0", option, value)).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err.toString()).contains(explanation);
    }

    @Test
    void whatCannotBeHadIsSaidBeforeTheFirstCase() {
        assertThat(run("-d", "nope")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(run("-d", "soft0", "--peer", "nope")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(run("-d", "soft0", "--driver", "mlx5")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(run(
                        "-d",
                        "soft0",
                        "--report",
                        folder.resolve("no/such/folder").toString()))
                .isEqualTo(DoorbellCommand.FAILED);
        assertThat(err.toString())
                .contains("nope")
                .contains("the driver mlx5")
                .contains("the report cannot be written");
        assertThat(out.toString()).isEmpty();
    }
}
