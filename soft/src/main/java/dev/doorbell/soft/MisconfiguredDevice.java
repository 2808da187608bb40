package dev.doorbell.soft;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stands in the list for devices whose configuration is wrong, so that the reason is seen where they are missed. */
record MisconfiguredDevice(String reason) implements KernelDevice {
    @Override
    public String name() {
        return "soft0";
    }

    @Override
    public Guid nodeGuid() {
        return new Guid(0);
    }

    @Override
    public int ports() {
        return 0;
    }

    @Override
    public int driverId() {
        return DriverId.RXE;
    }

    @Override
    public int driverAbi() {
        return 2;
    }

    @Override
    public int coreAbi() {
        return 6;
    }

    @Override
    public String modalias() {
        return "";
    }

    @Override
    public String node() {
        return "embedded:" + name();
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.of(reason);
    }

    @Override
    public List<GidEntry> gids(int port) {
        return List.of();
    }

    @Override
    public int pkey(int port, int index) {
        return 0;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public CommandChannel open() {
        throw new KernelException(Errno.EINVAL, reason);
    }
}
