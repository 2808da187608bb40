package dev.doorbell.mlx5;

import java.util.Arrays;

/**
 * Which memory windows are of type 1: whoever binds knows the window by its key alone. The low byte of a key changes, the others name
 * the window.
 *
 * <p>Thread rules: any thread.
 */
final class WindowTable {
    private volatile int[] windows = {};

    synchronized void put(int key) {
        int[] next = Arrays.copyOf(windows, windows.length + 1);
        next[next.length - 1] = key >>> 8;
        Arrays.sort(next);
        windows = next;
    }

    synchronized void remove(int key) {
        windows = Arrays.stream(windows).filter(window -> window != key >>> 8).toArray();
    }

    boolean isOfType1(int key) {
        return Arrays.binarySearch(windows, key >>> 8) >= 0;
    }
}
