package dev.doorbell.mlx5;

import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.uverbs.AllocatedWindow;
import dev.doorbell.verbs.uverbs.Destroy;

/** A memory window, whose type the context finds by its key. */
final class Mlx5MemoryWindow implements ProviderMemoryWindow {
    private final AllocatedWindow window;
    private final WindowTable windows;
    private final WindowTable.Window entry;

    private Mlx5MemoryWindow(AllocatedWindow window, WindowTable windows, int type) {
        this.window = window;
        this.windows = windows;
        this.entry = windows.put(window.rkey(), type);
    }

    static Mlx5MemoryWindow allocate(Mlx5Device device, int protectionDomain, int type) {
        return new Mlx5MemoryWindow(
                AllocatedWindow.allocate(device.channel(), protectionDomain, type), device.windows(), type);
    }

    @Override
    public int rkey() {
        return window.rkey();
    }

    @Override
    public void close() {
        Destroy.andForget(window::close, () -> windows.remove(entry));
    }
}
