package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.linux.syscall.MappedMemory;
import dev.doorbell.linux.syscall.SystemFile;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The mappings of one context that have not ended yet, by address. */
final class RingMappings {
    private static final int MAX_ERRNO = 4095;

    private final Map<Long, MappedMemory> mappings = new ConcurrentHashMap<>();

    /** Maps from {@code file}; both happen or neither, also against a close of the file. */
    MemorySegment map(SystemFile file, int stripe, long offset, long length) {
        return map(file, stripe, length, offset, file::mapShared);
    }

    /** The same, to be read alone. */
    MemorySegment mapReadOnly(SystemFile file, int stripe, long offset, long length) {
        return map(file, stripe, length, offset, file::mapReadOnly).asReadOnly();
    }

    private interface Mapper {
        long map(int stripe, long offset, long length);
    }

    private MemorySegment map(SystemFile file, int stripe, long length, long offset, Mapper mapper) {
        if (length <= 0) {
            throw new KernelException(Errno.EINVAL, "a mapping needs a length, not " + length);
        }
        if (!file.enter(stripe)) {
            throw new KernelException(Errno.EBADF, "mapping of %d bytes: the context is closed".formatted(length));
        }
        try {
            long address = mapper.map(stripe, offset, length);
            if (address < 0 && address >= -MAX_ERRNO) {
                throw new KernelException(
                        (int) -address,
                        "mapping of %d bytes at offset 0x%x: %s".formatted(length, offset, cause((int) -address)));
            }
            MappedMemory mapping = MappedMemory.of(address, length);
            mappings.put(address, mapping);
            return mapping.segment();
        } finally {
            file.exit(stripe);
        }
    }

    private static String cause(int errno) {
        return switch (errno) {
            case Errno.EINVAL -> "nothing of that size is on offer there; each offer can be mapped once";
            case Errno.ENOMEM -> "no address space, or too many mappings (vm.max_map_count)";
            case Errno.EAGAIN -> "too much locked memory (ulimit -l)";
            default -> "refused";
        };
    }

    /** Ends a mapping. Once ended, it may be named again without effect. */
    void unmap(MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            return;
        }
        MappedMemory mapping = mappings.get(segment.address());
        if (mapping == null || !isSame(mapping.segment(), segment)) {
            throw new KernelException(Errno.EINVAL, "this memory is not a mapping of this context");
        }
        int refused = mapping.unmap();
        if (refused != 0) {
            throw new KernelException(refused, "ending a mapping: a native call is using it");
        }
        mappings.remove(segment.address(), mapping);
    }

    /** Equal segments have the same address, but may differ in length, and in which of two mappings there they mean. */
    private static boolean isSame(MemorySegment mapped, MemorySegment given) {
        return mapped.byteSize() == given.byteSize() && mapped.scope().equals(given.scope());
    }

    /** Ends all mappings but those that a native call is using. */
    void close() {
        mappings.values().removeIf(mapping -> mapping.unmap() == 0);
    }
}
