package dev.doorbell.soft.hca;

import dev.doorbell.memory.Faults;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;

/**
 * Moves bytes between two cursors. Memory that turns out not to be there any more, because its arena was closed or its
 * file was truncated, is an outcome and not an exception.
 */
final class Transfer extends Padded {
    private static final long WORD = Long.BYTES;
    private static final long PAGE = 4096;

    /** Bytes that are held back until the rest is in place: a word, and what follows its end. */
    private final MemorySegment held = Scratch.take(2 * WORD);

    private final MemoryCursor heldCursor;

    Transfer(MemoryRegions regions) {
        this.heldCursor = new MemoryCursor(regions);
    }

    /** How a transfer ended. */
    enum Outcome {
        DONE,
        /** The bytes could not be read. */
        SOURCE_FAULT,
        /** The bytes could not be written. */
        TARGET_FAULT
    }

    /** Moves {@code length} bytes. */
    Outcome copy(MemoryCursor from, MemoryCursor to, long length) {
        long rest = length;
        while (rest > 0) {
            if (!from.fill()) {
                return Outcome.SOURCE_FAULT;
            }
            if (!to.fill()) {
                return Outcome.TARGET_FAULT;
            }
            long bytes = Math.min(rest, Math.min(from.left(), to.left()));
            if (!move(from, to, bytes)) {
                return blame(from.memory(), from.at(), bytes);
            }
            from.advance(bytes);
            to.advance(bytes);
            rest -= bytes;
        }
        return Outcome.DONE;
    }

    /**
     * Moves {@code length} bytes into the stretch {@code to} such that a program which polls memory can rely on the
     * last aligned eight bytes: whoever reads them with acquire sees all the others too. A message that holds no
     * aligned word has no such promise.
     */
    Outcome copyReleased(MemoryCursor from, MemoryCursor to, long length) {
        MemorySegment memory = to.memory();
        long end = to.at() + length;
        long word = end - (memory.address() + end & WORD - 1) - WORD;
        if (word < to.at()) {
            return copy(from, to, length);
        }
        if (length == WORD && from.fill() && from.left() >= WORD) {
            return moveWord(from, memory, word);
        }
        Outcome outcome = copy(from, to, word - to.at());
        if (outcome != Outcome.DONE) {
            return outcome;
        }
        heldCursor.range(held, 0, end - word);
        outcome = copy(from, heldCursor, end - word);
        if (outcome != Outcome.DONE) {
            return outcome == Outcome.SOURCE_FAULT ? outcome : Outcome.TARGET_FAULT;
        }
        return release(memory, word, end) ? Outcome.DONE : Outcome.TARGET_FAULT;
    }

    private static Outcome moveWord(MemoryCursor from, MemorySegment memory, long word) {
        try {
            Shared.setLongRelease(memory, word, Host.getLong(from.memory(), from.at()));
            Faults.deliver(from.memory());
            Faults.deliver(memory);
            return Outcome.DONE;
        } catch (RuntimeException | InternalError gone) {
            return blame(from.memory(), from.at(), WORD);
        }
    }

    private boolean release(MemorySegment memory, long word, long end) {
        try {
            for (long tail = WORD; word + tail < end; tail++) {
                Host.setByte(memory, word + tail, Host.getUnsignedByte(held, tail));
            }
            Shared.setLongRelease(memory, word, Host.getLong(held, 0));
            Faults.deliver(memory);
            return true;
        } catch (RuntimeException | InternalError gone) {
            return false;
        }
    }

    private static boolean move(MemoryCursor from, MemoryCursor to, long bytes) {
        try {
            if (bytes == WORD) {
                // A bulk copy takes several times as long.
                Host.setLong(to.memory(), to.at(), Host.getLong(from.memory(), from.at()));
            } else {
                MemorySegment.copy(from.memory(), from.at(), to.memory(), to.at(), bytes);
            }
            Faults.deliver(from.memory());
            Faults.deliver(to.memory());
            return true;
        } catch (RuntimeException | InternalError gone) {
            // Closed arena, read-only memory, truncated mapping: which side it was is found out by touching the source.
            return false;
        }
    }

    private static Outcome blame(MemorySegment source, long at, long bytes) {
        try {
            long sum = Host.getUnsignedByte(source, at + bytes - 1);
            for (long offset = 0; offset < bytes; offset += PAGE) {
                sum += Host.getUnsignedByte(source, at + offset);
            }
            Faults.deliver(source);
            return sum < 0 ? Outcome.SOURCE_FAULT : Outcome.TARGET_FAULT;
        } catch (RuntimeException | InternalError gone) {
            return Outcome.SOURCE_FAULT;
        }
    }
}
