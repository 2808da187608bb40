package dev.doorbell.wire.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Be;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No byte string makes the parser or the printer throw, and what was read is written as it was. */
@Timeout(60)
class CmFuzzTest {
    private static final long SEED = 0x5eed_0006L;
    private static final int MADS = 20_000;

    @Test
    void randomBytes() {
        Random random = new Random(SEED);
        Set<MadDefect> seen = EnumSet.noneOf(MadDefect.class);
        for (int i = 0; i < MADS; i++) {
            int before = random.nextInt(8);
            byte[] bytes = new byte[before + random.nextInt(MadHeader.MAD_BYTES - 4, MadHeader.MAD_BYTES + 4)];
            random.nextBytes(bytes);
            MemorySegment segment = MemorySegment.ofArray(bytes);
            mend(segment, before, random.nextInt(7), random);
            seen.add(look(segment, before, bytes.length - before));
        }
        assertThat(seen).as("every branch was taken").isEqualTo(EnumSet.allOf(MadDefect.class));
    }

    /** Makes the first fields right, so many of them. */
    private static void mend(MemorySegment segment, long at, int fields, Random random) {
        int[] right = {1, 7, 2, 3};
        for (int field = 0; field < Math.min(fields, right.length); field++) {
            Be.setByte(segment, at + field, right[field]);
        }
        if (fields > right.length) {
            Be.setShort(segment, at + 16, 0x10 + random.nextInt(12));
        }
    }

    @Test
    void lengthsThatLie() {
        Random random = new Random(SEED);
        MemorySegment segment = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
        for (int i = 0; i < MADS; i++) {
            long length = random.nextBoolean() ? random.nextInt(-4, 2 * MadHeader.MAD_BYTES) : random.nextLong();
            look(segment, random.nextInt(-4, 8), length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasReadIsWritten(CmAttribute attribute) {
        Random random = new Random(SEED + attribute.id());
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[MadHeader.MAD_BYTES];
            random.nextBytes(bytes);
            MemorySegment segment = MemorySegment.ofArray(bytes);
            mend(segment, 0, 4, random);
            Be.setShort(segment, 16, attribute.id());
            assertThat(look(segment, 0, MadHeader.MAD_BYTES)).isEqualTo(MadDefect.NONE);
        }
    }

    private static MadDefect look(MemorySegment segment, long at, long length) {
        MadDefect defect = CmMad.check(segment, at, length);
        assertThat(CmMad.describe(segment, at, length)).isNotBlank();
        if (defect == MadDefect.NONE) {
            CmMad mad = CmMad.read(segment, at);
            MemorySegment copy = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
            mad.write(copy, 0);
            CmMad again = CmMad.read(copy, 0);
            assertThat(again).isEqualTo(mad).hasSameHashCodeAs(mad);
            MemorySegment third = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
            again.write(third, 0);
            assertThat(third.mismatch(copy)).isEqualTo(-1);
        }
        return defect;
    }

    @Test
    void addressesInPrivateData() {
        Random random = new Random(SEED);
        Set<IpCmHeader.Defect> seen = EnumSet.noneOf(IpCmHeader.Defect.class);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[CmReq.PRIVATE_DATA];
            random.nextBytes(bytes);
            bytes[0] = (byte) random.nextInt(2);
            bytes[1] = (byte) (random.nextInt(2, 8) << 4);
            MemorySegment segment = MemorySegment.ofArray(bytes);
            IpCmHeader.Defect defect = IpCmHeader.check(segment, 0);
            seen.add(defect);
            if (defect == IpCmHeader.Defect.NONE && bytes[1] == 0x60) {
                IpCmHeader header = IpCmHeader.read(segment, 0);
                byte[] tail = segment.asSlice(IpCmHeader.SIZE).toArray(ValueLayout.JAVA_BYTE);
                PrivateData again = header.with(tail, CmReq.PRIVATE_DATA);
                if (!header.destination().isIpv4Mapped()) {
                    assertThat(again).isEqualTo(PrivateData.of(bytes, CmReq.PRIVATE_DATA));
                }
                assertThat(header.toString()).isNotBlank();
            }
        }
        assertThat(seen).isEqualTo(EnumSet.allOf(IpCmHeader.Defect.class));
    }
}
