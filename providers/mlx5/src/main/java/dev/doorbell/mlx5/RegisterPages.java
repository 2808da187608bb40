package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.mlx5.Mlx5IoctlIds;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import dev.doorbell.memory.Host;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The register pages of a context, on devices where they are allocated as they are needed. One page is not write-combining: completion queues
 * are armed there. Queue pairs ring in pages of two registers each. The first few have a register to themselves; the others share
 * a limited number, and each new one goes where there are fewest. Pages stay until the context closes.
 *
 * <p>Thread rules: any thread.
 */
final class RegisterPages implements Registers {
    private static final int TOTAL = 16;
    private static final int OWN = 4;
    private static final int PER_PAGE = 2;

    private final CommandChannel channel;
    private final DeviceStores stores;
    private final int blueFlameSize;
    private final Page nonCached;
    private final List<Page> pages = new ArrayList<>();
    private final List<Register> own = new ArrayList<>();
    private final List<Register> shared = new ArrayList<>();
    private final Register plain;

    private record Page(int handle, int number, MemorySegment memory) {}

    RegisterPages(CommandChannel channel, DeviceStores stores, int blueFlameSize) {
        this.channel = channel;
        this.stores = stores;
        this.blueFlameSize = blueFlameSize;
        this.nonCached = allocate(Mlx5IoctlIds.UAR_NON_CACHED);
        this.plain = new Register(stores, nonCached.memory(), nonCached.number(), RegisterPage.BLUE_FLAME, 0, true);
    }

    private Page allocate(int type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(Long.BYTES, Long.BYTES);
            MemorySegment length = arena.allocate(Integer.BYTES, Long.BYTES);
            MemorySegment number = arena.allocate(Integer.BYTES, Long.BYTES);
            MethodCall call = new MethodCall(Mlx5IoctlIds.OBJECT_UAR, Mlx5IoctlIds.UAR_ALLOC)
                    .newHandle(Mlx5IoctlIds.UAR_ALLOC_HANDLE)
                    .number(Mlx5IoctlIds.UAR_ALLOC_TYPE, type)
                    .output(Mlx5IoctlIds.UAR_ALLOC_MMAP_OFFSET, offset)
                    .output(Mlx5IoctlIds.UAR_ALLOC_MMAP_LENGTH, length)
                    .output(Mlx5IoctlIds.UAR_ALLOC_PAGE_ID, number);
            int errno = channel.call(call);
            if (errno != 0) {
                throw new VerbsFault(errno, "UAR_ALLOC");
            }
            int handle = call.answered(Mlx5IoctlIds.UAR_ALLOC_HANDLE);
            try {
                return new Page(
                        handle, Host.getInt(number, 0), map(channel, Host.getLong(offset, 0), Host.getInt(length, 0)));
            } catch (VerbsFault e) {
                destroy(handle);
                throw e;
            }
        }
    }

    /** Maps a page and checks that it is one. */
    static MemorySegment map(CommandChannel channel, long offset, long length) {
        if (length < RegisterPage.SIZE) {
            throw new VerbsFault(Errno.EIO, "a register page of " + length + " bytes");
        }
        try {
            return channel.map(offset, length);
        } catch (KernelException e) {
            throw Command.fault(e, "register page");
        }
    }

    @Override
    public boolean areDynamic() {
        return true;
    }

    @Override
    public MemorySegment armPage() {
        return nonCached.memory();
    }

    @Override
    public int armPageNumber() {
        return nonCached.number();
    }

    @Override
    public synchronized Register take() {
        if (blueFlameSize == 0) {
            plain.users++;
            return plain;
        }
        Register register = free(own);
        if (register == null) {
            register = own.size() < OWN ? grow(own, false) : leastUsed();
        }
        register.users++;
        return register;
    }

    private static @Nullable Register free(List<Register> registers) {
        for (Register register : registers) {
            if (register.users == 0) {
                return register;
            }
        }
        return null;
    }

    private Register leastUsed() {
        Register unused = free(shared);
        if (unused != null) {
            return unused;
        }
        if (shared.size() < TOTAL - OWN) {
            return grow(shared, true);
        }
        Register least = shared.getFirst();
        for (Register register : shared) {
            if (register.users < least.users) {
                least = register;
            }
        }
        return least;
    }

    private Register grow(List<Register> registers, boolean isShared) {
        Page page = allocate(Mlx5IoctlIds.UAR_BLUE_FLAME);
        pages.add(page);
        int first = registers.size();
        for (int i = 0; i < PER_PAGE; i++) {
            long at = RegisterPage.BLUE_FLAME + (long) i * blueFlameSize;
            registers.add(new Register(stores, page.memory(), page.number(), at, blueFlameSize / 2, isShared));
        }
        return registers.get(first);
    }

    @Override
    public Register named(int index) {
        throw new VerbsFault(Errno.EIO, "CREATE_QP: static register " + index);
    }

    @Override
    public synchronized void release(Register register) {
        register.users--;
    }

    private void destroy(int handle) {
        channel.call(new MethodCall(Mlx5IoctlIds.OBJECT_UAR, Mlx5IoctlIds.UAR_DESTROY)
                .handle(Mlx5IoctlIds.UAR_DESTROY_HANDLE, handle));
    }
}
