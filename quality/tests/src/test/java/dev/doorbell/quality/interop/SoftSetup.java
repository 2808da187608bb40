package dev.doorbell.quality.interop;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.soft.link.UdpPlan;
import java.net.InetAddress;
import java.nio.file.Path;

/**
 * How the embedded device of the other JVM is set up. {@code LAB_CAPTURES} names a folder for captures of its packets.
 *
 * @param six at lab1's IPv6 address
 * @param offload with segmentation offload, each way
 * @param faults with faults on all that it sends and receives
 */
record SoftSetup(boolean six, boolean offload, boolean faults) {
    static final String IPV4 = "10.77.0.2";
    static final String IPV6 = "fd77::2";

    String toText() {
        return six + " " + offload + " " + faults;
    }

    static SoftSetup parse(String text) {
        String[] words = text.split(" ", -1);
        return new SoftSetup(
                Boolean.parseBoolean(words[0]), Boolean.parseBoolean(words[1]), Boolean.parseBoolean(words[2]));
    }

    SoftNetwork build() {
        SoftNetwork.Builder builder = SoftNetwork.builder()
                .device("soft0", InetAddress.ofLiteral(six ? IPV6 : IPV4))
                .udp(plan -> plan.with(UdpPlan.Carrier.LINUX).withSegmentation(offload));
        if (faults) {
            builder.faults("soft0", FaultInjector.parse("loss=1%,duplicate=1%,reorder=1%,hold=200us,seed=7"));
        }
        String folder = System.getenv("LAB_CAPTURES");
        if (folder != null) {
            builder.capture(new CaptureFile(Path.of(
                    folder, "soft0-%s-%d.pcapng".formatted(six ? "ipv6" : "ipv4", System.currentTimeMillis() / 1000))));
        }
        return builder.build();
    }
}
