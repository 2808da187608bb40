package dev.doorbell.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HeadersTest {
    private final MemorySegment memory = MemorySegment.ofArray(new byte[40]);

    private String hex(int from, int to) {
        return HexFormat.of().formatHex(memory.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void theBaseHeaderIsWrittenWhole() {
        memory.fill((byte) 0xee);
        Bth.write(memory, 4, Opcode.RC_SEND_ONLY, 3, 0xff123456, 0xff00abcd);
        assertThat(hex(0, 20)).isEqualTo("eeeeeeee0470ffff001234560000abcdeeeeeeee");
    }

    @Test
    void bitsOfTheBaseHeaderDoNotDisturbEachOther() {
        Bth.write(memory, 0, 0, 0, 0, 0);
        Bth.setOpcode(memory, 0, Opcode.CNP);
        Bth.setSolicited(memory, 0, true);
        assertThat(hex(0, 12)).isEqualTo("81c0ffff0000000000000000");
        Bth.setPadCount(memory, 0, 2);
        Bth.setMigrated(memory, 0, false);
        assertThat(hex(0, 12)).isEqualTo("81a0ffff0000000000000000");
        Bth.setPadCount(memory, 0, 1);
        Bth.setSolicited(memory, 0, false);
        assertThat(hex(0, 12)).isEqualTo("8110ffff0000000000000000");
        Bth.setPkey(memory, 0, 0x8001);
        Bth.setBecn(memory, 0, true);
        Bth.setDestQp(memory, 0, 0xffabcdef);
        Bth.setPsn(memory, 0, 0xff123456);
        Bth.setAckRequested(memory, 0, true);
        assertThat(hex(0, 12)).isEqualTo("8110800140abcdef80123456");
        assertThat(Bth.becn(memory, 0)).isTrue();
        assertThat(Bth.fecn(memory, 0)).isFalse();
        assertThat(Bth.migrated(memory, 0)).isFalse();
        assertThat(Bth.padCount(memory, 0)).isEqualTo(1);
        assertThat(Bth.print(memory, 0)).isEqualTo("CNP qp=0xabcdef psn=123456 ack-requested becn pkey=0x8001 pad=1");
        Bth.setAckRequested(memory, 0, false);
        Bth.setBecn(memory, 0, false);
        assertThat(hex(0, 12)).isEqualTo("8110800100abcdef00123456");
    }

    @Test
    void extendedHeadersHaveTheirBytesInPlace() {
        Reth.setVa(memory, 0, 0x0102030405060708L);
        Reth.setRkey(memory, 0, 0x11121314);
        Reth.setDmaLength(memory, 0, 0x8000_0000L);
        assertThat(hex(0, Reth.SIZE)).isEqualTo("01020304050607081112131480000000");
        assertThat(Reth.dmaLength(memory, 0)).isEqualTo(1L << 31);

        AtomicEth.setVa(memory, 0, 8);
        AtomicEth.setRkey(memory, 0, 9);
        AtomicEth.setSwapOrAdd(memory, 0, 10);
        AtomicEth.setCompare(memory, 0, 11);
        assertThat(hex(0, AtomicEth.SIZE))
                .isEqualTo("0000000000000008" + "00000009" + "000000000000000a" + "000000000000000b");

        Aeth.setSyndrome(memory, 0, 0x62);
        Aeth.setMsn(memory, 0, 0x010203);
        assertThat(hex(0, Aeth.SIZE)).isEqualTo("62010203");

        memory.fill((byte) 0);
        Deth.setQkey(memory, 0, 0x80010000);
        Deth.setSrcQp(memory, 0, 0x0a0b0c);
        assertThat(hex(0, Deth.SIZE)).isEqualTo("80010000000a0b0c");

        AtomicAckEth.setOriginal(memory, 0, -2);
        assertThat(hex(0, AtomicAckEth.SIZE)).isEqualTo("fffffffffffffffe");
        ImmDt.setImmediate(memory, 0, 0xdeadbeef);
        assertThat(hex(0, ImmDt.SIZE)).isEqualTo("deadbeef");
        Ieth.setRkey(memory, 0, 0x1234);
        assertThat(hex(0, Ieth.SIZE)).isEqualTo("00001234");
        Feth.set(memory, 0, 2, 1);
        assertThat(hex(0, Feth.SIZE)).isEqualTo("00000012");
        assertThat(Feth.placement(memory, 0)).isEqualTo(2);
        assertThat(Feth.selectivity(memory, 0)).isEqualTo(1);
    }

    @Test
    void headersFollowEachOther() {
        assertThat(Headers.length(Opcode.RC_SEND_ONLY)).isEqualTo(12);
        assertThat(Headers.length(Opcode.RC_WRITE_ONLY_IMM)).isEqualTo(32);
        assertThat(Headers.offset(Opcode.RC_WRITE_ONLY_IMM, ExtendedHeader.RETH))
                .isEqualTo(12);
        assertThat(Headers.offset(Opcode.RC_WRITE_ONLY_IMM, ExtendedHeader.IMM_DT))
                .isEqualTo(28);
        assertThat(Headers.offset(Opcode.RC_FLUSH, ExtendedHeader.RETH)).isEqualTo(16);
        assertThat(Headers.offset(Opcode.RC_ATOMIC_ACKNOWLEDGE, ExtendedHeader.ATOMIC_ACK_ETH))
                .isEqualTo(16);
        assertThat(Headers.offset(Opcode.UD_SEND_ONLY_IMM, ExtendedHeader.IMM_DT))
                .isEqualTo(20);
        for (int opcode = 0; opcode < 256; opcode++) {
            int at = Bth.SIZE;
            for (ExtendedHeader header : ExtendedHeader.values()) {
                boolean has = Opcode.has(opcode, header);
                assertThat(Headers.offset(opcode, header)).isEqualTo(has ? at : Headers.ABSENT);
                at += has ? Headers.length(header) : 0;
            }
            assertThat(Headers.length(opcode)).isEqualTo(at);
        }
    }

    @Test
    void padsFillUpToFour() {
        assertThat(Headers.pad(0)).isZero();
        assertThat(Headers.pad(1)).isEqualTo(3);
        assertThat(Headers.pad(2)).isEqualTo(2);
        assertThat(Headers.pad(3)).isEqualTo(1);
        assertThat(Headers.pad(4096)).isZero();
        assertThat(Headers.pad((1L << 31) - 1)).isEqualTo(1);
    }
}
