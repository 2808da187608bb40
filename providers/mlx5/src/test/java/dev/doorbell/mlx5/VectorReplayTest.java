package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays what the C driver was recorded to write and to report, through this driver on a fake kernel. */
@Timeout(300)
class VectorReplayTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "spec", "mlx5.md");

    private static final List<String> PROFILES = List.of(
            "dyn",
            "cqe128",
            "cqev0",
            "static",
            "static_bf0",
            "dyn_bf256",
            "dyn_nobf",
            "shutupbf",
            "nopreferbf",
            "singlethread",
            "signature",
            "noscatter",
            "devx",
            "noece",
            "noatomic",
            "writeabi",
            "ib");

    @Test
    void everyVectorIsReplayedOrListedWithAReason() throws IOException {
        Tally tally = new Tally();
        for (String profile : PROFILES) {
            new ObjectReplay(profile, tally).run();
            new SendReplay(profile, tally).run();
            new ReceiveReplay(profile, tally).run();
            new CompletionReplay(profile, tally).run();
            new ControlReplay(profile, tally).run();
        }
        System.out.println(tally.table());
        assertThat(tally.failures()).isEmpty();
        assertThat(Files.readString(DOCUMENT)).as("the counts in %s", DOCUMENT).contains(tally.table());
    }
}
