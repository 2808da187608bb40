package dev.doorbell.kernel.abi;

import dev.doorbell.kernel.abi.mlx5.Mlx5Accessors;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Pairs of accessors with the struct and field that they claim to be for. */
public final class Accessors {
    /** One pair, reduced to bytes: {@code store} writes all ones, {@code isAllOnes} says whether it reads just that. */
    record Pair(String struct, String field, Store store, Check isAllOnes) {}

    /** A part of an accessor. */
    public interface Store {
        void store(MemorySegment segment, long at);
    }

    /** A part of an accessor. */
    public interface Check {
        boolean check(MemorySegment segment, long at, long fieldSize);
    }

    /** A part of an accessor. */
    public interface IntGet {
        int get(MemorySegment segment, long at);
    }

    /** A part of an accessor. */
    public interface IntSet {
        void set(MemorySegment segment, long at, int value);
    }

    /** A part of an accessor. */
    public interface LongGet {
        long get(MemorySegment segment, long at);
    }

    /** A part of an accessor. */
    public interface LongSet {
        void set(MemorySegment segment, long at, long value);
    }

    /** A part of an accessor. */
    public interface ObjectGet<T> {
        T get(MemorySegment segment, long at);
    }

    /** A part of an accessor. */
    public interface ObjectSet<T> {
        void set(MemorySegment segment, long at, T value);
    }

    private final List<Pair> pairs = new ArrayList<>();

    /** Those of what the mlx5 driver adds. */
    static List<Pair> mlx5() {
        Accessors all = new Accessors();
        Mlx5Accessors.addTo(all);
        return all.pairs;
    }

    static List<Pair> all() {
        Accessors all = new Accessors();
        QueryAccessors.addTo(all);
        QueuePairAccessors.addTo(all);
        CommandAccessors.addTo(all);
        RingAccessors.addTo(all);
        NetlinkAccessors.addTo(all);
        CmAccessors.addTo(all);
        CmRecordAccessors.addTo(all);
        return all.pairs;
    }

    /** A field of up to four bytes. */
    public void ints(String struct, String field, IntGet get, IntSet set) {
        pairs.add(new Pair(
                struct, field, (s, at) -> set.set(s, at, -1), (s, at, size) -> get.get(s, at) == (int) ones(size)));
    }

    /** A field of eight bytes. */
    public void longs(String struct, String field, LongGet get, LongSet set) {
        pairs.add(
                new Pair(struct, field, (s, at) -> set.set(s, at, -1), (s, at, size) -> get.get(s, at) == ones(size)));
    }

    void gids(String struct, String field, ObjectGet<Gid> get, ObjectSet<Gid> set) {
        Gid ones = new Gid(-1, -1);
        pairs.add(
                new Pair(struct, field, (s, at) -> set.set(s, at, ones), (s, at, size) -> ones.equals(get.get(s, at))));
    }

    void guids(String struct, String field, ObjectGet<Guid> get, ObjectSet<Guid> set) {
        Guid ones = new Guid(-1);
        pairs.add(
                new Pair(struct, field, (s, at) -> set.set(s, at, ones), (s, at, size) -> ones.equals(get.get(s, at))));
    }

    /** What an unsigned field of this size reads when all its bits are set. */
    private static long ones(long size) {
        return size == Long.BYTES ? -1 : (1L << size * Byte.SIZE) - 1;
    }
}
