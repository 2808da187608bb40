package dev.doorbell.mlx5;

/**
 * Which memory windows are of type 1: whoever binds knows the window by its key alone. The low byte of a key changes, the others name
 * the window.
 *
 * <p>Thread rules: any thread.
 */
final class WindowTable {
    private static final int TYPE_1 = 1;
    private static final int CHANGING_BITS = 8;

    /** A window. */
    static final class Window extends KeyTable.Entry {
        private final int type;

        private Window(int key, int type) {
            super(key >>> CHANGING_BITS);
            this.type = type;
        }
    }

    private final KeyTable windows = new KeyTable();

    /** Adds a window; whoever had the key before has it no more. */
    Window put(int key, int type) {
        Window window = new Window(key, type);
        windows.put(window);
        return window;
    }

    /** Forgets a window, unless another has its key by now. */
    void remove(Window window) {
        windows.remove(window);
    }

    boolean isOfType1(int key) {
        return windows.find(key >>> CHANGING_BITS) instanceof Window window && window.type == TYPE_1;
    }
}
