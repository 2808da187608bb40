package dev.doorbell.libibverbs;

import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An address handle.
 *
 * <p>Thread rules: as the interface says.
 */
final class LibraryAddressHandle implements ProviderAddressHandle {
    private final VerbsLibrary library;
    private final ObjectTable objects;
    private final int number;
    private long handle;

    private LibraryAddressHandle(VerbsLibrary library, ObjectTable objects, long handle) {
        this.library = library;
        this.objects = objects;
        this.handle = handle;
        this.number = objects.putAddressHandle(handle);
    }

    static LibraryAddressHandle create(
            VerbsLibrary library, ObjectTable objects, int protectionDomain, AddressVector address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(AhAttr.SIZE, Long.BYTES);
            AhAttr.write(attributes, 0, address);
            long handle = library.make(Function.CREATE_AH, objects.domain(protectionDomain), attributes.address());
            return new LibraryAddressHandle(library, objects, handle);
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public void close() {
        if (handle != 0) {
            library.check(Function.DESTROY_AH, handle);
            objects.removeAddressHandle(number);
            handle = 0;
        }
    }
}
