package dev.doorbell.quality.stack;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A kernel with something put before each channel that is opened. */
public record TappedKernel(Kernel kernel, UnaryOperator<CommandChannel> tap) implements Kernel {
    @Override
    public String name() {
        return kernel.name();
    }

    @Override
    public int rank() {
        return kernel.rank();
    }

    @Override
    public List<KernelDevice> devices() {
        return kernel.devices().stream()
                .map(device -> (KernelDevice) new TappedDevice(device, tap))
                .toList();
    }

    private record TappedDevice(KernelDevice device, UnaryOperator<CommandChannel> tap) implements KernelDevice {
        @Override
        public String name() {
            return device.name();
        }

        @Override
        public Guid nodeGuid() {
            return device.nodeGuid();
        }

        @Override
        public int ports() {
            return device.ports();
        }

        @Override
        public int driverId() {
            return device.driverId();
        }

        @Override
        public int driverAbi() {
            return device.driverAbi();
        }

        @Override
        public int coreAbi() {
            return device.coreAbi();
        }

        @Override
        public String modalias() {
            return device.modalias();
        }

        @Override
        public String node() {
            return device.node();
        }

        @Override
        public Optional<String> obstacle() {
            return device.obstacle();
        }

        @Override
        public List<GidEntry> gids(int port) {
            return device.gids(port);
        }

        @Override
        public int pkey(int port, int index) {
            return device.pkey(port, index);
        }

        @Override
        public Map<String, String> properties() {
            return device.properties();
        }

        @Override
        public CommandChannel open() {
            return tap.apply(device.open());
        }
    }
}
