package dev.doorbell.libibverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Guid;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A device that the library lists. What can be read without opening it comes from the operating system's own tables, where it
 * has the device too.
 *
 * <p>Thread rules: any thread.
 */
final class LibraryDevice implements KernelDevice {
    private static final String NODES = "/dev/infiniband/";

    private final VerbsLibrary library;
    private final String name;
    private final String nodeName;
    private final Guid nodeGuid;
    private final Optional<KernelDevice> system;

    LibraryDevice(VerbsLibrary library, String name, String nodeName, Guid nodeGuid, Optional<KernelDevice> system) {
        this.library = library;
        this.name = name;
        this.nodeName = nodeName;
        this.nodeGuid = nodeGuid;
        this.system = system;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Guid nodeGuid() {
        return nodeGuid;
    }

    @Override
    public int ports() {
        return system.map(KernelDevice::ports).orElse(1);
    }

    @Override
    public int driverId() {
        return system.map(KernelDevice::driverId).orElse(0);
    }

    @Override
    public int driverAbi() {
        return system.map(KernelDevice::driverAbi).orElse(0);
    }

    @Override
    public int coreAbi() {
        return system.map(KernelDevice::coreAbi).orElse(0);
    }

    @Override
    public String modalias() {
        return system.map(KernelDevice::modalias).orElse("");
    }

    @Override
    public String node() {
        return system.map(KernelDevice::node).orElse(NODES + nodeName);
    }

    @Override
    public Optional<String> obstacle() {
        return system.flatMap(KernelDevice::obstacle);
    }

    @Override
    public List<GidEntry> gids(int port) {
        return system.map(device -> device.gids(port)).orElse(List.of());
    }

    @Override
    public int pkey(int port, int index) {
        return system.map(device -> device.pkey(port, index)).orElse(0);
    }

    @Override
    public Map<String, Long> counters(int port) {
        return system.map(device -> device.counters(port)).orElse(Map.of());
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        system.ifPresent(device -> properties.putAll(device.properties()));
        properties.put("library", library.name());
        return Map.copyOf(properties);
    }

    /** {@code ibv_open_device}, after finding it once more: a list that was freed no longer keeps its devices. */
    @Override
    public CommandChannel open() {
        try (LibraryKernel.DeviceList list = LibraryKernel.DeviceList.read(library)) {
            for (long device : list.devices()) {
                String found = Foreign.text(
                        Foreign.at(device, Heads.DEVICE_SIZE), Heads.DEVICE_NAME, Heads.DEVICE_NAME_LENGTH);
                if (found.equals(name)) {
                    return open(device);
                }
            }
        }
        throw new KernelException(Errno.ENODEV, name + " is not there any more");
    }

    private LibraryChannel open(long device) {
        long context = library.pointer(Function.OPEN_DEVICE, device);
        if (context == 0) {
            throw new KernelException(library.errno(), library.name() + " could not open " + node());
        }
        ContextStruct struct = new ContextStruct(context);
        try {
            struct.probe(device, system.isPresent() ? node() : "");
        } catch (VerbsFault e) {
            // It is not closed: who does not know its layout had better leave it alone.
            KernelException refusal = new KernelException(e.errno(), String.valueOf(e.getMessage()));
            refusal.initCause(e);
            throw refusal;
        }
        return new LibraryChannel(library, node(), struct);
    }
}
