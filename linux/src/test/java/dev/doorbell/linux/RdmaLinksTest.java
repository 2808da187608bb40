package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.linux.netlink.RecordedKernel;
import dev.doorbell.spec.PortPhysicalState;
import dev.doorbell.spec.PortState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links against what two kernels were recorded to say. */
@Timeout(30)
class RdmaLinksTest {
    private static final OpenFiles NOBODY = new OpenFiles(Path.of("/nowhere"));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12"})
    void showsPortsWithTheirInterface(String release) {
        assertThat(links(release, "get", "port").list())
                .containsExactly(new RdmaLink(
                        "rxe0",
                        1,
                        "roce",
                        Optional.of(PortState.ACTIVE),
                        Optional.of(PortPhysicalState.LINK_UP),
                        "lab0"));
    }

    @Test
    void adds() {
        links("6.12", "new-lo").add("rxe9", "rxe", "lo");
    }

    @Test
    void refusalsOfAddSayWhatToDo() {
        RdmaLinks links = links("6.12", "new-type", "new-dev", "new-dup");
        assertThatThrownBy(() -> links.add("rxe9", "nope", "lab0"))
                .hasMessageContaining("adding link rxe9 of type nope on lab0")
                .hasMessageContaining("modprobe nope")
                .hasMessageEndingWith("(EINVAL)");
        assertThatThrownBy(() -> links.add("rxe9", "rxe", "nix0"))
                .hasMessageContaining("no network interface nix0")
                .hasMessageEndingWith("(ENODEV)");
        assertThatThrownBy(() -> links.add("rxe9", "rxe", "lab0"))
                .hasMessageContaining("lab0 has such a device already")
                .hasMessageEndingWith("(EEXIST)");
        assertThatThrownBy(() -> links("6.1", "perm").add("rxe9", "rxe", "lo"))
                .hasMessageContaining("CAP_NET_ADMIN")
                .hasMessageEndingWith("(EPERM)");
    }

    @Test
    void namesThatAreNoneNeverReachTheKernel() {
        RdmaLinks links = new RdmaLinks(
                () -> {
                    throw new AssertionError("asked the kernel");
                },
                NOBODY);
        for (String name : List.of("", "a b", "../x", "rxe%d", ".", "x".repeat(64), "\u0000")) {
            assertThatThrownBy(() -> links.add(name, "rxe", "lo"))
                    .as("'%s'", name)
                    .hasMessageContaining("1 to 63")
                    .hasMessageEndingWith("(EINVAL)");
        }
        assertThatThrownBy(() -> links.add("rxe0", "rxe", "interface-too-long")).hasMessageContaining("1 to 15");
    }

    @Test
    void anOpenDeviceIsNotDeletedAndItsUsersAreNamed() {
        RecordedKernel kernel = RecordedKernel.of("6.12", "get", "res2", "ctx", "chardev");
        assertThatThrownBy(() -> new RdmaLinks(kernel::open, NOBODY).delete("rxe0"))
                .hasMessageContaining("it is open (1 context begun) in 201")
                .hasMessageEndingWith("(EBUSY)");
        assertThat(kernel.asked()).doesNotContain("?");
        assertThat(new LinkUse(0, List.of())).hasToString("nobody has it open");
        assertThat(new LinkUse(2, List.of())).asString().contains("2 contexts", "cannot see");
    }

    /** The kernel waits for those too. */
    @Test
    void aNodeThatIsOpenWithoutAContextCounts() throws IOException {
        Files.createDirectories(folder.resolve("self/fd"));
        Files.createDirectories(folder.resolve("78/fd"));
        Files.createSymbolicLink(folder.resolve("78/fd/3"), Path.of("/dev/null"));
        Files.createDirectories(folder.resolve("77/fd"));
        Files.createSymbolicLink(folder.resolve("77/fd/9"), Path.of("/dev/infiniband/uverbs0"));
        RecordedKernel kernel = RecordedKernel.of("6.1", "get", "res", "ctx-none", "chardev");
        RdmaLinks links = new RdmaLinks(kernel::open, new OpenFiles(folder));
        assertThat(links.use("rxe0")).isEqualTo(new LinkUse(0, List.of(77)));
        assertThatThrownBy(() -> links.delete("rxe0")).hasMessageContaining("0 contexts begun) in 77");
        assertThat(new OpenFiles(folder).holders(Path.of("/dev/null"))).containsExactly(78);
    }

    @Test
    void whatIsNotThereIsNotDeleted() {
        assertThatThrownBy(() -> links("6.12", "get").delete("rxe7"))
                .hasMessageContaining("no such device; there are [rxe0]")
                .hasMessageEndingWith("(ENODEV)");
    }

    @Test
    void deletesByNumber() {
        RecordedKernel kernel = RecordedKernel.of("6.12", "get2", "del");
        new RdmaLinks(kernel::open, NOBODY).deleteWhenClosed("rxe9");
        assertThat(kernel.asked()).containsExactly("get2", "del");
    }

    private static RdmaLinks links(String release, String... names) {
        RecordedKernel kernel = RecordedKernel.of(release, names);
        return new RdmaLinks(kernel::open, NOBODY);
    }
}
