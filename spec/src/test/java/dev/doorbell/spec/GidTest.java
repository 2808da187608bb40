package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidTest {
    @Test
    void ipv4AddressesAreMapped() throws UnknownHostException {
        InetAddress address = InetAddress.getByName("192.0.2.7");
        Gid gid = Gid.of(address);
        assertThat(gid.toHex()).isEqualTo("00000000000000000000ffffc0000207");
        assertThat(gid.toString()).isEqualTo("::ffff:192.0.2.7");
        assertThat(gid.isIpv4Mapped()).isTrue();
        assertThat(gid.toInetAddress()).isEqualTo(address);
        assertThat(gid.isMulticast()).isFalse();
        assertThat(Gid.of(InetAddress.getByName("239.1.2.3")).isMulticast()).isTrue();
    }

    @Test
    void ipv6AddressesAreTheirBytes() throws UnknownHostException {
        Gid gid = Gid.of(InetAddress.getByName("fe80::5054:ff:fe00:1"));
        assertThat(gid).isEqualTo(Gid.linkLocal(0x505400fffe000001L));
        assertThat(gid.toString()).isEqualTo("fe80::5054:ff:fe00:1");
        assertThat(gid.isLinkLocal()).isTrue();
        assertThat(gid.isIpv4Mapped()).isFalse();
        assertThat(Gid.of(InetAddress.getByName("ff02::1")).isMulticast()).isTrue();
        assertThat(Gid.of(gid.toBytes())).isEqualTo(gid);
        assertThat(Gid.parseHex(gid.toHex())).isEqualTo(gid);
    }

    @Test
    void otherLengthsAreRefused() {
        assertThatThrownBy(() -> Gid.of(new byte[4])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gid.parseHex("00")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gid.parseHex("x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Guid.ofMac(new byte[8])).isInstanceOf(IllegalArgumentException.class);
        assertThat(Gid.ZERO.isZero()).isTrue();
    }

    @Test
    void guidsComeFromEthernetAddresses() {
        Guid guid = Guid.ofMac(new byte[] {0x52, 0x54, 0, (byte) 0x92, 0x34, (byte) 0xff});
        assertThat(guid.toHex()).isEqualTo("505400fffe9234ff");
        assertThat(guid.toString()).isEqualTo("5054:00ff:fe92:34ff");
    }

    @ParameterizedTest
    @CsvSource({
        "00000000000000000000000000000000, ::",
        "00000000000000000000000000000001, ::1",
        "00000000000000000000ffff7f000001, ::ffff:127.0.0.1",
        "fe80000000000000505400fffe123456, fe80::5054:ff:fe12:3456",
        "fd770000000000000000000000000001, fd77::1",
        "20010db8000100020003000400050006, 2001:db8:1:2:3:4:5:6",
        "20010000000000010000000000000001, 2001:0:0:1::1",
        "00010000000000020000000000030000, 1::2:0:0:3:0",
        "20010db8000000010001000100010001, 2001:db8:0:1:1:1:1:1",
        "00010002000300040005000600070000, 1:2:3:4:5:6:7:0",
        "00010002000300040005000600000000, 1:2:3:4:5:6::",
    })
    void gidsLookAsInetNtopWritesThem(String digits, String text) {
        assertThat(Gid.parseHex(digits)).hasToString(text);
    }
}
