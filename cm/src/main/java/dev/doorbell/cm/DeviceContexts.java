package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.spec.Guid;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The open devices of one kernel by their node GUIDs, which is how the connection manager names them. Contexts of the
 * program come first and stay the program's; others are opened when they are needed and closed with the last channel or
 * identifier that shares them.
 *
 * <p>Thread rules: any thread.
 */
final class DeviceContexts {
    private final DeviceCatalog catalog;
    private final Kernel kernel;

    // Guarded by this.
    private final Map<Guid, Context> contexts = new HashMap<>();
    private final List<Context> own = new ArrayList<>();

    /** What does not change while a device is open, and is looked at for each connection. */
    private final Map<Context, DeviceAttributes> attributes = new HashMap<>();

    private int users = 1;

    DeviceContexts(DeviceCatalog catalog, Kernel kernel, List<Context> ofProgram) {
        this.catalog = catalog;
        this.kernel = kernel;
        for (Context context : ofProgram) {
            contexts.put(context.device().nodeGuid(), context);
        }
    }

    Kernel kernel() {
        return kernel;
    }

    synchronized void retain() {
        users++;
    }

    /** Lets go; the last one closes what was opened here. */
    void release() {
        List<Context> closing;
        synchronized (this) {
            if (--users > 0) {
                return;
            }
            closing = List.copyOf(own);
            own.clear();
            contexts.clear();
            attributes.clear();
        }
        closing.forEach(Context::close);
    }

    /** The device with this GUID, open. */
    synchronized Context of(Guid guid) {
        Context known = contexts.get(guid);
        if (known != null && known.isOpen()) {
            return known;
        }
        Context opened = device(guid).open();
        contexts.put(guid, opened);
        own.add(opened);
        return opened;
    }

    /** What a device can do; asked for once. */
    synchronized DeviceAttributes attributes(Context context) {
        return attributes.computeIfAbsent(context, Context::query);
    }

    private Device device(Guid guid) {
        List<Device> devices = catalog.devices().stream()
                .filter(device -> device.kernel().equals(kernel.name()))
                .toList();
        return devices.stream()
                .filter(device -> device.nodeGuid().equals(guid))
                .findFirst()
                .orElseThrow(() -> new CmException(
                        "find device",
                        kernel.name(),
                        Errno.ENODEV,
                        "the connection manager chose the device with node GUID " + guid + ", and there are "
                                + devices.stream().map(Device::name).toList(),
                        "Load its user-mode driver, or use an address of another device",
                        null));
    }
}
