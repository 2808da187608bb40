package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The device of the fake kernel, as a kernel lists it. */
record FakeDevice(CommandChannel channel) implements KernelDevice {
    @Override
    public String name() {
        return "mlx5_0";
    }

    @Override
    public Guid nodeGuid() {
        return new Guid(1);
    }

    @Override
    public int ports() {
        return 1;
    }

    @Override
    public int driverId() {
        return DriverId.MLX5;
    }

    @Override
    public int driverAbi() {
        return 1;
    }

    @Override
    public int coreAbi() {
        return 6;
    }

    @Override
    public String modalias() {
        return "pci:v000015B3d00001017";
    }

    @Override
    public String node() {
        return "/dev/infiniband/uverbs0";
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public List<GidEntry> gids(int port) {
        return channel.gids(port).orElseThrow();
    }

    @Override
    public int pkey(int port, int index) {
        return 0xffff;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public CommandChannel open() {
        return channel;
    }
}
