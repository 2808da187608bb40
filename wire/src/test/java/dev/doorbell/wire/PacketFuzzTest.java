package dev.doorbell.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.Opcode;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No byte string makes the view or the printer throw. */
@Timeout(60)
class PacketFuzzTest {
    private static final long SEED = 0x5eed_0002L;
    private static final int PACKETS = 50_000;
    private static final int LONGEST = 64;

    private final PacketView view = new PacketView();

    @Test
    void randomBytes() {
        Random random = new Random(SEED);
        Set<PacketDefect> seen = EnumSet.noneOf(PacketDefect.class);
        for (int i = 0; i < PACKETS; i++) {
            // The segment ends where the packet ends, so that a read beyond it would throw.
            int before = random.nextInt(8);
            byte[] bytes = new byte[before + random.nextInt(LONGEST)];
            random.nextBytes(bytes);
            if (random.nextBoolean() && bytes.length > before + 1) {
                bytes[before + 1] &= (byte) 0xf0;
            }
            seen.add(look(MemorySegment.ofArray(bytes), before, bytes.length - before));
        }
        assertThat(seen).as("every branch was taken").isEqualTo(EnumSet.allOf(PacketDefect.class));
    }

    @Test
    void everyCodeAtEveryLength() {
        for (int opcode = 0; opcode < 256; opcode++) {
            for (int length = 0; length < LONGEST; length++) {
                for (int pad = 0; pad < 4; pad++) {
                    MemorySegment packet = MemorySegment.ofArray(new byte[length]);
                    if (length >= Bth.SIZE) {
                        Bth.write(packet, 0, opcode, pad, 1, 2);
                    }
                    PacketDefect defect = look(packet, 0, length);
                    boolean fits = length >= Headers.length(opcode) + pad;
                    assertThat(defect == PacketDefect.NONE).isEqualTo(fits && Opcode.isKnown(opcode));
                }
            }
        }
    }

    @Test
    void lengthsThatLie() {
        Random random = new Random(SEED);
        MemorySegment packet = MemorySegment.ofArray(new byte[LONGEST]);
        for (int i = 0; i < PACKETS; i++) {
            long offset = random.nextInt(-4, LONGEST + 4);
            long length = random.nextBoolean() ? random.nextInt(-4, 2 * LONGEST) : random.nextLong();
            look(packet, offset, length);
        }
    }

    private PacketDefect look(MemorySegment packet, long offset, long length) {
        boolean valid = view.parse(packet, offset, length);
        assertThat(view.defect() == PacketDefect.NONE).isEqualTo(valid);
        if (valid) {
            long payloadEnd = view.payloadOffset() + view.payloadLength() + view.padCount();
            assertThat(view.payloadLength()).isNotNegative();
            assertThat(payloadEnd).isEqualTo(offset + length);
            assertThat(sumOfFields()).isNotNull();
        }
        assertThat(view.toString()).isNotBlank();
        assertThat(Packets.describe(packet, offset, length)).isNotBlank();
        return view.defect();
    }

    private Long sumOfFields() {
        long sum = (long) view.opcode() + view.psn() + view.destQp() + view.pkey();
        sum += view.ackRequested() ? 1 : 0;
        sum += view.solicited() ? 1 : 0;
        sum += view.va() + view.rkey() + view.dmaLength() + view.swapOrAdd() + view.compare();
        sum += view.original() + view.syndrome() + view.msn() + view.immediate() + view.invalidateKey();
        return sum + view.qkey() + view.srcQp() + view.flushPlacement() + view.flushSelectivity();
    }
}
