package dev.doorbell.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class AccessorsTest {
    private final MemorySegment bytes = Arena.ofAuto().allocate(32, 8);

    private byte[] stored(int from, int count) {
        return bytes.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void bigEndianPutsTheMostSignificantByteFirst() {
        Be.setShort(bytes, 1, 0x1234);
        Be.set24(bytes, 3, 0xab_cdef);
        Be.setInt(bytes, 7, 0x8000_0001);
        Be.setLong(bytes, 11, 0x0102_0304_0506_0708L);
        assertThat(stored(1, 18))
                .containsExactly(
                        0x12, 0x34, 0xab, 0xcd, 0xef, 0, 0x80, 0, 0, 0x01, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                        0x08);
        assertThat(Be.getUnsignedShort(bytes, 1)).isEqualTo(0x1234);
        assertThat(Be.getUnsigned24(bytes, 3)).isEqualTo(0xab_cdef);
        assertThat(Be.getInt(bytes, 7)).isEqualTo(0x8000_0001);
        assertThat(Be.getUnsignedInt(bytes, 7)).isEqualTo(0x8000_0001L);
        assertThat(Be.getLong(bytes, 11)).isEqualTo(0x0102_0304_0506_0708L);
    }

    @Test
    void twentyFourBitsLeaveTheNeighboursAlone() {
        Be.setLong(bytes, 0, -1);
        Be.set24(bytes, 2, 0xff00_0000);
        assertThat(Be.getLong(bytes, 0)).isEqualTo(0xffff_0000_00ff_ffffL);
    }

    @Test
    void twoIntegersAtOnceLieAsTwoIntegersDo() {
        Host.setInts(bytes, 3, 0x8102_0304, 0xf506_0708);
        assertThat(Host.getInt(bytes, 3)).isEqualTo(0x8102_0304);
        assertThat(Host.getInt(bytes, 7)).isEqualTo(0xf506_0708);
        assertThat(stored(0, 3)).containsOnly(0);
        assertThat(stored(11, 3)).containsOnly(0);
    }

    @Test
    void hostOrderIsTheMachines() {
        Host.setInt(bytes, 1, 0x0a0b_0c0d);
        boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        assertThat(Host.getUnsignedByte(bytes, 1)).isEqualTo(little ? 0x0d : 0x0a);
        Host.setShort(bytes, 5, 0xfffe);
        assertThat(Host.getUnsignedShort(bytes, 5)).isEqualTo(0xfffe);
        Host.setLong(bytes, 9, Long.MIN_VALUE + 5);
        assertThat(Host.getLong(bytes, 9)).isEqualTo(Long.MIN_VALUE + 5);
        Host.setInt(bytes, 17, -2);
        assertThat(Host.getUnsignedInt(bytes, 17)).isEqualTo(0xffff_fffeL);
        Host.setByte(bytes, 21, 0x1ff);
        assertThat(Host.getUnsignedByte(bytes, 21)).isEqualTo(0xff);
        assertThat(Host.getUnsignedByte(bytes, 22)).isZero();
    }

    @Test
    void accessesStayInsideTheSegment() {
        assertThatThrownBy(() -> Be.getLong(bytes, 25)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Host.setInt(bytes, -1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Shared.setLongRelease(bytes, 32, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void sharedWordsAreReadAsTheyWereStored() {
        Shared.setIntRelease(bytes, 4, 77);
        assertThat(Shared.getIntAcquire(bytes, 4)).isEqualTo(77);
        Shared.setLongRelease(bytes, 8, -5);
        assertThat(Shared.getLongAcquire(bytes, 8)).isEqualTo(-5);
        assertThat(Host.getLong(bytes, 8)).isEqualTo(-5);
    }

    @Test
    void sharedWordsMustBeAligned() {
        assertThatThrownBy(() -> Shared.getIntAcquire(bytes, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Shared.getAndAddLong(bytes, 4, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void atomicsReturnWhatWasThere() {
        Shared.setLongRelease(bytes, 16, 40);
        assertThat(Shared.getAndAddLong(bytes, 16, 2)).isEqualTo(40);
        assertThat(Shared.compareAndExchangeLong(bytes, 16, 41, 0))
                .as("no match")
                .isEqualTo(42);
        assertThat(Shared.getLongAcquire(bytes, 16)).isEqualTo(42);
        assertThat(Shared.compareAndExchangeLong(bytes, 16, 42, -1)).isEqualTo(42);
        assertThat(Shared.getLongAcquire(bytes, 16)).isEqualTo(-1);
        assertThat(Shared.getAndAddLong(bytes, 16, Long.MIN_VALUE)).isEqualTo(-1);
        assertThat(Shared.getLongAcquire(bytes, 16)).as("wraps").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void closedMemoryThrows() {
        MemorySegment closed;
        try (Arena arena = Arena.ofShared()) {
            closed = arena.allocate(8, 8);
        }
        assertThatThrownBy(() -> Shared.setLongRelease(closed, 0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Shared.getLongAcquire(closed, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Shared.compareAndExchangeLong(closed, 0, 0, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Host.getInt(closed, 0)).isInstanceOf(IllegalStateException.class);
    }
}
