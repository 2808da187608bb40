package dev.doorbell.mlx5;

import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.uverbs.AllocatedWindow;

/** A memory window, whose type the context finds by its key. */
final class Mlx5MemoryWindow implements ProviderMemoryWindow {
    private static final int TYPE_1 = 1;

    private final AllocatedWindow window;
    private final WindowTable windows;

    private Mlx5MemoryWindow(AllocatedWindow window, WindowTable windows) {
        this.window = window;
        this.windows = windows;
    }

    static Mlx5MemoryWindow allocate(Mlx5Device device, int protectionDomain, int type) {
        AllocatedWindow window = AllocatedWindow.allocate(device.channel(), protectionDomain, type);
        if (type == TYPE_1) {
            device.windows().put(window.rkey());
        }
        return new Mlx5MemoryWindow(window, device.windows());
    }

    @Override
    public int rkey() {
        return window.rkey();
    }

    @Override
    public void close() {
        window.close();
        windows.remove(window.rkey());
    }
}
