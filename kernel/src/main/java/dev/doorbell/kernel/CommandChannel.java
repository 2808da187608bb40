package dev.doorbell.kernel;

import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.GidEntry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One open context of a device: the road that commands, mappings, registrations and doorbells take into a kernel.
 *
 * <p>Thread rules: every method may be called from any thread, also at the same time, except {@link #close()}, after
 * which every other method answers or throws EBADF. A caller keeps the segments that it passes alive and unshared until
 * the call returns. Being interrupted neither fails a call nor closes the channel.
 */
public interface CommandChannel extends AutoCloseable {
    /**
     * Sends one uverbs command of the write family and waits for its answer.
     *
     * <p>The core segments hold the structs of {@code rdma/ib_user_verbs.h} without the write header; the leading
     * response field of the request, where the struct has one, is left to the carrier. The driver segments hold what
     * the device's own driver adds. Use {@link MemorySegment#NULL} (zero bytes) for a part that a command lacks.
     * Requests may be overwritten by the carrier in that response field only. Responses should be zeroed beforehand.
     *
     * @return 0, or the errno (positive) with which the kernel refused
     */
    int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut);

    /**
     * Calls a method that has no command of the write family, such as one of a driver's own objects.
     *
     * @return 0, or the errno (positive) with which the kernel refused: EPROTONOSUPPORT where it has no such method, ENOTTY
     *     where it has no methods at all
     */
    default int call(MethodCall call) {
        return Errno.EPROTONOSUPPORT;
    }

    /**
     * Maps memory that a command offered, such as a ring.
     *
     * @param offset the key that the command returned; it can be used once
     * @param length bytes, not more than the command said
     * @return exactly {@code length} bytes that live until {@link #unmap} or {@link #close()}
     * @throws KernelException EINVAL if nothing is on offer at that offset
     */
    MemorySegment map(long offset, long length);

    /**
     * Maps memory that a kernel offers for reading alone, such as a clock. As {@link #map}, but the segment is read-only.
     *
     * @throws KernelException EINVAL if nothing is on offer at that offset, EOPNOTSUPP if this kernel never offers such
     */
    default MemorySegment mapReadOnly(long offset, long length) {
        throw new KernelException(Errno.EOPNOTSUPP, "nothing is offered for reading alone");
    }

    /** Ends a mapping that {@link #map} made. Nobody may touch it any more, from any thread. */
    void unmap(MemorySegment mapping);

    /**
     * Announces memory that a following registration command will name by address, and keeps it reachable until the pin
     * is closed. A real kernel pins pages by itself when it registers; the embedded one reaches the memory through this
     * segment and through nothing else.
     *
     * @throws KernelException EFAULT if the memory cannot be reached by a device: on the heap, or of a confined arena
     */
    Pin pin(MemorySegment memory);

    /**
     * The doorbell of a queue pair's send queue.
     *
     * @param queuePairHandle the handle from CREATE_QP, not its number
     */
    Doorbell doorbell(int queuePairHandle);

    /** The file behind a descriptor that a command returned: asynchronous events, or a completion channel. */
    EventFile eventFile(int descriptor);

    /**
     * The used slots of a port's GID table in order of their index, where the open device can be asked for them at once; empty
     * where what {@link KernelDevice#gids} reads has to do.
     */
    default Optional<List<GidEntry>> gids(int port) {
        return Optional.empty();
    }

    /** Work of this device that a waiting program may do in its own thread. */
    Progress progress();

    /** What was opened, for people: a path and a descriptor, or the embedded context's name. */
    String description();

    /** The channel itself; a decorator answers with the one that it stands before. */
    default CommandChannel undecorated() {
        return this;
    }

    /** Closes the context. The kernel destroys what is left in it; mappings end. Idempotent. */
    @Override
    void close();

    /** Memory that a registration names; closing it lets go. Idempotent. */
    interface Pin extends AutoCloseable {
        @Override
        void close();
    }
}
