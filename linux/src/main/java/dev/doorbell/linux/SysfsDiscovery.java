package dev.doorbell.linux;

import dev.doorbell.spec.Guid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Devices as class/infiniband_verbs and class/infiniband list them. Those of the second that the first lacks have no
 * character device.
 */
final class SysfsDiscovery implements Discovery {
    static final String VERBS_CLASS = "class/infiniband_verbs/";
    static final String DEVICE_CLASS = "class/infiniband/";

    /** What every kernel since 2.6.20 speaks. */
    static final int CORE_ABI = 6;

    private final Sysfs sysfs;
    private final String source;

    /** @param source what to say about it, for people */
    SysfsDiscovery(Sysfs sysfs, String source) {
        this.sysfs = sysfs;
        this.source = source;
    }

    @Override
    public Listing list() {
        Map<String, String> files = files();
        List<DeviceIdentity> devices = new ArrayList<>();
        files.forEach((device, file) -> devices.add(identity(device, file)));
        for (String device : sysfs.names(DEVICE_CLASS)) {
            if (!files.containsKey(device)) {
                devices.add(identity(device, ""));
            }
        }
        return new Listing(devices, source);
    }

    /** The character device of each device that has one. */
    private Map<String, String> files() {
        Map<String, String> files = new HashMap<>();
        for (String file : sysfs.names(VERBS_CLASS)) {
            String device = sysfs.text(VERBS_CLASS + file + "/ibdev");
            if (DeviceIdentity.fileNumber(file) >= 0 && !device.isEmpty()) {
                files.put(device, file);
            }
        }
        return files;
    }

    /** What sysfs says about one device. */
    DeviceIdentity identity(String device) {
        return identity(device, files().getOrDefault(device, ""));
    }

    private DeviceIdentity identity(String device, String file) {
        String folder = DEVICE_CLASS + device + '/';
        String verbsFolder = VERBS_CLASS + file + '/';
        return new DeviceIdentity(
                device,
                file,
                file.isEmpty() ? "" : sysfs.text(verbsFolder + "dev"),
                guid(sysfs.text(folder + "node_guid")),
                sysfs.names(folder + "ports").size(),
                driverId(sysfs, device),
                file.isEmpty() ? 0 : sysfs.number(verbsFolder + "abi_version", 0),
                coreAbi(sysfs),
                protocol(folder));
    }

    static int driverId(Sysfs sysfs, String device) {
        String folder = DEVICE_CLASS + device + '/';
        return KernelDrivers.id(device, sysfs.linkTarget(folder + "device/driver"), sysfs.text(folder + "node_desc"));
    }

    static int coreAbi(Sysfs sysfs) {
        return sysfs.number(VERBS_CLASS + "abi_version", CORE_ABI);
    }

    private String protocol(String folder) {
        return switch (sysfs.text(folder + "ports/1/link_layer")) {
            case "InfiniBand" -> "ib";
            // Ethernet carries RoCE or iWARP; the kind of node says which, before the number behind the colon's name.
            case "Ethernet" -> sysfs.text(folder + "node_type").startsWith("4:") ? "iw" : "roce";
            default -> "";
        };
    }

    private static Guid guid(String text) {
        String digits = text.replace(":", "");
        boolean hex = digits.length() == 16 && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0);
        return new Guid(hex ? Long.parseUnsignedLong(digits, 16) : 0);
    }
}
