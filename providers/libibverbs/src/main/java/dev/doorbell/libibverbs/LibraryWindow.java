package dev.doorbell.libibverbs;

import dev.doorbell.memory.Host;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.spi.VerbsFault;

/**
 * A memory window.
 *
 * <p>Thread rules: as the interface says.
 */
final class LibraryWindow implements ProviderMemoryWindow {
    private static final int PLAIN = 1;
    private static final int TYPE = 24;

    private final DataPath path;
    private final ObjectTable objects;
    private final int rkey;
    private long window;

    LibraryWindow(DataPath path, ObjectTable objects, long window) {
        this.path = path;
        this.objects = objects;
        this.window = window;
        this.rkey = Foreign.intAt(window + Heads.MW_RKEY);
        objects.putWindow(this);
    }

    @Override
    public int rkey() {
        return rkey;
    }

    /** The {@code ibv_mw}; 0 once it is deallocated. */
    long pointer() {
        return window;
    }

    /** Whether a window is of type 1, which is bound by a function of its own. */
    static boolean isPlain(long window) {
        return Foreign.intAt(window + TYPE) == PLAIN;
    }

    /** Tells the library the key that a window has, which programs in C store there themselves. */
    static void tellKey(long window, int presentKey) {
        Host.setInt(Foreign.at(window + Heads.MW_RKEY, Integer.BYTES), 0, presentKey);
    }

    @Override
    public void close() {
        if (window == 0) {
            return;
        }
        int errno = path.deallocateWindow(window);
        if (errno != 0) {
            throw new VerbsFault(errno, "DEALLOC_MW");
        }
        objects.removeWindow(this);
        window = 0;
    }
}
