package dev.doorbell.quality.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.linux.LinuxKernel;
import dev.doorbell.linux.RdmaLink;
import dev.doorbell.linux.RdmaLinks;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What netlink and sysfs say of the same devices, and what commands travel by. */
@Tag("lab")
@Timeout(120)
final class DiscoveryLabTest {
    private static final String DISCOVERY = "doorbell.linux.discovery";

    @Test
    void netlinkIsPreferredAndKnowsTheDriverByNumber() {
        KernelDevice device = Rxe0.device();
        assertThat(device.properties())
                .containsEntry("discovery", "netlink")
                .containsEntry("protocol", "roce")
                .containsEntry("parent", "lab0");
        assertThat(device.driverId()).isEqualTo(DriverId.RXE);
    }

    @Test
    void sysfsSaysTheSame() {
        KernelDevice netlink = Rxe0.device();
        KernelDevice sysfs = with(DISCOVERY, "sysfs", Rxe0::device);
        assertThat(sysfs.properties()).containsEntry("discovery", "sysfs (asked for)");
        assertThat(describe(sysfs)).isEqualTo(describe(netlink));
    }

    @Test
    void linksShowThePortAndItsInterface() {
        assertThat(new RdmaLinks().list()).anySatisfy(link -> {
            assertThat(link.device()).isEqualTo("rxe0");
            assertThat(link.port()).isEqualTo(1);
            assertThat(link.state()).contains(PortState.ACTIVE);
            assertThat(link.netDevice()).isEqualTo("lab0");
        });
    }

    @Test
    void countersHaveRxesNames() {
        assertThat(Rxe0.device().counters(1)).containsKeys("sent_pkts", "rcvd_pkts", "duplicate_request");
    }

    @Test
    void eachCarrierCanBeForced() {
        for (String carrier : new String[] {"ioctl", "write"}) {
            try (CommandChannel channel =
                    with("doorbell.linux.carrier", carrier, () -> Rxe0.device().open())) {
                assertThat(channel.description()).endsWith(" by " + carrier);
            }
        }
    }

    @Test
    void anOpenDeviceAnswersForItsGidsWhatSysfsShows() {
        for (String carrier : new String[] {"ioctl", "write"}) {
            try (Context context = with(
                    "doorbell.linux.carrier",
                    carrier,
                    () -> Device.named("rxe0").open())) {
                assertThat(context.gids(1)).isNotEmpty().isEqualTo(Rxe0.device().gids(1));
            }
        }
    }

    @Test
    void devicesStandInTheOrderOfTheirNodes() {
        assertThat(new LinuxKernel().devices().stream().map(KernelDevice::node).toList())
                .isSorted();
        assertThat(new RdmaLinks().list()).extracting(RdmaLink::device).contains("rxe0");
    }

    private static List<Object> describe(KernelDevice device) {
        return List.of(
                device.name(),
                device.nodeGuid(),
                device.ports(),
                device.driverId(),
                device.driverAbi(),
                device.coreAbi(),
                device.node(),
                device.obstacle(),
                device.gids(1));
    }

    private static <T> T with(String property, String value, Supplier<T> work) {
        String before = System.getProperty(property);
        System.setProperty(property, value);
        try {
            return work.get();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }
}
