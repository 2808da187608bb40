package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.mlx5.MappingOffset;
import dev.doorbell.kernel.abi.mlx5.Mlx5IoctlIds;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The register pages of one context. They are plain memory: what is stored there nobody sees ({@link PostedWork}), but the
 * driver finds its registers where a ConnectX has them.
 *
 * <p>Thread rules: any thread.
 */
final class RegisterPages {
    /** Where the clock lies in its page. */
    static final int CLOCK_OFFSET = 0;

    /** Far behind the static ones. */
    private static final int FIRST_DYNAMIC = 0x100;

    private static final int MOST_PAGES = 0x1000;
    private static final int STATIC_PAGES = 0x100;

    /** Registers with BlueFlame that queue pairs take turns at. */
    private static final int STATIC_REGISTERS = 8;

    private final Quotas quotas;
    private final ReentrantLock lock = new ReentrantLock();
    private final Slabs slabs = new Slabs();
    private final Map<Long, MemorySegment> offered = new HashMap<>();
    private final Map<Integer, Long> handles = new HashMap<>();
    private final Map<Long, Integer> mapped = new HashMap<>();
    private int made;
    private int given;
    private boolean closed;
    private @Nullable MemorySegment clock;

    RegisterPages(Quotas quotas) {
        this.quotas = quotas;
    }

    int call(MethodCall call) {
        if (call.object() != Mlx5IoctlIds.OBJECT_UAR) {
            return Errno.EPROTONOSUPPORT;
        }
        lock.lock();
        try {
            return closed
                    ? Errno.EBADF
                    : switch (call.method()) {
                        case Mlx5IoctlIds.UAR_ALLOC -> allocate(call);
                        case Mlx5IoctlIds.UAR_DESTROY -> destroy(call);
                        default -> Errno.EPROTONOSUPPORT;
                    };
        } finally {
            lock.unlock();
        }
    }

    private int allocate(MethodCall call) {
        MethodCall.Attribute handle = find(call, Mlx5IoctlIds.UAR_ALLOC_HANDLE, MethodCall.Kind.NEW_HANDLE);
        MethodCall.Attribute type = find(call, Mlx5IoctlIds.UAR_ALLOC_TYPE, MethodCall.Kind.NUMBER);
        MemorySegment offset = room(call, Mlx5IoctlIds.UAR_ALLOC_MMAP_OFFSET, Long.BYTES);
        MemorySegment length = room(call, Mlx5IoctlIds.UAR_ALLOC_MMAP_LENGTH, Integer.BYTES);
        MemorySegment number = room(call, Mlx5IoctlIds.UAR_ALLOC_PAGE_ID, Integer.BYTES);
        if (handle == null || type == null || offset == null || length == null || number == null) {
            return Errno.EINVAL;
        }
        if (type.value() != Mlx5IoctlIds.UAR_BLUE_FLAME && type.value() != Mlx5IoctlIds.UAR_NON_CACHED) {
            return Errno.EINVAL;
        }
        MemorySegment page = made < MOST_PAGES ? slabs.take(RegisterPage.SIZE) : null;
        if (page == null) {
            return Errno.ENOMEM;
        }
        int id = FIRST_DYNAMIC + made++;
        long key = MappingOffset.of(MappingOffset.ALLOCATE_WRITE_COMBINING, id, Slabs.PAGE);
        offered.put(key, page);
        handles.put(id, key);
        handle.answer(id);
        Host.setLong(offset, 0, key);
        Host.setInt(length, 0, RegisterPage.SIZE);
        Host.setInt(number, 0, id);
        return 0;
    }

    private int destroy(MethodCall call) {
        MethodCall.Attribute handle = find(call, Mlx5IoctlIds.UAR_DESTROY_HANDLE, MethodCall.Kind.HANDLE);
        Long key = handle == null ? null : handles.remove((int) handle.value());
        if (key == null) {
            return handle == null ? Errno.EINVAL : Errno.ENOENT;
        }
        // A mapping outlives it, so its memory is not used again.
        offered.remove(key);
        return 0;
    }

