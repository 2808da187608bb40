package dev.doorbell.verbs.spi;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which driver a user wants for devices that several can drive: the system property {@code doorbell.driver}, or else the
 * environment variable {@code DOORBELL_DRIVER}. {@code libibverbs} is a wish for every device that has the choice,
 * {@code rxe0=libibverbs,mlx5_0=mlx5} one for each that is named.
 *
 * @param general for devices that are not named; null for none
 * @param named driver by device
 */
record DriverWish(@Nullable String general, Map<String, String> named) {
    static final String PROPERTY = "doorbell.driver";
    static final String VARIABLE = "DOORBELL_DRIVER";

    /** That of this process, read anew. */
    static DriverWish current() {
        String property = System.getProperty(PROPERTY);
        return parse(property == null ? System.getenv(VARIABLE) : property);
    }

    static DriverWish parse(@Nullable String text) {
        String general = null;
        Map<String, String> named = new HashMap<>();
        for (String part : (text == null ? "" : text).split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals >= 0) {
                named.put(
                        part.substring(0, equals).strip(),
                        part.substring(equals + 1).strip());
            } else if (!part.isBlank()) {
                general = part.strip();
            }
        }
        return new DriverWish(general, Map.copyOf(named));
    }

    /** Why a wish for all devices is nobody's: its driver is none of these, most likely by a slip of the pen. */
    Optional<String> unknown(List<String> drivers) {
        return Optional.ofNullable(general)
                .filter(driver -> !drivers.contains(driver))
                .map(driver -> VARIABLE + " (or the property " + PROPERTY + ") asks for the driver '" + driver
                        + "', which does not exist; there are " + String.join(", ", drivers));
    }

    /** Whether an entry is what was wished for its device. */
    boolean isFor(DeviceEntry entry) {
        Provider provider = entry.provider();
        String wanted = named.getOrDefault(entry.device().name(), general);
        return provider != null && provider.name().equals(wanted);
    }

    /** Whether the user asks for this driver for a device of that name. */
    boolean names(String device, String driver) {
        return driver.equals(named.getOrDefault(device, general));
    }

    /** Why a device is not what was wished for it by name; empty if it is, or nobody wished. */
    Optional<String> disappointment(DeviceEntry entry) {
        String wanted = named.get(entry.device().name());
        return wanted == null || isFor(entry)
                ? Optional.empty()
                : Optional.of(VARIABLE + " (or the property " + PROPERTY + ") asks for the driver " + wanted
                        + ", which does not drive it here; name another or none");
    }
}
