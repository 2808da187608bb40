package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The doorbell records of a context, one a cache line, in pages that the device may read. The lowest free place is taken first.
 *
 * <p>Thread rules: any thread.
 */
final class DoorbellRecords implements AutoCloseable {
    private static final int PAGE = 4096;

    /** A record. */
    static final class Slot {
        private final Page page;
        private final int index;
        private final long at;
        private boolean free;

        private Slot(Page page, int index, int stride) {
            this.page = page;
            this.index = index;
            this.at = (long) index * stride;
        }

        MemorySegment memory() {
            return page.memory.segment();
        }

        /** Where it lies in {@link #memory()}. */
        long at() {
            return at;
        }

        long address() {
            return page.memory.address() + at;
        }
    }

    private static final class Page {
        private final QueueMemory memory;
        private final BitSet used = new BitSet();

        private Page(QueueMemory memory) {
            this.memory = memory;
        }
    }

    private final CommandChannel channel;
    private final int stride;
    private final List<Page> pages = new ArrayList<>();

    DoorbellRecords(CommandChannel channel, int cacheLine) {
        this.channel = channel;
        this.stride = Math.max(cacheLine, DoorbellRecord.SIZE);
    }

    /** A zeroed record. */
    synchronized Slot allocate() {
        int perPage = PAGE / stride;
        for (Page page : pages) {
            int index = page.used.nextClearBit(0);
            if (index < perPage) {
                return take(page, index);
            }
        }
        Page page = new Page(QueueMemory.allocate(channel, PAGE, "doorbell records"));
        pages.add(page);
        return take(page, 0);
    }

    private Slot take(Page page, int index) {
        page.used.set(index);
        Slot slot = new Slot(page, index, stride);
        slot.memory().asSlice(slot.at, stride).fill((byte) 0);
        return slot;
    }

    /** Gives a record back; the object that it belonged to is gone. */
    synchronized void free(Slot slot) {
        if (!slot.free) {
            slot.free = true;
            slot.page.used.clear(slot.index);
        }
    }

    @Override
    public synchronized void close() {
        pages.forEach(page -> page.memory.close());
        pages.clear();
    }
}