    private static MethodCall.@Nullable Attribute find(MethodCall call, int id, MethodCall.Kind kind) {
        MethodCall.Attribute found = call.find(id);
        return found != null && found.kind() == kind ? found : null;
    }

    private static @Nullable MemorySegment room(MethodCall call, int id, int bytes) {
        MethodCall.Attribute found = find(call, id, MethodCall.Kind.OUTPUT);
        return found != null && found.bytes().byteSize() >= bytes ? found.bytes() : null;
    }

    /** The static register of the next queue pair: two in each page have BlueFlame, and none is the first. */
    int nextRegister() {
        lock.lock();
        try {
            int turn = 1 + given++ % (STATIC_REGISTERS - 1);
            return turn / 2 * RegisterPage.STATIC_PER_PAGE + turn % 2;
        } finally {
            lock.unlock();
        }
    }

    /** A page: one that was allocated, or a static one, which is there when it is wanted. */
    MemorySegment map(long offset, long length) {
        lock.lock();
        try {
            MemorySegment page = closed || length != RegisterPage.SIZE ? null : page(offset);
            if (page == null) {
                throw new KernelException(
                        Errno.EINVAL,
                        "nothing of " + length + " bytes can be mapped at offset " + offset
                                + ": a page of registers has " + RegisterPage.SIZE
                                + " bytes, and a clock is not to be written");
            }
            mapped.merge(page.address(), 1, Integer::sum);
            quotas.mappings.take();
            return page;
        } finally {
            lock.unlock();
        }
    }

    /** The page with the device's clock, for a program to read. It stands still between two calls of {@link #setClock}. */
    MemorySegment mapReadOnly(long offset, long length) {
        lock.lock();
        try {
            boolean isClock = offset == MappingOffset.of(MappingOffset.CLOCK, 0, Slabs.PAGE);
            MemorySegment page = closed || !isClock || length != RegisterPage.SIZE ? null : clock();
            if (page == null) {
                throw new KernelException(
                        Errno.EINVAL,
                        "nothing of " + length + " bytes can be read at offset " + offset + ": the clock's page has "
                                + RegisterPage.SIZE + " bytes");
            }
            mapped.merge(page.address(), 1, Integer::sum);
            quotas.mappings.take();
            return page.asReadOnly();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable MemorySegment clock() {
        if (clock == null) {
            clock = slabs.take(RegisterPage.SIZE);
        }
        return clock;
    }

    /** Lets the clock show a time. */
    void setClock(long ticks) {
        lock.lock();
        try {
            if (clock != null && !closed) {
                Shared.setLongRelease(clock, CLOCK_OFFSET, Long.reverseBytes(ticks));
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable MemorySegment page(long offset) {
        MemorySegment present = offered.get(offset);
        int command = MappingOffset.command(offset, Slabs.PAGE);
        boolean isStatic = command == MappingOffset.REGULAR
                || command == MappingOffset.WRITE_COMBINING
                || command == MappingOffset.NON_CACHED;
        boolean isPage = offset >= 0 && offset % Slabs.PAGE == 0;
        if (present != null || !isStatic || !isPage || MappingOffset.index(offset, Slabs.PAGE) >= STATIC_PAGES) {
            return present;
        }
        MemorySegment page = slabs.take(RegisterPage.SIZE);
        if (page != null) {
            offered.put(offset, page);
        }
        return page;
    }

    void unmap(MemorySegment mapping) {
        lock.lock();
        try {
            Integer times = mapped.get(mapping.address());
            if (times != null) {
                if (times == 1) {
                    mapped.remove(mapping.address());
                } else {
                    mapped.put(mapping.address(), times - 1);
                }
                quotas.mappings.give();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all mappings. Idempotent. */
    void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                mapped.values().forEach(times -> quotas.mappings.give(Objects.requireNonNull(times)));
                mapped.clear();
                offered.clear();
                slabs.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
