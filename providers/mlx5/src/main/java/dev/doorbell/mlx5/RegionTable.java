package dev.doorbell.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a context by its lkey: data that a device delivers inside a completion are copied from there into memory that a
 * work request names by address, and only registered memory can be reached so.
 *
 * <p>Thread rules: any thread.
 */
final class RegionTable {
    private record Region(int lkey, MemorySegment memory, long iova) {}

    private volatile Region[] regions = {};

    synchronized void put(int lkey, MemorySegment memory, long iova) {
        Region[] next = Arrays.copyOf(without(lkey), without(lkey).length + 1);
        next[next.length - 1] = new Region(lkey, memory, iova);
        Arrays.sort(next, (left, right) -> Integer.compare(left.lkey(), right.lkey()));
        regions = next;
    }

    synchronized void remove(int lkey) {
        regions = without(lkey);
    }

    private Region[] without(int lkey) {
        return Arrays.stream(regions).filter(region -> region.lkey() != lkey).toArray(Region[]::new);
    }

    /** Copies bytes to an address; false if that is not in the region. */
    boolean copy(MemorySegment from, long at, int lkey, long address, long length) {
        Region region = find(lkey);
        if (region == null) {
            return false;
        }
        long offset = address - region.iova();
        if (offset < 0 || length > region.memory().byteSize() - offset) {
            return false;
        }
        try {
            MemorySegment.copy(from, at, region.memory(), offset, length);
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    private @Nullable Region find(int lkey) {
        Region[] now = regions;
        int low = 0;
        int high = now.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int key = now[middle].lkey();
            if (key == lkey) {
                return now[middle];
            }
            if (key < lkey) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }
}
