package dev.doorbell.wire.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Deth;
import dev.doorbell.wire.Packets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Messages whose bytes are known from elsewhere: a whole connection, and a request and an answer of real cards. */
class CmVectorsTest {
    private static final long TRANSACTION = 0x0000_000a_1122_3344L;
    private static final int ACTIVE = 0x11223344;
    private static final int PASSIVE = 0x55667788;
    private static final Guid ACTIVE_GUID = new Guid(0x5054_00ff_fe00_0001L);
    private static final Guid PASSIVE_GUID = new Guid(0x5054_00ff_fe00_0002L);
    private static final Gid ACTIVE_GID = Gid.ofIpv4(0x0a000001);
    private static final Gid PASSIVE_GID = Gid.ofIpv4(0x0a000002);

    private static final String REQ = """
            01070203 00000000 0000000a 11223344 00100000 00000000
            11223344 00000000 00000000 01061c06 505400ff fe000001 00000000 00000000
            00001101 00000001 000000a0 123456a7 ffff37f0 ffffffff
            00000000 00000000 0000ffff 0a000001 00000000 00000000 0000ffff 0a000002
            00000000 00400088
            00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
            0040abcd 00000000 00000000 00000000 0a000001 00000000 00000000 00000000 0a000002""";
    private static final String REP = """
            01070203 00000000 0000000a 11223344 00130000 00000000
            55667788 11223344 00000000 00001200 00000000 65432100 010178e0 505400ff fe000002""";
    private static final String RTU = "01070203 00000000 0000000a 11223344 00140000 00000000 11223344 55667788";
    private static final String DREQ =
            "01070203 00000000 0000000b 11223344 00150000 00000000 11223344 55667788 00001200";
    private static final String DREP = "01070203 00000000 0000000b 11223344 00160000 00000000 55667788 11223344";
    private static final String REJ =
            "01070203 00000000 0000000a 11223344 00120000 00000000 00000000 11223344 0000001c";

    private static MemorySegment bytes(String hex) {
        byte[] start = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
        MemorySegment.copy(start, 0, mad, ValueLayout.JAVA_BYTE, 0, start.length);
        return mad;
    }

    private static CmMessage check(String hex, CmMad expected) {
        MemorySegment mad = bytes(hex);
        assertThat(CmMad.check(mad, 0, mad.byteSize())).isEqualTo(MadDefect.NONE);
        assertThat(CmMad.read(mad, 0)).isEqualTo(expected);
        MemorySegment written = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
        written.fill((byte) 0xaa);
        expected.write(written, 0);
        assertThat(HexFormat.of().formatHex(written.toArray(ValueLayout.JAVA_BYTE)))
                .isEqualTo(HexFormat.of().formatHex(mad.toArray(ValueLayout.JAVA_BYTE)));
        return expected.message();
    }

    private static CmPath path() {
        return new CmPath(0xffff, 0xffff, ACTIVE_GID, PASSIVE_GID, 0, 0, 0, 64, 0, false, 17);
    }

    @Test
    void request() {
        CmMessage req = check(
                REQ,
                new CmMad(
                        TRANSACTION,
                        new CmReq(
                                ACTIVE,
                                0x0106_1c06L,
                                ACTIVE_GUID,
                                new CmQueuePair(0x11, 0, 0x123456, 1, 1, 7, 7, false, false),
                                CmTransport.RC,
                                0,
                                new CmReq.Timing(20, 20, 15),
                                0xffff,
                                3,
                                path(),
                                CmPath.NONE,
                                new IpCmHeader(0xabcd, ACTIVE_GID, PASSIVE_GID)
                                        .with(new byte[0], CmReq.PRIVATE_DATA))));
        assertThat(req)
                .hasToString("REQ id=0x11223344 service=0x0000000001061c06 ca=505400fffe000001 RC"
                        + " qp=0x11 psn=123456 resources=1 depth=1 retry=7 rnr=7 mtu=3 timeouts=20/20 retries=15"
                        + " ::ffff:10.0.0.1→::ffff:10.0.0.2 hops=64 ack-timeout=17"
                        + " data=0040abcd000000000000000000000000… (36 bytes)");
    }

    @Test
    void reply() {
        check(
                REP,
                new CmMad(
                        TRANSACTION,
                        new CmRep(
                                PASSIVE,
                                ACTIVE,
                                new CmQueuePair(0x12, 0, 0x654321, 1, 1, 0, 7, false, false),
                                15,
                                0,
                                PASSIVE_GUID,
                                PrivateData.zero(CmRep.PRIVATE_DATA))));
    }

