package dev.doorbell.verbs;

import dev.doorbell.verbs.spi.ProviderMemoryRegion;

/**
 * Registered memory that this process cannot see: a part of a device's own memory (ibv_reg_dm_mr(3)), a DMA buffer of
 * another device (ibv_reg_dmabuf_mr(3)), or the null region (ibv_alloc_null_mr(3)), which reads as zeros and swallows what
 * is written. Elements name it by {@link SendBatch#sge(long, long, int)}.
 *
 * <p>Thread rules: any method from any thread.
 */
public final class KeyedMemory implements AutoCloseable {
    private final ProviderMemoryRegion region;
    private final long address;
    private final long length;
    private final int access;
    private final Lifetime lifetime;

    KeyedMemory(String kind, ProviderMemoryRegion region, long address, long length, int access, Lifetime... parents) {
        this.region = region;
        this.address = address;
        this.length = length;
        this.access = access;
        String name = kind + " 0x" + Integer.toHexString(region.lkey());
        this.lifetime = Lifetime.begin(name, Release.destroying("DEREG_MR", name, region::close), parents);
        lifetime.watch(this);
    }

    /** The address of its first byte, as work requests name it. */
    public long address() {
        return address;
    }

    /** Bytes; of the null region as many as an element may have. */
    public long length() {
        return length;
    }

    /** The key for local work requests. */
    public int lkey() {
        return region.lkey();
    }

    /** What a peer needs to reach it. */
    public RemoteMemory remote() {
        return new RemoteMemory(address, length, region.rkey(), access);
    }

    /** Whether it has not been closed. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /** Takes the registration down. Idempotent. */
    @Override
    public void close() {
        lifetime.close(Closing.ALONE);
    }

    @Override
    public String toString() {
        return lifetime.name();
    }
}
