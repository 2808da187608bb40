package dev.doorbell.mlx5;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Makes the stores and remembers them. */
final class RecordingStores implements DeviceStores {
    /** One store, or the adjacent ones of a work request. */
    record Store(MemorySegment target, long at, int width, int count, String bytes, boolean isRecord) {}

    private final DeviceStores direct = new DirectStores();
    final List<Store> stores = new ArrayList<>();

    @Override
    public void record(MemorySegment records, long at, int value) {
        direct.record(new Words(records), at, value);
        stores.add(new Store(records, at, Integer.BYTES, 1, Vectors.hex(records, at, Integer.BYTES), true));
    }

    @Override
    public void register(MemorySegment page, long at, long value) {
        direct.register(new Words(page), at, value);
        if (Be.getLong(page, at) != value) {
            throw new IllegalStateException("a register holds something else than was stored");
        }
        stores.add(new Store(page, at, Long.BYTES, 1, Vectors.hex(page, at, Long.BYTES), false));
    }

    @Override
    public void record(Words records, long at, int value) {
        record(records.segment(), at, value);
    }

    @Override
    public void register(Words page, long at, long value) {
        register(page.segment(), at, value);
    }

    @Override
    public void blueFlame(Words page, long at, Words queue, long from, long end, int bytes) {
        direct.blueFlame(page, at, queue, from, end, bytes);
        stores.add(new Store(
                page.segment(), at, Long.BYTES, bytes / Long.BYTES, Vectors.hex(page.segment(), at, bytes), false));
    }
}
