package dev.doorbell.quality.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/** Memory that the devices work on, beside a copy of what must be in it. */
final class Mirror implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final MemorySegment expected;
    private long used;

    Mirror(long bytes, SplittableRandom random) {
        memory = arena.allocate(bytes, 64);
        expected = arena.allocate(bytes, 64);
        fill(0, bytes, random);
    }

    MemorySegment memory() {
        return memory;
    }

    /** Sets a part aside. */
    long take(long bytes) {
        long start = used;
        used += (bytes + 63) / 64 * 64;
        assertThat(used).isLessThanOrEqualTo(memory.byteSize());
        return start;
    }

    /** The program fills a part. */
    void fill(long at, long bytes, SplittableRandom random) {
        long end = at + bytes;
        long next = at;
        for (; next + Long.BYTES <= end; next += Long.BYTES) {
            Host.setLong(memory, next, random.nextLong());
        }
        for (; next < end; next++) {
            Host.setByte(memory, next, random.nextInt());
        }
        MemorySegment.copy(memory, at, expected, at, bytes);
    }

    /** The program stores a number. */
    void store(long at, long value) {
        Host.setLong(memory, at, value);
        Host.setLong(expected, at, value);
    }

    /** What must be there, as a copy. */
    MemorySegment snapshot(long at, long bytes) {
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) bytes]);
        MemorySegment.copy(expected, at, copy, 0, bytes);
        return copy;
    }

    /** What must be in these pieces one after the other, as a copy. */
    MemorySegment snapshot(List<Piece> pieces) {
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) Piece.bytes(pieces)]);
        long to = 0;
        for (Piece piece : pieces) {
            MemorySegment.copy(expected, piece.at(), copy, to, piece.bytes());
            to += piece.bytes();
        }
        return copy;
    }

    /** A device is about to put these bytes here. */
    void expect(long at, MemorySegment bytes) {
        MemorySegment.copy(bytes, 0, expected, at, bytes.byteSize());
    }

    /** A device is about to set the number here. Returns what must be there until then. */
    long expect(long at, long value) {
        long before = Host.getLong(expected, at);
        Host.setLong(expected, at, value);
        return before;
    }

    long expectedLong(long at) {
        return Host.getLong(expected, at);
    }

    /** A device has put these bytes into these pieces; the rest of the pieces must be as it was. */
    void verify(List<Piece> pieces, MemorySegment bytes, String what) {
        long from = 0;
        for (Piece piece : pieces) {
            long count = Math.min(piece.bytes(), bytes.byteSize() - from);
            MemorySegment.copy(bytes, from, expected, piece.at(), count);
            from += count;
            verify(piece.at(), piece.bytes(), what);
        }
        assertThat(from).as("bytes of %s", what).isEqualTo(bytes.byteSize());
    }

    private void verify(long at, long bytes, String what) {
        long difference = MemorySegment.mismatch(memory, at, at + bytes, expected, at, at + bytes);
        if (difference >= 0) {
            assertThat(Host.getUnsignedByte(memory, at + difference))
                    .as("byte %d of %d of %s", difference, bytes, what)
                    .isEqualTo(Host.getUnsignedByte(expected, at + difference));
        }
    }

    /** Compares everything; no device may be at work. */
    void verifyAll(String what) {
        verify(0, memory.byteSize(), what);
    }

    @Override
    public void close() {
        arena.close();
    }
}
