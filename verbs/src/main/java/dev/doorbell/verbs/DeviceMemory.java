package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.spi.OptionalOperations.DeviceMemoryHandle;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Memory of the device (ibv_alloc_dm(3)), which work requests reach without crossing the bus. No device that Doorbell
 * drives today has any: {@link Context#allocateDeviceMemory} answers {@link NotSupportedException}.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class DeviceMemory implements AutoCloseable {
    private final DeviceMemoryHandle handle;
    private final long length;
    private final Lifetime lifetime;

    DeviceMemory(DeviceMemoryHandle handle, long length, Lifetime parent) {
        this.handle = handle;
        this.length = length;
        String name = "device memory " + handle.number() + " (" + length + " bytes)";
        this.lifetime = Lifetime.begin(name, Release.destroying("FREE_DM", name, handle::close), parent);
        lifetime.watch(this);
    }

    /** Bytes. */
    public long length() {
        return length;
    }

    /** Copies into it (ibv_memcpy_to_dm(3)). */
    public void write(long offset, MemorySegment source) {
        lifetime.run("MEMCPY_TO_DM", () -> handle.write(offset, source));
    }

    /** Copies out of it (ibv_memcpy_from_dm(3)). */
    public void read(long offset, MemorySegment target) {
        lifetime.run("MEMCPY_FROM_DM", () -> handle.read(offset, target));
    }

    /** Registers a part of it (ibv_reg_dm_mr(3)); its addresses count from 0. */
    public KeyedMemory register(ProtectionDomain domain, long offset, long bytes, Set<AccessFlag> access) {
        int mask = AccessFlag.mask(access);
        return lifetime.call(
                "REG_DM_MR",
                () -> new KeyedMemory(
                        "region of device memory",
                        handle.register(domain.handle(), offset, bytes, mask),
                        0,
                        bytes,
                        mask,
                        domain.lifetime(),
                        lifetime));
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /** Frees it (ibv_free_dm(3)). Idempotent. */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
