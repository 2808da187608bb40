package dev.doorbell.libibverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.RegionChange;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/**
 * A memory region.
 *
 * <p>Thread rules: as the interface says.
 */
final class LibraryRegion implements ProviderMemoryRegion {
    private static final int TRANSLATION = 1;
    private static final int DOMAIN = 2;
    private static final int ACCESS = 4;

    private final VerbsLibrary library;
    private final LibraryChannel channel;
    private final ObjectTable objects;
    private CommandChannel.Pin pin;
    private volatile int lkey;
    private volatile int rkey;
    private long region;

    private LibraryRegion(
            VerbsLibrary library, LibraryChannel channel, ObjectTable objects, CommandChannel.Pin pin, long region) {
        this.library = library;
        this.channel = channel;
        this.objects = objects;
        this.pin = pin;
        this.region = region;
        readKeys();
    }

    static LibraryRegion register(
            LibraryChannel channel, ObjectTable objects, int domain, MemorySegment memory, long iova, int access) {
        CommandChannel.Pin pin = pin(channel, memory);
        try {
            long region = channel.library()
                    .make(Function.REG_MR, objects.domain(domain), memory.address(), memory.byteSize(), iova, access);
            return new LibraryRegion(channel.library(), channel, objects, pin, region);
        } catch (VerbsFault e) {
            pin.close();
            throw e;
        }
    }

    private static CommandChannel.Pin pin(LibraryChannel channel, MemorySegment memory) {
        try {
            return channel.pin(memory);
        } catch (KernelException e) {
            throw new VerbsFault(e.errno(), "REG_MR: " + e.getMessage(), e);
        }
    }

    private void readKeys() {
        lkey = Foreign.intAt(region + Heads.MR_LKEY);
        rkey = Foreign.intAt(region + Heads.MR_RKEY);
        objects.putRegion(lkey, region);
    }

    @Override
    public int lkey() {
        return lkey;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    /** The library's function has no argument for an address other than the memory's own. */
    @Override
    public void reregister(RegionChange change) {
        MemorySegment memory = change.memory();
        if (memory != null && change.iova() != memory.address()) {
            throw VerbsFault.unsupported("REREG_MR at another address");
        }
        CommandChannel.Pin next = memory == null ? null : pin(channel, memory);
        int flags = (memory == null ? 0 : TRANSLATION)
                | (change.changesDomain() ? DOMAIN : 0)
                | (change.changesAccess() ? ACCESS : 0);
        int result = library.number(
                Function.REREG_MR,
                region,
                flags,
                change.changesDomain() ? objects.domain(change.protectionDomain()) : 0L,
                memory == null ? 0L : memory.address(),
                memory == null ? 0L : memory.byteSize(),
                change.changesAccess() ? change.access() : 0);
        if (result != 0) {
            int errno = library.errno();
            if (next != null) {
                next.close();
            }
            throw new VerbsFault(errno, "REREG_MR");
        }
        objects.removeRegion(lkey, region);
        readKeys();
        if (next != null) {
            pin.close();
            pin = next;
        }
    }

    @Override
    public void close() {
        if (region == 0) {
            return;
        }
        library.check(Function.DEREG_MR, region);
        objects.removeRegion(lkey, region);
        region = 0;
        pin.close();
    }
}
