package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A device that is whatever a test says; the fields are what it lists. */
public final class FakeDevice implements KernelDevice {
    public static final int DRIVER_ID = 4711;

    public final FakeChannel channel = new FakeChannel();
    public int driverId = DRIVER_ID;
    public int driverAbi = 2;
    public String modalias = "";
    public Optional<String> obstacle = Optional.empty();
    public List<GidEntry> gids = new ArrayList<>();
    public @Nullable KernelException openFailure;

    private final String name;
    private final Guid guid;

    public FakeDevice(String name) {
        this.name = name;
        this.guid = new Guid(0x0200_00ff_fe00_0000L | name.hashCode() & 0xffff);
        gids.add(gid(0, "fe80::1", GidType.ROCE_V2, "eth0"));
        gids.add(gid(1, "192.0.2.7", GidType.ROCE_V2, "eth0"));
    }

    public static GidEntry gid(int index, String address, GidType type, String netDevice) {
        try {
            return new GidEntry(1, index, Gid.of(InetAddress.getByName(address)), type, netDevice);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Guid nodeGuid() {
        return guid;
    }

    @Override
    public int ports() {
        return 1;
    }

    @Override
    public int driverId() {
        return driverId;
    }

    @Override
    public int driverAbi() {
        return driverAbi;
    }

    @Override
    public int coreAbi() {
        return 6;
    }

    @Override
    public String modalias() {
        return modalias;
    }

    @Override
    public String node() {
        return "/dev/fake/" + name;
    }

    @Override
    public Optional<String> obstacle() {
        return obstacle;
    }

    @Override
    public List<GidEntry> gids(int port) {
        return gids;
    }

    @Override
    public int pkey(int port, int index) {
        return index == 0 ? 0xffff : 0;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of("link", "none");
    }

    @Override
    public CommandChannel open() {
        if (openFailure != null) {
            throw openFailure;
        }
        return channel;
    }
}
