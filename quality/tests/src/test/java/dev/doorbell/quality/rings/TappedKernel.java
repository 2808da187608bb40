package dev.doorbell.quality.rings;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.quality.stack.TappedChannel;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kernel whose rings a test can reach, and whose doorbells it can hold back. */
record TappedKernel(Kernel kernel, Tap tap) implements Kernel {
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

    private record TappedDevice(KernelDevice device, Tap tap) implements KernelDevice {
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
            return new TappedChannel(device.open()) {
                @Override
                protected void mapped(MemorySegment mapping) {
                    tap.mapped(mapping);
                }

                @Override
                protected MemorySegment offered(MemorySegment mapping) {
                    return tap.offered(mapping);
                }

                @Override
                protected MemorySegment original(MemorySegment offered) {
                    return tap.original(offered);
                }

                @Override
                protected void ringing() {
                    tap.ringing();
                }

                @Override
                protected int refusal() {
                    return tap.refusal();
                }
            };
        }
    }
}
