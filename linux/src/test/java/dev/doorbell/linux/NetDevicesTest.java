package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Gid;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class NetDevicesTest {
    @Test
    void ownsTheAddressesOfItsDevices() throws SocketException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        Gid gid = Gid.of(InetAddress.getLoopbackAddress());
        assertThat(NetDevices.LOCAL.owns(loopback.getName(), gid)).isTrue();
        assertThat(NetDevices.LOCAL.owns(loopback.getName(), new Gid(0x2001_0db8L << 32, 1)))
                .isFalse();
        assertThat(NetDevices.LOCAL.owns("nosuchdevice0", gid)).isFalse();
    }
}
