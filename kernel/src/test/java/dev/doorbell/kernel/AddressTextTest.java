package dev.doorbell.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class AddressTextTest {
    private static String text(String address, int port) {
        return AddressText.of(new InetSocketAddress(InetAddress.ofLiteral(address), port));
    }

    @Test
    void noSlashAndNoNameStandBeforeAnAddress() throws Exception {
        assertThat(text("127.0.0.1", 7174)).isEqualTo("127.0.0.1:7174");
        InetAddress named = InetAddress.getByAddress("server", new byte[] {10, 0, 0, 7});
        assertThat(AddressText.of(new InetSocketAddress(named, 1))).isEqualTo("10.0.0.7:1");
    }

    @Test
    void anIpv6AddressIsShortAndStandsInBrackets() {
        assertThat(text("2001:db8:0:0:0:0:0:7", 7174)).isEqualTo("[2001:db8::7]:7174");
        assertThat(text("::", 0)).isEqualTo("[::]:0");
    }

    @Test
    void aNameThatWasNotResolvedIsShownAsItIs() {
        assertThat(AddressText.of(InetSocketAddress.createUnresolved("nowhere", 9)))
                .isEqualTo("nowhere:9");
    }
}