    @Test
    void readyToUse() {
        check(RTU, new CmMad(TRANSACTION, new CmRtu(ACTIVE, PASSIVE, PrivateData.zero(CmRtu.PRIVATE_DATA))));
    }

    @Test
    void disconnect() {
        long transaction = TRANSACTION + (1L << 32);
        check(DREQ, new CmMad(transaction, new CmDreq(ACTIVE, PASSIVE, 0x12, PrivateData.zero(CmDreq.PRIVATE_DATA))));
        check(DREP, new CmMad(transaction, new CmDrep(PASSIVE, ACTIVE, PrivateData.zero(CmDrep.PRIVATE_DATA))));
    }

    @Test
    void reject() {
        CmMessage rej = check(
                REJ,
                new CmMad(
                        TRANSACTION,
                        CmRej.of(
                                0,
                                ACTIVE,
                                CmRej.REQ,
                                RejectReason.CONSUMER_DEFINED,
                                PrivateData.zero(CmRej.PRIVATE_DATA))));
        assertThat(rej).hasToString("REJ id=0x00000000 to=0x11223344 of=0 reason=28 (CONSUMER_DEFINED)");
    }

    @Test
    void requestOfARealCard() {
        MemorySegment mad = bytes("01070203 00000000 0000000000000001 00100000 00000000"
                + "e9488627 00000000 1000000000000404 0002c9020024f634 00000000 00000000 870408 04 000000 00 000000 a0"
                + "000000 a0 ffff 40 f8 0004 0001 fe800000000000000002c9020024f636 fe800000000000000002c9020020b4dd"
                + "00000003 00 00 08 98" + "00".repeat(CmPath.SIZE) + "00000405 0000fff4");
        CmReq req = (CmReq) CmMad.read(mad, 0).message();
        assertThat(req.localCommId()).isEqualTo(0xe9488627);
        assertThat(req.serviceId()).isEqualTo(0x1000000000000404L);
        assertThat(req.queuePair()).isEqualTo(new CmQueuePair(0x870408, 0, 0, 4, 0, 0, 0, false, true));
        assertThat(req.timing()).isEqualTo(new CmReq.Timing(20, 20, 15));
        assertThat(req.pathMtu()).isEqualTo(4);
        assertThat(req.primary().localLid()).isEqualTo(4);
        assertThat(req.primary().remoteLid()).isEqualTo(1);
        assertThat(req.primary().packetRate()).isEqualTo(3);
        assertThat(req.primary().subnetLocal()).isTrue();
        assertThat(req.primary().ackTimeout()).isEqualTo(19);
        assertThat(req.alternate().isPresent()).isFalse();
    }

    @Test
    void replyOfARealCard() {
        MemorySegment mad = bytes("01070203 00000000 0000000000000001 00130000 00000000"
                + "f9024539 e9488627 00000000 fc0407 00 000000 00 d40a55 00 00 00 78 10 0002c9020020b4dc");
        CmRep rep = (CmRep) CmMad.read(mad, 0).message();
        assertThat(rep.localCommId()).isEqualTo(0xf9024539);
        assertThat(rep.remoteCommId()).isEqualTo(0xe9488627);
        assertThat(rep.queuePair()).isEqualTo(new CmQueuePair(0xfc0407, 0, 0xd40a55, 0, 0, 0, 0, false, true));
        assertThat(rep.targetAckDelay()).isEqualTo(15);
        assertThat(rep.caGuid()).isEqualTo(new Guid(0x0002c9020020b4dcL));
    }

    @Test
    void aPacketWithAMessagePrintsIt() {
        int headers = Bth.SIZE + Deth.SIZE;
        MemorySegment packet = MemorySegment.ofArray(new byte[headers + MadHeader.MAD_BYTES]);
        Bth.write(packet, 0, 0x64, 0, 1, 1);
        Deth.setQkey(packet, Bth.SIZE, CmMad.QKEY);
        Deth.setSrcQp(packet, Bth.SIZE, 1);
        MemorySegment.copy(bytes(RTU), 0, packet, headers, MadHeader.MAD_BYTES);
        assertThat(Packets.describe(packet, 0, packet.byteSize()))
                .isEqualTo("UD SEND ONLY qp=0x1 psn=000001 | DETH qkey=0x80010000 from=0x1"
                        + " | CM RTU id=0x11223344 to=0x55667788 tid=0x0000000a11223344");
    }
}
