package dev.doorbell.kernel.abi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SockaddrTest {
    private final MemorySegment field = Arena.ofAuto().allocate(2 * CmIds.ADDRESS_BYTES, 8);

    @Test
    void anIpv4AddressIsStoredAsTheSocketInterfaceDoes() {
        field.fill((byte) -1);
        int size = Sockaddr.set(field, 4, address("192.0.2.7", 7174));
        assertThat(size).isEqualTo(16);
        assertThat(hex(4, size)).isEqualTo("02001c06c00002070000000000000000");
        assertThat(Sockaddr.get(field, 4)).isEqualTo(address("192.0.2.7", 7174));
    }

    @Test
    void anIpv6AddressKeepsItsScope() throws UnknownHostException {
        byte[] bytes = HexFormat.of().parseHex("fe80000000000000020000fffe000001");
        InetSocketAddress linkLocal = new InetSocketAddress(Inet6Address.getByAddress(null, bytes, 3), 65535);
        int size = Sockaddr.set(field, 0, linkLocal);
        assertThat(size).isEqualTo(28);
        assertThat(hex(0, size)).isEqualTo("0a00ffff00000000fe80000000000000020000fffe00000103000000");
        InetSocketAddress read = Sockaddr.get(field, 0);
        assertThat(read).isEqualTo(linkLocal);
        assertThat(read == null ? 0 : ((Inet6Address) read.getAddress()).getScopeId())
                .isEqualTo(3);
    }

    @Test
    void anAddressWithoutScopeHasNone() {
        Sockaddr.set(field, 0, address("2001:db8::1", 1));
        assertThat(SockaddrIn6.scopeId(field, 0)).isZero();
        assertThat(Sockaddr.get(field, 0)).isEqualTo(address("2001:db8::1", 1));
    }

    @Test
    void whatIsNoIpAddressIsNone() {
        assertThat(Sockaddr.get(field, 0)).isNull();
        assertThat(Sockaddr.print(field, 0)).isEqualTo("none");
        Gid gid = Gid.parseHex("fe80000000000000020000fffe000001");
        SockaddrIb.set(field, 0, 0xffff, gid, 0x1061c06L);
        assertThat(Sockaddr.get(field, 0)).isNull();
        assertThat(hex(0, SockaddrIb.SIZE))
                .isEqualTo("1b00ffff00000000fe80000000000000020000fffe000001"
                        + "0000000001061c06ffffffffffffffff0000000000000000");
        assertThat(SockaddrIb.gid(field, 0)).isEqualTo(gid);
        assertThat(SockaddrIb.serviceId(field, 0)).isEqualTo(0x1061c06L);
        assertThat(Sockaddr.print(field, 0)).endsWith("service 1061c06");
    }

    @Test
    void aPathRecordIsTheOneOfSubnetAdministration() {
        Gid there = Gid.parseHex("00000000000000000000ffffc0000201");
        Gid here = Gid.parseHex("00000000000000000000ffffc0000202");
        PathRecord.setGids(field, 0, there, here);
        PathRecord.setRoute(field, 0, 0x12345, 64, 7);
        PathRecord.setQualities(field, 0, 0xffff, 3, 3, 5, 16);
        assertThat(hex(0, PathRecord.SIZE))
                .isEqualTo("0000000000000000" + there.toHex() + here.toHex() + "00000000" + "01234540" + "0781" + "ffff"
                        + "0003" + "83" + "85" + "90" + "00" + "000000000000");
        assertThat(PathRecord.dgid(field, 0)).isEqualTo(there);
        assertThat(PathRecord.sgid(field, 0)).isEqualTo(here);
        assertThat(PathRecord.hopLimit(field, 0)).isEqualTo(64);
        assertThat(PathRecord.trafficClass(field, 0)).isEqualTo(7);
        assertThat(PathRecord.pkey(field, 0)).isEqualTo(0xffff);
        assertThat(PathRecord.mtu(field, 0)).isEqualTo(3);
        assertThat(PathRecord.rate(field, 0)).isEqualTo(5);
        assertThat(PathRecord.packetLifeTime(field, 0)).isEqualTo(16);
    }

    private String hex(long at, long size) {
        return HexFormat.of().formatHex(field.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE));
    }

    private static InetSocketAddress address(String ip, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(ip), port);
    }
}
