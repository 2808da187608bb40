package dev.doorbell.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words by address and through segments: the tests run twice, with native access and without. */
class WordsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(256, 64);
    private final Words words = new Words(memory);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inlineBytesOfEachLengthArriveWhole(boolean onTheHeap) {
        byte[] bytes = new byte[80];
        new Random(7).nextBytes(bytes);
        MemorySegment source = onTheHeap
                ? MemorySegment.ofArray(bytes)
                : Arena.ofAuto().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        for (int length = 8; length <= 64; length++) {
            for (int offset = 0; offset < 16; offset++) {
                memory.fill((byte) 0xee);
                words.fill(64, 0x8000_0000 | length, source, offset, length);
                assertThat(Be.getInt(memory, 64)).isEqualTo(0x8000_0000 | length);
                assertThat(memory.asSlice(68, length).mismatch(source.asSlice(offset, length)))
                        .as("length %d from %d", length, offset)
                        .isEqualTo(-1);
                int end = 68 + length;
                int wordEnd = end + 7 & -8;
                for (int at = 0; at < 256; at++) {
                    if (at < 64 || at >= end) {
                        assertThat(memory.get(ValueLayout.JAVA_BYTE, at))
                                .as("byte %d behind length %d", at, length)
                                .isEqualTo(at >= end && at < wordEnd ? 0 : (byte) 0xee);
                    }
                }
            }
        }
    }

    @Test
    void theSourceIsChecked() {
        MemorySegment source = MemorySegment.ofArray(new byte[64]);
        for (int length = 8; length <= 64; length++) {
            int more = length;
            assertThatThrownBy(() -> words.fill(0, 0, source, 65 - more, more))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> words.fill(0, 0, source, -1, more)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(64);
        }
        assertThatThrownBy(() -> words.fill(0, 0, closed, 0, 64)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aBlockIsCopiedWhole() {
        for (int i = 0; i < 256; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
        MemorySegment page = Arena.ofAuto().allocate(256, 64);
        words.copyBlock(64, new Words(page), 128);
        assertThat(page.asSlice(128, 64).mismatch(memory.asSlice(64, 64))).isEqualTo(-1);
        assertThat(page.asSlice(0, 128).mismatch(Arena.ofAuto().allocate(128))).isEqualTo(-1);
        assertThat(page.asSlice(192).mismatch(Arena.ofAuto().allocate(64))).isEqualTo(-1);
        words.setLongs(8, 0x0102030405060708L, -1);
        assertThat(words.getLong(8)).isEqualTo(0x0102030405060708L);
        assertThat(Be.getLong(memory, 16)).isEqualTo(-1);
        words.setLong(24, 5);
        words.setInt(32, 9);
        assertThat(Be.getLong(memory, 24)).isEqualTo(5);
        assertThat(Be.getInt(memory, 32)).isEqualTo(9);
    }

    @Test
    void onlyNativeMemoryThatCanBeWrittenHasWords() {
        assertThatThrownBy(() -> new Words(MemorySegment.ofArray(new byte[64])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Words(memory.asReadOnly())).isInstanceOf(IllegalArgumentException.class);
    }
}
