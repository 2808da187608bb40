package dev.doorbell.tools.pingpong;

import dev.doorbell.verbs.Device;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/**
 * The option {@code --faults}: packets of the embedded device suffer on purpose. It must be read before the first device is
 * listed; the embedded kernel takes it from a system property, or else from the environment.
 */
public final class FaultsOption {
    private static final String LONG = "faults";
    private static final String PROPERTY = "doorbell.faults";
    private static final String LINK = "link";
    private static final String MARK = "; faults on purpose: ";
    private static final String WRONG = "DOORBELL_FAULTS: ";
    private static final String COUNTERS = "faults_";

    private FaultsOption() {}

    static Option option() {
        return Option.builder()
                .longOpt(LONG)
                .hasArg()
                .argName("FAULTS")
                .desc("lose and spoil packets of soft0 as in DOORBELL_FAULTS: loss=1%,seed=42")
                .get();
    }

    /** Takes the option over, if it is there. */
    public static void apply(CommandLine line) {
        if (line.hasOption(LONG)) {
            System.setProperty(PROPERTY, line.getOptionValue(LONG));
        }
    }

    /**
     * Refuses faults that are none, before a device is looked for.
     *
     * @throws PingpongException with what is wrong
     */
    static void check() {
        if (System.getProperty(PROPERTY) == null) {
            return;
        }
        for (Device device : Device.list()) {
            String obstacle = device.obstacle().orElse("");
            if (obstacle.startsWith(WRONG)) {
                throw new PingpongException("--faults: " + obstacle.substring(WRONG.length()));
            }
        }
    }

    /**
     * The device whose packets are to suffer.
     *
     * @throws PingpongException if faults were asked for, and this device has none
     */
    static Device checked(Device device) {
        if (System.getProperty(PROPERTY) != null
                && device.isUsable()
                && describe(device).isEmpty()) {
            throw new PingpongException("--faults: " + device.name()
                    + " is no embedded device, and only their packets can be made to suffer; -d soft0 takes that one");
        }
        return device;
    }

    /** What happens to the device's packets on purpose; empty for nothing. */
    static String describe(Device device) {
        String link = device.properties().getOrDefault(LINK, "");
        int mark = link.indexOf(MARK);
        return mark < 0 ? "" : link.substring(mark + MARK.length());
    }

    /** What has happened to them so far. */
    static String told(Map<String, Long> counters) {
        return counters.entrySet().stream()
                .filter(counter -> counter.getKey().startsWith(COUNTERS))
                .map(counter -> counter.getValue() + " " + counter.getKey().substring(COUNTERS.length()))
                .collect(Collectors.joining(", "));
    }
}
