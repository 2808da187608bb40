package dev.doorbell.soft.hca;

/** Scatter/gather elements of a work request, copied out of the ring. */
final class SgeList {
    private static final int PADDING = 8;
    private static final int WORDS = 2;

    private final long[] words;
    private final int capacity;
    private int count;
    private long bytes;

    SgeList(int capacity) {
        this.capacity = capacity;
        this.words = new long[PADDING + WORDS * capacity + PADDING];
    }

    int capacity() {
        return capacity;
    }

    int count() {
        return count;
    }

    /** The bytes of all elements. */
    long bytes() {
        return bytes;
    }

    void clear() {
        count = 0;
        bytes = 0;
    }

    void add(long address, int length, int key) {
        int at = PADDING + WORDS * count++;
        words[at] = address;
        words[at + 1] = Integer.toUnsignedLong(length) << Integer.SIZE | Integer.toUnsignedLong(key);
        bytes += Integer.toUnsignedLong(length);
    }

    long address(int index) {
        return words[PADDING + WORDS * index];
    }

    long length(int index) {
        return words[PADDING + WORDS * index + 1] >>> Integer.SIZE;
    }

    int key(int index) {
        return (int) words[PADDING + WORDS * index + 1];
    }
}
