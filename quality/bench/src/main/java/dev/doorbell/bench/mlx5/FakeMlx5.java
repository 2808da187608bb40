package dev.doorbell.bench.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kernel with one mlx5 device, whose only purpose is to be opened: it is played by {@link FakeHca}. */
final class FakeMlx5 implements Kernel, KernelDevice {
    private static final int DRIVER_ABI = 1;
    private static final int CORE_ABI = 6;
    private static final int PKEY = 0xffff;

    private final FakeHca hca;

    FakeMlx5(FakeHca hca) {
        this.hca = hca;
    }

    @Override
    public List<KernelDevice> devices() {
        return List.of(this);
    }

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
        return DRIVER_ABI;
    }

    @Override
    public int coreAbi() {
        return CORE_ABI;
    }

    /** None: what the driver mlx5 drives without being asked is not of the system. */
    @Override
    public String modalias() {
        return "";
    }

    @Override
    public String node() {
        return "";
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public List<GidEntry> gids(int port) {
        return List.of(new GidEntry(1, 0, Gid.ofIpv4(0x7f000001), GidType.ROCE_V2, "lo"));
    }

    @Override
    public int pkey(int port, int index) {
        return PKEY;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public CommandChannel open() {
        return hca;
    }
}
