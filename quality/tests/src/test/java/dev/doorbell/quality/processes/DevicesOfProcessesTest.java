package dev.doorbell.quality.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the devices of several processes of a host are, and what they say of it. */
@Timeout(300)
final class DevicesOfProcessesTest {
    @BeforeAll
    static void requireLoopbackNetwork() {
        Assumptions.assumeTrue(
                System.getProperty("os.name", "").equals("Linux"), "needs the loopback addresses 127.0.0.0/8 of Linux");
    }

    private static String devinfo(Map<String, String> environment) throws Exception {
        try (CommandProcess process = CommandProcess.start(List.of(), environment, "devinfo", "-v", "-d", "soft0")) {
            assertThat(process.status()).as(process.output()).isZero();
            return process.output();
        }
    }

    @Test
    void eachHasAnAddressOfItsOwnAndShowsIt() throws Exception {
        try (CommandProcess holder = CommandProcess.program(OutageEnd.class.getName(), List.of(), Map.of())) {
            holder.next("(OPEN)\n");
            holder.tell("state");
            String held = holder.next("STATE ACTIVE .*link=UDP (127\\.0\\.0\\.\\d+) port 4791, ");

            String other = devinfo(Map.of());
            assertThat(other)
                    .containsPattern("link: +UDP 127\\.0\\.0\\.\\d+ port 4791, ")
                    .containsPattern("GID\\[ *1\\]: +::ffff:127\\.0\\.0\\.\\d+")
                    .contains("PORT_ACTIVE")
                    .doesNotContain("UDP " + held + " ", "::ffff:" + held + "\n", "::ffff:" + held + ",");

            assertThat(devinfo(Map.of("DOORBELL_SOFT", "soft0@" + held)))
                    .containsPattern("link: +local only, port 4791 held \\(at " + held)
                    .contains("PORT_ACTIVE");
        }
    }

    @Test
    void aDeviceWhoseAddressIsNotThereSaysSo() throws Exception {
        assertThat(devinfo(Map.of("DOORBELL_SOFT", "soft0@192.0.2.77")))
                .containsPattern("link: +UDP 192.0.2.77 port 4791, down: no interface has 192.0.2.77, ")
                .contains("PORT_DOWN");
    }
}
