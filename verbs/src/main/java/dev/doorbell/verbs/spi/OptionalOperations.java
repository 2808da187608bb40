package dev.doorbell.verbs.spi;

import dev.doorbell.verbs.MemorySlice;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What hardly any device has. Each operation answers EOPNOTSUPP unless a driver overrides it. What is made here is closed
 * by its handle; a handle's {@code close} may throw {@link VerbsFault}.
 *
 * <p>Follows the commands of the kernel's uverbs interface that each method names. Sizes are bytes; a refusal is a
 * {@link VerbsFault} with the kernel's errno.
 *
 * <p>Thread rules: any method from any thread.
 */
public interface OptionalOperations {
    /** An object that needs nothing but to be closed. */
    interface Handle extends AutoCloseable {
        /** The kernel's number. */
        int number();

        @Override
        void close();
    }

    /** Memory of the device. */
    interface DeviceMemoryHandle extends Handle {
        /** Copies into it. */
        void write(long offset, MemorySegment source);

        /** Copies out of it. */
        void read(long offset, MemorySegment target);

        /** DM_MR_REG. */
        ProviderMemoryRegion register(int protectionDomain, long offset, long length, int access);
    }

    /** ALLOC_DM. */
    default DeviceMemoryHandle allocateDeviceMemory(long length, int logAlignment) {
        throw VerbsFault.unsupported("ALLOC_DM");
    }

    /** ALLOC_NULL_MR: reads as zeros, swallows what is written. */
    default ProviderMemoryRegion allocateNullRegion(int protectionDomain) {
        throw VerbsFault.unsupported("ALLOC_NULL_MR");
    }

    /** REG_DMABUF_MR. */
    default ProviderMemoryRegion registerDmaBuffer(
            int protectionDomain, int descriptor, long offset, long length, long iova, int access) {
        throw VerbsFault.unsupported("REG_DMABUF_MR");
    }

    /**
     * ADVISE_MR.
     *
     * @param advice 0 to read, 1 to write, 2 without faults
     */
    default void advise(int protectionDomain, int advice, boolean wait, List<MemorySlice> slices) {
        throw VerbsFault.unsupported("ADVISE_MR");
    }

    /** ALLOC_TD: queue pairs of one thread. */
    default Handle allocateThreadDomain(int protectionDomain) {
        throw VerbsFault.unsupported("ALLOC_TD");
    }

    /** OPEN_XRCD. */
    default Handle openXrcDomain(int descriptor, int openFlags) {
        throw VerbsFault.unsupported("OPEN_XRCD");
    }

    /** CREATE_WQ. */
    default Handle createReceiveWorkQueue(
            int protectionDomain, ProviderCompletionQueue completions, int workRequests, int maxSge) {
        throw VerbsFault.unsupported("CREATE_WQ");
    }

    /** CREATE_RWQ_IND_TBL; the number of work queues is a power of two. */
    default Handle createIndirectionTable(List<Integer> workQueues) {
        throw VerbsFault.unsupported("CREATE_RWQ_IND_TABLE");
    }

    /** COUNTERS_CREATE. */
    default Handle createCounters() {
        throw VerbsFault.unsupported("CREATE_COUNTERS");
    }

    /** COUNTERS_READ. */
    default long[] readCounters(int counters, int count) {
        throw VerbsFault.unsupported("READ_COUNTERS");
    }
}
