package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.linux.RdmaLinks;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What stands in the way of an ordinary user, one thing after the other: each has a message of its own that says what to do.
 * A device that cannot be used is listed with the reason, and is not the default.
 */
@Tag("lab")
@Tag("once")
@Timeout(900)
final class LimitsLabTest {
    private static final Path NODE = Path.of(Rxe0.device().node());

    /** Of those that use another one first. */
    private static final List<String> MODULES =
            List.of("rdma_rxe", "rdma_ucm", "ib_umad", "ib_uverbs", "rdma_cm", "iw_cm", "ib_cm", "ib_core");

    /** Where the guest keeps its modules: their files, and their names in the order of loading. */
    private static final Path MODULE_FILES = Path.of("/run/lab-modules");

    private static final long PATIENCE_NS = 60_000_000_000L;

    private OrdinaryUser user;

    @BeforeEach
    void begin() throws IOException {
        user = new OrdinaryUser();
    }

    @AfterEach
    void end() throws IOException {
        user.close();
    }

    @Test
    void lockedMemoryIsLimited() throws IOException {
        assertThat(user.ask("register rxe0 " + OrdinaryUser.LOCKED / 2)).isEqualTo("registered 524288");
        assertThat(user.ask("register rxe0 " + 4 * OrdinaryUser.LOCKED))
                .contains("REG_MR")
                .contains("ENOMEM")
                .contains("asked 4194304 bytes")
                .contains("the limit on locked memory, which is 1048576 bytes for this process")
                .contains("ulimit -l");
        assertThat(user.ask("register soft0 " + 4 * OrdinaryUser.LOCKED)).isEqualTo("registered 4194304");
    }

    @Test
    void aNodeThatIsMissing() throws IOException {
        Path away = NODE.resolveSibling("away");
        Files.move(NODE, away);
        try {
            assertUnusable(NODE + " does not exist: load the module ib_uverbs (modprobe ib_uverbs)");
        } finally {
            Files.move(away, NODE);
        }
        assertUsable();
    }

    @Test
    void aNodeThatIsForbidden() throws IOException {
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(NODE);
        Files.setPosixFilePermissions(NODE, PosixFilePermissions.fromString("rw-------"));
        try {
            assertUnusable(NODE + " may not be read and written by this user (owner root, group root): join its group");
        } finally {
            Files.setPosixFilePermissions(NODE, before);
        }
        assertUsable();
    }

    private void assertUnusable(String reason) throws IOException {
        assertThat(user.ask("list").lines())
                .as("listed with the reason, behind the one that can be used")
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("soft0: usable"),
                        last -> assertThat(last).startsWith("rxe0: " + reason));
        assertThat(user.ask("preferred")).isEqualTo("soft0");
        assertThat(user.ask("open rxe0"))
                .startsWith("open on device rxe0: ENODEV: " + reason)
                .contains("in a container, hand the device in (--device " + NODE + ")");
    }

    private void assertUsable() throws IOException {
        // A device that was just made gets its GIDs a little later.
        String expected = "rxe0: usable\nsoft0: usable";
        String listed = user.ask("list");
        long start = System.nanoTime();
        while (!listed.equals(expected) && System.nanoTime() - start < PATIENCE_NS) {
            listed = user.ask("list");
        }
        assertThat(listed).isEqualTo(expected);
        assertThat(user.ask("preferred")).isEqualTo("rxe0");
        assertThat(user.ask("open rxe0")).startsWith("opened");
    }

    @Test
    void theKernelHoldsThePortOfTheEmbeddedDevice() throws IOException {
        assertThat(user.ask("open soft0"))
                .contains("link=local only, port 4791 held")
                .contains("rdma_rxe holds it at every address")
                .contains("doorbell link delete");
        // For this program it works all the same.
        try (Context context = Device.named("soft0").open()) {
            assertThat(context.chooseGid(1).entry().netDevice()).isNotEmpty();
        }
    }

    @Test
    void modulesThatAreNotLoaded() throws Exception {
        RdmaLinks links = new RdmaLinks();
        assertThat(user.ask("add rxe0 lab0")).contains("needs CAP_NET_ADMIN").endsWith("(EPERM)");
        List<String> removed = new ArrayList<>();
        try {
            links.delete("rxe0");
            remove(removed, "rdma_rxe");
            assertThatThrownBy(() -> links.add("rxe0", "rxe", "lab0")).hasMessageContaining("modprobe rdma_rxe");
            assertThat(user.ask("open rxe0"))
                    .contains("none has the name rxe0; there are soft0 (embedded)")
                    .contains("doorbell link add rxe0 --netdev eth0")
                    .contains("modprobe rdma_rxe");
            for (String module : MODULES) {
                remove(removed, module);
            }
            assertThatThrownBy(() -> links.add("rxe0", "rxe", "lab0")).hasMessageContaining("modprobe ib_core");
            assertThat(user.ask("open rxe0"))
                    .contains("no RDMA module is loaded")
                    .contains("modprobe rdma_rxe");
            assertThat(user.ask("preferred")).isEqualTo("soft0");
        } finally {
            for (String file : Files.readAllLines(MODULE_FILES.resolve("order"))) {
                if (removed.contains(file.replace(".ko", "").replace('-', '_'))) {
                    Commands.run("insmod", MODULE_FILES.resolve(file).toString());
                }
            }
            links.add("rxe0", "rxe", "lab0");
        }
        assertUsable();
    }

    private static void remove(List<String> removed, String module) throws IOException, InterruptedException {
        if (Files.exists(Path.of("/sys/module", module)) && !removed.contains(module)) {
            Commands.run("rmmod", module);
            removed.add(module);
        }
    }
}
