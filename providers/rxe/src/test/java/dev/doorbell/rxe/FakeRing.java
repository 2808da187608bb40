package dev.doorbell.rxe;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The kernel's side of a ring, by plain offsets. */
record FakeRing(MemorySegment memory, int log2ElementSize, int slots) {
    FakeRing {
        memory.set(ValueLayout.JAVA_INT, 0, log2ElementSize);
        memory.set(ValueLayout.JAVA_INT, 4, slots - 1);
    }

    int producer() {
        return memory.get(ValueLayout.JAVA_INT, 128);
    }

    void producer(int value) {
        memory.set(ValueLayout.JAVA_INT, 128, value);
    }

    int consumer() {
        return memory.get(ValueLayout.JAVA_INT, 256);
    }

    void consumer(int value) {
        memory.set(ValueLayout.JAVA_INT, 256, value);
    }

    long offset(int slot) {
        return 384 + ((long) slot << log2ElementSize);
    }

    Bytes element(int slot) {
        return Bytes.copy(memory, offset(slot), 1 << log2ElementSize);
    }

    /** What lies in all slots, and so would leak into the next element. */
    void soil() {
        memory.asSlice(384).fill((byte) 0xee);
    }

    /** Puts an element as the kernel does: bytes first, then the index. */
    void put(Bytes element) {
        element.copyTo(memory, offset(producer()));
        producer(producer() + 1 & slots - 1);
    }

    /** Where the ring tells its mapping: the driver's answer of CREATE_CQ. */
    Bytes info(long key) {
        return info(Bytes.of(16), 0, key);
    }

    Bytes info(Bytes answer, int at, long key) {
        return answer.u64(at, key).u32(at + 8, (int) memory.byteSize());
    }
}
