package dev.doorbell.cm;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A kernel with one device in memory, whose connection manager answers what a test says. */
final class ScriptedKernel implements Kernel, AutoCloseable {
    final SoftNetwork network = SoftNetwork.builder().devices(1).seed(1).build();
    final List<ScriptedChannel> channels = new ArrayList<>();

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public List<KernelDevice> devices() {
        return network.devices();
    }

    @Override
    public CmChannel openConnectionManager() {
        ScriptedChannel channel = new ScriptedChannel(network.devices().getFirst(), 100 * (channels.size() + 1));
        channels.add(channel);
        return channel;
    }

    EventChannel open() {
        return call(EventChannel::open);
    }

    Connector connector() {
        return call(Connector::open);
    }

    private <T> T call(Supplier<T> program) {
        return DeviceCatalog.of(List.of(this), DeviceCatalog.installed().providers())
                .call(program);
    }

    @Override
    public void close() {
        network.close();
    }
}
