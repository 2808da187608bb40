package dev.doorbell.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.Syndrome;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Packets whose bytes are known from elsewhere, from base transport header to pad. */
class PacketVectorsTest {
    private final PacketView view = new PacketView();

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private String parse(String hex) {
        MemorySegment packet = bytes(hex);
        assertThat(view.parse(packet, 0, packet.byteSize())).isTrue();
        return view.toString();
    }

    @Test
    void sendOnlyWithPad() {
        assertThat(parse("0470ffff000000128000abcd 68656c6c6f000000"))
                .isEqualTo("RC SEND ONLY qp=0x12 psn=00abcd ack-requested pad=3 | 5 bytes");
        assertThat(view.opcode()).isEqualTo(Opcode.RC_SEND_ONLY);
        assertThat(view.destQp()).isEqualTo(0x12);
        assertThat(view.psn()).isEqualTo(0xabcd);
        assertThat(view.ackRequested()).isTrue();
        assertThat(view.solicited()).isFalse();
        assertThat(view.pkey()).isEqualTo(0xffff);
        assertThat(view.payloadOffset()).isEqualTo(12);
        assertThat(view.payloadLength()).isEqualTo(5);
        assertThat(view.padCount()).isEqualTo(3);
    }

    @Test
    void acknowledge() {
        assertThat(parse("1140ffff000000110000abcd 1f000001"))
                .isEqualTo("RC ACKNOWLEDGE qp=0x11 psn=00abcd | AETH ACK msn=1");
        assertThat(view.syndrome()).isEqualTo(Syndrome.ACK);
        assertThat(view.msn()).isEqualTo(1);
        assertThat(view.payloadLength()).isZero();
    }

    @Test
    void readRequest() {
        assertThat(parse("0c40ffff000000128000abce 00007f0012345000 00012345 00002000"))
                .isEqualTo("RC RDMA READ REQUEST qp=0x12 psn=00abce ack-requested"
                        + " | RETH va=0x7f0012345000 rkey=0x00012345 length=8192");
        assertThat(view.va()).isEqualTo(0x7f0012345000L);
        assertThat(view.rkey()).isEqualTo(0x12345);
        assertThat(view.dmaLength()).isEqualTo(8192);
    }

    @Test
    void congestionNotificationOfARealCard() {
        assertThat(parse("8100ffff4000011800000000 00000000000000000000000000000000"))
                .isEqualTo("CNP qp=0x118 psn=000000 becn | 16 bytes");
    }

    @Test
    void fieldsOfAbsentHeadersReadAsZero() {
        parse("0470ffff000000128000abcd 68656c6c6f000000");
        assertThat(view.va()).isZero();
        assertThat(view.rkey()).isZero();
        assertThat(view.dmaLength()).isZero();
        assertThat(view.swapOrAdd()).isZero();
        assertThat(view.compare()).isZero();
        assertThat(view.syndrome()).isZero();
        assertThat(view.msn()).isZero();
        assertThat(view.original()).isZero();
        assertThat(view.immediate()).isZero();
        assertThat(view.invalidateKey()).isZero();
        assertThat(view.qkey()).isZero();
        assertThat(view.srcQp()).isZero();
        assertThat(view.flushPlacement()).isZero();
        assertThat(view.flushSelectivity()).isZero();
    }

    @Test
    void defectsHaveNames() {
        assertDefect("0470ffff000000128000ab", PacketDefect.TOO_SHORT);
        assertDefect("0471ffff000000128000abcd 68656c6c", PacketDefect.WRONG_VERSION);
        assertDefect("5570ffff000000128000abcd 68656c6c", PacketDefect.UNKNOWN_OPCODE);
        assertDefect("0c40ffff000000128000abce 00007f0012345000 00012345 000020", PacketDefect.HEADERS_CUT_OFF);
        assertDefect("0470ffff000000128000abcd 6865", PacketDefect.PAD_TOO_LONG);
        assertThat(view.toString()).isEqualTo("no packet: PAD_TOO_LONG");
        MemorySegment packet = bytes("0440ffff000000128000abcd");
        assertThat(view.parse(packet, 1, 12)).isFalse();
        assertThat(view.parse(packet, -1, 12)).isFalse();
        assertThat(view.parse(packet, 0, -1)).isFalse();
        assertThat(view.parse(packet, 0, Long.MAX_VALUE)).isFalse();
        assertThat(view.parse(packet, Long.MAX_VALUE, 12)).isFalse();
        assertThat(view.parse(packet, 0, 12)).isTrue();
        assertThat(view.defect()).isEqualTo(PacketDefect.NONE);
    }

    private void assertDefect(String hex, PacketDefect defect) {
        MemorySegment packet = bytes(hex);
        assertThat(view.parse(packet, 0, packet.byteSize())).as(hex).isFalse();
        assertThat(view.defect()).as(hex).isEqualTo(defect);
        assertThat(Packets.describe(packet, 0, packet.byteSize())).isNotBlank();
    }
}
