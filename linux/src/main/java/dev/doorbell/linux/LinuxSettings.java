package dev.doorbell.linux;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a user may force on this kernel. Each is a system property, or else an environment variable; a value that is none
 * counts as absent, so that a mistake does not take all devices away, and {@link #complaint()} says so.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>property</th><th>variable</th><th>values</th></tr>
 * <tr><td>{@code doorbell.linux.discovery}</td><td>{@code DOORBELL_DISCOVERY}</td><td>{@code netlink}, {@code sysfs}</td></tr>
 * <tr><td>{@code doorbell.linux.carrier}</td><td>{@code DOORBELL_CARRIER}</td><td>{@code ioctl}, {@code write}</td></tr>
 * </table>
 *
 * @param discovery how devices are found
 * @param carrier how commands travel
 * @param complaint what of the settings made no sense; empty if all of them did
 */
record LinuxSettings(DiscoveryChoice discovery, CarrierChoice carrier, String complaint) {
    static final String DISCOVERY_PROPERTY = "doorbell.linux.discovery";
    static final String DISCOVERY_VARIABLE = "DOORBELL_DISCOVERY";
    static final String CARRIER_PROPERTY = "doorbell.linux.carrier";
    static final String CARRIER_VARIABLE = "DOORBELL_CARRIER";

    /** How devices are found. */
    enum DiscoveryChoice {
        AUTOMATIC,
        NETLINK,
        SYSFS
    }

    /** How commands travel. */
    enum CarrierChoice {
        AUTOMATIC,
        IOCTL,
        WRITE
    }

    /** Those of this process, read anew: a test may change a property between two devices. */
    static LinuxSettings current() {
        return of(System::getProperty, System.getenv());
    }

    static LinuxSettings of(Function<String, @Nullable String> properties, Map<String, String> environment) {
        StringBuilder complaint = new StringBuilder();
        String discovery = value(properties.apply(DISCOVERY_PROPERTY), environment.get(DISCOVERY_VARIABLE));
        String carrier = value(properties.apply(CARRIER_PROPERTY), environment.get(CARRIER_VARIABLE));
        return new LinuxSettings(
                choose(DiscoveryChoice.values(), DISCOVERY_VARIABLE, discovery, complaint),
                choose(CarrierChoice.values(), CARRIER_VARIABLE, carrier, complaint),
                complaint.toString());
    }

    private static String value(@Nullable String property, @Nullable String variable) {
        if (property != null) {
            return property;
        }
        return variable == null ? "" : variable;
    }

    /** The first of the choices is the one that nobody has to name. */
    private static <E extends Enum<E>> E choose(E[] choices, String name, String value, StringBuilder complaint) {
        String wanted = value.strip().toUpperCase(Locale.ROOT);
        for (E choice : choices) {
            if (choice.name().equals(wanted)) {
                return choice;
            }
        }
        if (!wanted.isEmpty()) {
            complaint.append("%s is '%s', which is none of %s; "
                    .formatted(name, value, Arrays.toString(choices).toLowerCase(Locale.ROOT)));
        }
        return choices[0];
    }
}
