package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.AbiRange;
import dev.doorbell.verbs.spi.DeviceCatalog;
import dev.doorbell.verbs.spi.MatchTable;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which driver a ConnectX of the system gets: this one only where somebody asks for it. */
final class DriverChoiceTest {
    private static final String WISH = "doorbell.driver";
    private static final String LIBRARY = "libibverbs";

    private final Kernel system = new Listing("linux", 0, Optional.empty());
    private final Kernel library = new Listing(LIBRARY, 50, Optional.of(LIBRARY));

    @AfterEach
    void wishNothing() {
        System.clearProperty(WISH);
    }

    private static Device device(Kernel... kernels) {
        return DeviceCatalog.of(List.of(kernels), List.of(new Mlx5Provider(), new Library()))
                .devices()
                .getFirst();
    }

    @Test
    void theLibraryDrivesItUnlessSomebodyAsks() {
        Device device = device(system, library);

        assertThat(device.driver()).contains(LIBRARY);
        assertThat(device.obstacle()).isEmpty();
        assertThat(device.drivers()).containsExactly(LIBRARY, "mlx5");
    }

    @Test
    void whoeverAsksForItByNameGetsItAndIsTold() {
        Device device = device(system, library).withDriver("mlx5");

        assertThat(device.driver()).contains("mlx5");
        assertThat(device.obstacle()).isEmpty();
        assertThat(device.driverRemark())
                .hasValueSatisfying(remark -> assertThat(remark).startsWith("never run on hardware"));
    }

    @Test
    void whoeverWishesForItFromOutsideGetsIt() {
        System.setProperty(WISH, "mlx5_0=mlx5");

        Device device = device(system, library);

        assertThat(device.driver()).contains("mlx5");
        assertThat(device.obstacle()).isEmpty();
    }

    @Test
    void withoutTheLibraryItSaysWhyItIsNotUsed() {
        Device device = device(system);

        assertThat(device.obstacle())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("never run on hardware")
                        .contains("DOORBELL_DRIVER=mlx5")
                        .contains(LIBRARY));
    }

    /** A kernel with one ConnectX. */
    private record Listing(String name, int rank, Optional<String> driver) implements Kernel {
        @Override
        public List<KernelDevice> devices() {
            return List.of(new FakeDevice(new FakeMlx5("dyn")));
        }
    }

    /** Drives what only it can drive, and is never opened here. */
    private static final class Library implements Provider {
        @Override
        public String name() {
            return LIBRARY;
        }

        @Override
        public MatchTable matches() {
            return new MatchTable(Set.of(), List.of(), List.of());
        }

        @Override
        public AbiRange abi() {
            return new AbiRange(0, Integer.MAX_VALUE);
        }

        @Override
        public ProviderContext open(KernelDevice device, CommandChannel channel) {
            throw new UnsupportedOperationException();
        }
    }
}
