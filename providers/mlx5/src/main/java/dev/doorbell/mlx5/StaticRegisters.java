package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.MappingOffset;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The register pages of a context, on kernels where they exist from the start: all are mapped when the device is opened, and the kernel says which
 * register a queue pair has. Register 0 is a plain one.
 *
 * <p>Thread rules: any thread.
 */
final class StaticRegisters implements Registers {
    private final DeviceStores stores;
    private final int blueFlameSize;
    private final MemorySegment[] pages;
    private final Map<Integer, Register> registers = new HashMap<>();

    StaticRegisters(CommandChannel channel, DeviceStores stores, int blueFlameSize, int count) {
        this.stores = stores;
        this.blueFlameSize = blueFlameSize;
        int pageCount = Math.max(1, count / RegisterPage.STATIC_BLUE_FLAME_PER_PAGE);
        this.pages = new MemorySegment[pageCount];
        for (int i = 0; i < pageCount; i++) {
            long offset = MappingOffset.of(MappingOffset.REGULAR, i, RegisterPage.SIZE);
            pages[i] = RegisterPages.map(channel, offset, RegisterPage.SIZE);
        }
    }

    @Override
    public boolean areDynamic() {
        return false;
    }

    @Override
    public MemorySegment armPage() {
        return pages[0];
    }

    @Override
    public int armPageNumber() {
        return 0;
    }

    @Override
    public Register take() {
        throw new VerbsFault(Errno.EIO, "a dynamic register of a device without them");
    }

    @Override
    public synchronized Register named(int index) {
        int page = index / RegisterPage.STATIC_PER_PAGE;
        if (index < 0 || page >= pages.length) {
            throw new VerbsFault(Errno.EIO, "CREATE_QP: register " + index);
        }
        Register register = registers.computeIfAbsent(index, key -> {
            int size = blueFlameSize == 0 ? RegisterPage.DEFAULT_SIZE : blueFlameSize;
            long at = RegisterPage.BLUE_FLAME + (long) (index % RegisterPage.STATIC_PER_PAGE) * size;
            return new Register(stores, pages[page], index, at, index == 0 ? 0 : blueFlameSize / 2, true);
        });
        register.users++;
        return register;
    }

    @Override
    public synchronized void release(Register register) {
        register.users--;
    }
}
