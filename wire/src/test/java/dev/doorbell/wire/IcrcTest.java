package dev.doorbell.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** IP packets with their CRC: computed with an independent program, and recorded from a network card. */
class IcrcTest {
    private static final String SEND =
            "450000340000400040 1126b70a0000010a000002 c01212b700200000 0470ffff000000128000abcd 68656c6c6f000000 0e4d881d";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void storedLeastSignificantByteFirst() {
        ByteBuffer buffer = ByteBuffer.allocate(6);
        Icrc.store(buffer, 1, 0x1d884d0e);
        assertThat(buffer).isEqualTo(bytes("00 0e4d881d 00"));
        assertThat(Icrc.load(buffer, 1)).isEqualTo(0x1d884d0e);
    }

    /** Computes the CRC of a whole IPv4 packet, taking all that it needs from the packet's own headers. */
    private static void assertIpv4(String hex) throws UnknownHostException {
        ByteBuffer packet = bytes(hex);
        Icrc icrc = new Icrc(address(packet, 12), address(packet, 16), packet.getShort(20) & 0xffff);
        int crcAt = packet.capacity() - Icrc.SIZE;
        int expected = Icrc.load(packet, crcAt);
        int bth = 28;
        int identification = packet.getShort(4) & 0xffff;
        int fragment = packet.getShort(6) & 0xffff;
        assertThat(icrc.compute(packet, bth, crcAt - bth, identification, fragment))
                .isEqualTo(expected);
    }

    private static Gid address(ByteBuffer packet, int at) throws UnknownHostException {
        byte[] address = new byte[4];
        packet.get(at, address);
        return Gid.of(InetAddress.getByAddress(address));
    }

    @Test
    void computedVectors() throws UnknownHostException {
        assertIpv4(SEND);
        assertIpv4(
                "450000300000400040 1126bb0a0000020a000001 c01212b7001c0000 1140ffff000000110000abcd 1f000001 3732fae4");
        assertIpv4("4500003c0000400040 1126af0a0000010a000002 c01212b700280000 0c40ffff000000128000abce"
                + " 00007f0012345000 00012345 00002000 3cb8bcb8");
    }

    @Test
    void congestionNotificationsOfRealCards() throws UnknownHostException {
        assertIpv4("45c2003c718c400040 1191610a0011010a001201 000012b700280000 8100ffff4000011800000000"
                + " 00000000000000000000000000000000 82fd002a");
        assertIpv4("4589003c98c64000201169271616160816161607 dbae12b700280000 8100ffff400000d200000000"
                + " 00000000000000000000000000000000 dafc1bef");
    }

    /** A connection manager's request for a connection from 10.0.0.1 to 10.0.0.2. */
    @Test
    void connectionRequest() throws UnknownHostException {
        assertIpv4("4500013400004000401125b70a0000010a000002c00112b7012000006400ffff00000001"
                + "00000000800100000000000101070203000000000000000a112233440010000000000000"
                + "11223344000000000000000001061c06505400fffe000001000000000000000000001101"
                + "00000001000000a0123456a7ffff37f0ffffffff00000000000000000000ffff0a000001"
                + "00000000000000000000ffff0a0000020000000000400088000000000000000000000000"
                + "00000000000000000000000000000000000000000000000000000000000000000040abcd"
                + "0000000000000000000000000a0000010000000000000000000000000a00000200000000"
                + "000000000000000000000000000000000000000000000000000000000000000000000000"
                + "000000000000000000000000000000004de4a2f1");
    }

    @Test
    void ipv6() throws UnknownHostException {
        Icrc icrc =
                new Icrc(Gid.of(InetAddress.getByName("fe80::1")), Gid.of(InetAddress.getByName("fe80::2")), 0xc012);
        ByteBuffer packet = bytes("0470ffff000000128000abcd 68656c6c6f000000 9ade4cc4");
        assertThat(icrc.compute(packet, 0, 20)).isEqualTo(Icrc.load(packet, 20));
    }

    @Test
    void everyBitCountsButThoseThatRoutersChange() throws UnknownHostException {
        Icrc icrc =
                new Icrc(Gid.of(InetAddress.getByName("10.0.0.1")), Gid.of(InetAddress.getByName("10.0.0.2")), 0xc012);
        ByteBuffer packet = ByteBuffer.allocateDirect(64);
        packet.put(0, bytes(SEND), 28, 20);
        int expected = icrc.compute(packet, 0, 20);
        assertThat(expected).isEqualTo(0x1d884d0e);
        for (int bit = 0; bit < 20 * 8; bit++) {
            int at = bit / 8;
            packet.put(at, (byte) (packet.get(at) ^ 1 << bit % 8));
            boolean same = icrc.compute(packet, 0, 20) == expected;
            assertThat(same).as("bit %d of byte %d", bit % 8, at).isEqualTo(at == 4);
            packet.put(at, (byte) (packet.get(at) ^ 1 << bit % 8));
        }
    }

    @Test
    void directAndHeapBuffersAgreeAtAnyPlace() throws UnknownHostException {
        Random random = new Random(0x5eed_0003L);
        Icrc icrc =
                new Icrc(Gid.of(InetAddress.getByName("10.0.0.1")), Gid.of(InetAddress.getByName("10.0.0.2")), 0xc012);
        for (int i = 0; i < 1_000; i++) {
            byte[] content = new byte[Bth.SIZE + random.nextInt(5_000)];
            random.nextBytes(content);
            int at = random.nextInt(100);
            ByteBuffer direct =
                    ByteBuffer.allocateDirect(at + content.length + 7).put(at, content);
            assertThat(icrc.compute(direct, at, content.length))
                    .isEqualTo(icrc.compute(ByteBuffer.wrap(content), 0, content.length));
        }
    }

    @Test
    void addressesOfDifferentKindsAreRefused() throws UnknownHostException {
        Gid v4 = Gid.of(InetAddress.getByName("10.0.0.1"));
        assertThatThrownBy(() -> new Icrc(v4, Gid.linkLocal(1), 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
