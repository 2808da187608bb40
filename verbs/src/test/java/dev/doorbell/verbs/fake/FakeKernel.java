package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import java.util.List;

/** A kernel with the devices that a test gives it; the service loader gets one with {@code acme0}. */
public final class FakeKernel implements Kernel {
    private final String name;
    private final int rank;
    private final List<KernelDevice> devices;

    public FakeKernel() {
        this("fake 1.0", 0, new FakeDevice("acme0"));
    }

    public FakeKernel(String name, int rank, KernelDevice... devices) {
        this.name = name;
        this.rank = rank;
        this.devices = List.of(devices);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public List<KernelDevice> devices() {
        return devices;
    }
}
