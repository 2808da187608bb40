package dev.doorbell.tools.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.doorbell.spec.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;

/** Command lines mean to our udaddy and mckey what they mean to the C programs. */
final class DatagramOptionsTest {
    @Test
    void serverIsAtThePortOfTheCProgram() throws ParseException {
        DatagramSettings settings = udaddy("-b", "127.0.0.1");
        assertThat(settings.local()).isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174));
        assertThat(settings.space()).isEqualTo(PortSpace.UDP);
    }

    @Test
    void clientAsksThatPort() throws ParseException {
        DatagramSettings settings = udaddy("-s", "127.0.0.1", "-b", "127.0.0.2");
        assertThat(settings.server()).isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174));
        assertThat(settings.local()).isEqualTo(new InetSocketAddress("127.0.0.2", 0));
    }

    @Test
    void smallPIsThePortSpaceAsWithTheCPrograms() throws ParseException {
        assertThat(udaddy("-p", "0x0002").space()).isEqualTo(PortSpace.IPOIB);
        assertThat(udaddy("-p", "273").space()).isEqualTo(PortSpace.UDP);
        assertThat(mckey("-m", "239.1.2.3", "-p", "0x0002").space()).isEqualTo(PortSpace.IPOIB);
    }

    @Test
    void whoTakesItForThePortIsToldTheOtherOption() {
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> udaddy("-p", "20000"))
                .withMessageContaining("port space")
                .withMessageContaining("20000")
                .withMessageContaining("--port");
    }

    @Test
    void portIsAnOptionOfOurs() throws ParseException {
        assertThat(udaddy("-s", "127.0.0.1", "--port", "20000").server())
                .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 20_000));
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> udaddy("--port", "65536"))
                .withMessage("--port is 0 to 65535, not '65536'");
    }

    private static DatagramSettings udaddy(String... words) throws ParseException {
        return DatagramOptions.parseUnicast(new DefaultParser().parse(DatagramOptions.unicast(), words));
    }

    private static DatagramSettings mckey(String... words) throws ParseException {
        return DatagramOptions.parseMulticast(new DefaultParser().parse(DatagramOptions.multicast(), words));
    }
}
