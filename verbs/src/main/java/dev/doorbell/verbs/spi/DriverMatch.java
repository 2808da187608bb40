package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.KernelDevice;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The driver of a device, and by what it was found. */
record DriverMatch(Provider provider, String reason) {
    static @Nullable DriverMatch find(KernelDevice device, List<Provider> providers) {
        for (Provider provider : providers) {
            if (device.driverId() != 0 && provider.matches().driverIds().contains(device.driverId())) {
                return new DriverMatch(provider, "kernel driver id " + device.driverId());
            }
        }
        for (Provider provider : providers) {
            for (String prefix : provider.matches().namePrefixes()) {
                if (device.name().startsWith(prefix)) {
                    return new DriverMatch(provider, "name " + prefix + "*");
                }
            }
        }
        for (Provider provider : providers) {
            for (String glob : provider.matches().modaliases()) {
                if (matches(glob, device.modalias())) {
                    return new DriverMatch(provider, "modalias " + glob);
                }
            }
        }
        return null;
    }

    /** The driver that a kernel names for all of its devices. */
    static @Nullable DriverMatch named(String name, List<Provider> providers) {
        return providers.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .map(provider -> new DriverMatch(provider, "the library's own"))
                .orElse(null);
    }

    private static boolean matches(String glob, String modalias) {
        if (modalias.isEmpty()) {
            return false;
        }
        String pattern = Pattern.quote(glob).replace("*", "\\E.*\\Q");
        return Pattern.matches(pattern, modalias);
    }
}
