package dev.doorbell.libibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.verbs.Device;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With and without the library, and what a user may name. */
@Timeout(60)
class LibraryLoadingTest {
    private static final Kernel NO_DEVICES = new Kernel() {
        @Override
        public String name() {
            return "tests";
        }

        @Override
        public List<KernelDevice> devices() {
            return List.of();
        }
    };

    @Test
    void whatAUserMayName() {
        assertThat(LibrarySettings.of(null)).isEqualTo(new LibrarySettings("libibverbs.so.1", false, false));
        assertThat(LibrarySettings.of(" ")).isEqualTo(new LibrarySettings("libibverbs.so.1", false, false));
        assertThat(LibrarySettings.of("off").isOff()).isTrue();
        assertThat(LibrarySettings.of("/opt/lib/libibverbs.so.1"))
                .isEqualTo(new LibrarySettings("/opt/lib/libibverbs.so.1", true, false));
    }

    @Test
    void aLibraryThatIsNotThereHasNoDevicesAndOneComplaint() {
        Kernel kernel = new LibraryKernel(() -> LibrarySettings.of("/nowhere/libibverbs.so.1"), new Stub.StubSystem());

        assertThat(kernel.devices()).isEmpty();
        assertThat(VerbsLibrary.load("/nowhere/libibverbs.so.1").complaint())
                .isEqualTo("there is no /nowhere/libibverbs.so.1 here; install rdma-core (package libibverbs1)");
    }

    @Test
    void aLibraryOfAnotherKindIsRefusedByName() {
        assertThat(VerbsLibrary.load("libc.so.6").complaint())
                .isEqualTo("libc.so.6 has no ibv_get_device_list: rdma-core 44 or newer is needed");
    }

    @Test
    void withoutDevicesTheLibraryIsNotEvenLoaded() {
        Kernel kernel = new LibraryKernel(() -> LibrarySettings.of(null), NO_DEVICES);

        assertThat(kernel.devices()).isEmpty();
    }

    @Test
    void turnedOffThereIsNothing() {
        assertThat(new LibraryKernel(() -> LibrarySettings.of("off"), new Stub.StubSystem()).devices())
                .isEmpty();
    }

    @Test
    void aDeviceSaysWhoseItIs() {
        Device device = Stub.device();

        assertThat(device.name()).isEqualTo("stub0");
        assertThat(device.drivers()).containsExactly("libibverbs");
        assertThat(device.withDriver("libibverbs")).isSameAs(device);
        assertThat(device.properties()).containsKey("library");
        assertThat(device.gids()).hasSize(1);
        assertThat(device.pkey(1, 0)).isEqualTo(0xffff);
    }
}
