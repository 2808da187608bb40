package dev.doorbell.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DoorbellCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new DoorbellCommand(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tourDoesEveryOperationAndCountsWhatItDid() {
        assertThat(run("tour", "--device", "soft0")).isZero();
        assertThat(out())
                .contains("enumerate", "open the node", "Driver: rxe", "Everything worked, and every byte was right.")
                .doesNotContain("WRONG");
        assertThat(count("calls into the kernel")).isZero();
        assertThat(count("doorbells rung")).isEqualTo(8);
        assertThat(count("work requests posted")).isEqualTo(13);
        assertThat(count("completions polled")).isEqualTo(11);
        assertThat(count("CREATE_QP")).isEqualTo(2);
        assertThat(count("DESTROY_QP")).isEqualTo(2);
        assertThat(count("REG_MR")).isEqualTo(count("DEREG_MR")).isPositive();
        assertThat(err()).isEmpty();
    }

    private int count(String name) {
        Matcher matcher =
                Pattern.compile("^ *" + name + " +([0-9]+)", Pattern.MULTILINE).matcher(out());
        assertThat(matcher.find()).as("a count of %s in:%n%s", name, out()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    @Test
    void devicesListsTheEmbeddedDevice() {
        assertThat(run("devices")).isZero();
        assertThat(out()).containsPattern("soft0 +[0-9a-f]{16} +embedded +rxe +");
    }

    @Test
    void devinfoShowsWhoDrivesADeviceAndWhatItCanDo() {
        assertThat(run("devinfo", "-v", "-d", "soft0")).isZero();
        assertThat(out())
                .containsPattern("driver: +rxe")
                .containsPattern("driver_abi: +2")
                .containsPattern("core_abi: +6")
                .containsPattern("link: +(UDP 127\\.|local only, )")
                .containsPattern("state: +PORT_ACTIVE \\(4\\)")
                .containsPattern("active_mtu: +4096 \\(5\\)")
                .containsPattern("GID\\[0\\]: +fe80::[0-9a-f]{1,4}:")
                .containsPattern("counters:\n +[a-z_]+: +[0-9]+\n")
                .containsPattern("device_cap_flags: +0x[0-9a-f]{8,}\n +[A-Z_]+\n +[A-Z_]+\n")
                .containsPattern("active_width: +1X \\(1\\)")
                .containsPattern("active_speed: +2.5 Gbps \\(1\\)")
                .containsPattern("phys_state: +LINK_UP \\(5\\)")
                .containsPattern("capabilities:\n +MEMORY_WINDOW_TYPE_1: +yes\n")
                .containsPattern("XRC: +no\n")
                .containsPattern("GID\\[1\\]: +::ffff:127.0.0.1, RoCE v2, lo")
                .containsPattern("sent_pkts: +[0-9]+")
                .containsPattern("POST_SEND: +dev.doorbell.rxe.")
                .containsPattern("POLL_CQ: +dev.doorbell.rxe.");
    }

    @Test
    void devinfoWithoutOptionsIsShort() {
        assertThat(run("devinfo")).isZero();
        assertThat(out()).contains("PORT_ACTIVE").doesNotContain("GID[", "POST_SEND");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tour",
                "devices",
                "devinfo",
                "doctor",
                "perf",
                "asyncwatch",
                "link",
                "rping",
                "cm-stress",
                "udaddy",
                "mckey",
                "conformance",
                "rc-pingpong",
                "uc-pingpong",
                "ud-pingpong",
                "srq-pingpong"
            })
    void everySubcommandExplainsItselfInReadableWidth(String subcommand) {
        assertThat(run(subcommand, "--help")).isZero();
        assertThat(out())
                .startsWith("usage: doorbell " + subcommand)
                .contains("--help")
                .doesNotContain("null");
        assertThat(out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void whoeverHasNoLinksLearnsThatTheEmbeddedDeviceNeedsNone() {
        run("link", "show");
        if (err().contains("ib_core")) {
            assertThat(err()).contains("soft0, the embedded device, needs no link");
        }
    }

    @Test
    void overviewNamesEverySubcommand() {
        assertThat(run("--help")).isZero();
        assertThat(out())
                .contains(
                        "tour",
                        "devices",
                        "devinfo",
                        "asyncwatch",
                        "link",
                        "rc-pingpong",
                        "uc-pingpong",
                        "ud-pingpong",
                        "srq-pingpong",
                        "--version");
        assertThat(run()).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err()).contains("usage: doorbell SUBCOMMAND");
    }

    @Test
    void unknownSubcommandIsAUsageError() {
        assertThat(run("tuor")).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err()).contains("no subcommand 'tuor'", "doorbell --help");
        assertThat(out()).isEmpty();
    }

    @Test
    void unknownOptionIsAUsageError() {
        assertThat(run("devinfo", "--verbos")).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err()).contains("--verbos", "doorbell devinfo --help");
    }

    @Test
    void extraArgumentIsAUsageError() {
        assertThat(run("devinfo", "soft0")).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err()).contains("unexpected argument 'soft0'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"link frob", "link add", "link add rxe9", "link delete", "link show rxe9 rxe8"})
    void linkThatMakesNoSenseIsAUsageError(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err()).contains("doorbell link --help");
    }

    /** Tests of this module have no native access, so the kernel is not even asked. */
    @Test
    void linkThatCannotAskTheKernelSaysWhatTheJvmNeeds() {
        assertThat(run("link", "add", "rxe9", "--netdev", "lo")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(run("link", "delete", "rxe9")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(err()).contains("--enable-native-access").doesNotContain("\tat ");
        assertThat(run("link", "add", "a/b", "--netdev", "lo")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(err()).contains("the name of a device has 1 to 63 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "one", ""})
    void portThatIsNoPortIsAUsageError(String port) {
        assertThat(run("devinfo", "--port=" + port)).isEqualTo(DoorbellCommand.USAGE);
        assertThat(err()).contains("is not a port");
    }

    @Test
    void portThatTheDeviceLacksFails() {
        assertThat(run("devinfo", "-d", "soft0", "-i", "9")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(err()).contains("EINVAL");
    }

    @Test
    void deviceThatIsNotThereFailsWithWhatThereIs() {
        assertThat(run("tour", "-d", "mlx5_7")).isEqualTo(DoorbellCommand.FAILED);
        assertThat(err()).contains("mlx5_7", "soft0").doesNotContain("\tat ");
    }
}
