package dev.doorbell.verbs.spi;

import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/**
 * The end of a send queue where work requests are written. Part of the data path: no allocation, no exception for
 * expected outcomes; the only system call is the doorbell's.
 *
 * <p>The order of calls is {@link #begin}, then for each work request {@link #request}, its setters, {@link #seal}, and
 * at last {@link #commit} or nothing: what was not committed was never posted, and the next {@link #begin} forgets it.
 * Setters may come in any order. The API has checked opcode, lengths, alignment and limits.
 *
 * <p>Follows ibv_wr_start(3) and ibv_post_send(3). Lengths are bytes, unsigned.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
public interface SendQueue {
    /** What {@link #post} returns if the queue is full: no errno. */
    int FULL = -1;

    /** The operation that has no remote address. */
    int SEND = WorkRequestOpcode.SEND.code();

    /** Work requests that the queue holds. */
    int capacity();

    /** Most scatter/gather elements of a work request. */
    int maxSge();

    /** Most inline bytes of a work request. */
    int maxInline();

    /** Work requests that are not retired by the device yet, unsignaled ones included. */
    int outstanding();

    /** Starts a batch. */
    void begin();

    /**
     * Opens the next work request of the batch.
     *
     * @param id comes back in the completion
     * @param opcode number of {@link dev.doorbell.spec.WorkRequestOpcode}
     * @return false if the queue is full; then nothing was opened
     */
    boolean request(long id, int opcode);

    /** Bits of {@link dev.doorbell.spec.SendFlag}, none unless this is called; the inline bit is the driver's own business. */
    void flags(int sendFlags);

    /** Where a WRITE, READ or ATOMIC WRITE goes. */
    void remote(long address, int rkey);

    /** Immediate data; its big-endian bytes travel. */
    void immediate(int value);

    /** The rkey that a SEND with invalidate or a LOCAL_INV invalidates. */
    void invalidate(int rkey);

    /** Compare-and-swap, or fetch-and-add with {@code compareOrAdd} as the addend. */
    void atomic(long address, int rkey, long compareOrAdd, long swap);

    /** Where an ATOMIC WRITE goes, and its eight bytes in this machine's order. */
    default void atomicWrite(long address, int rkey, long value) {
        throw VerbsFault.unsupported("ATOMIC_WRITE");
    }

    /**
     * What a FLUSH is for.
     *
     * @param placement number of {@link dev.doorbell.spec.FlushPlacement}
     * @param whole whether it is for the whole memory that the key opens, whatever the range
     */
    default void flush(long address, long length, int rkey, int placement, boolean whole) {
        throw VerbsFault.unsupported("FLUSH");
    }

    /**
     * What BIND_MW binds.
     *
     * @param address first address of the window; length 0 shuts it
     * @param lkey of the memory region under it
     * @param windowKey the window's present key
     * @param nextKey the key that it gets; only the low byte may differ
     * @param access bits of {@link dev.doorbell.spec.AccessFlag}
     */
    default void bind(long address, long length, int lkey, int windowKey, int nextKey, int access) {
        throw VerbsFault.unsupported("BIND_MW");
    }

    /** Where a datagram goes. */
    void datagram(int addressHandle, int remoteQueuePair, int remoteQkey);

    /** Appends a scatter/gather element; not with {@link #inline}. */
    void sge(long address, int length, int lkey);

    /** Copies bytes into the work request, behind those that are there. */
    void inline(MemorySegment source, long offset, int length);

    /** Closes the work request. */
    void seal();

    /**
     * Hands every sealed work request over and rings the doorbell once.
     *
     * @return 0, or the errno that the doorbell answered; the work requests are in the queue either way
     */
    int commit();

    /**
     * Posts one work request of one element, and rings: what {@link #begin} to {@link #commit} would, in one call. No batch is open.
     *
     * @param operation SEND, RDMA_WRITE or RDMA_READ, with flags: {@link #operation}
     * @return as {@link #commit}; or {@link #FULL}, and nothing was posted
     */
    default int post(long id, int operation, long remoteAddress, int rkey, long address, int length, int lkey) {
        if (!open(id, operation, remoteAddress, rkey)) {
            return FULL;
        }
        sge(address, length, lkey);
        return finish(operation);
    }

    /** As {@link #post}, of bytes that are copied into the work request; of SEND and RDMA_WRITE. */
    default int postInline(
            long id, int operation, long remoteAddress, int rkey, MemorySegment source, long offset, int length) {
        if (!open(id, operation, remoteAddress, rkey)) {
            return FULL;
        }
        inline(source, offset, length);
        return finish(operation);
    }

    private boolean open(long id, int operation, long remoteAddress, int rkey) {
        begin();
        int opcode = opcodeOf(operation);
        if (!request(id, opcode)) {
            return false;
        }
        if (opcode != SEND) {
            remote(remoteAddress, rkey);
        }
        return true;
    }

    private int finish(int operation) {
        int flags = flagsOf(operation);
        if (flags != 0) {
            flags(flags);
        }
        seal();
        int errno = commit();
        begin();
        return errno;
    }

    /** An opcode, and bits of {@link dev.doorbell.spec.SendFlag}, as {@link #post} takes them: opcode 7..0, flags above. */
    static int operation(int opcode, int flags) {
        return flags << Byte.SIZE | opcode;
    }

    /** The opcode in an {@link #operation}. */
    static int opcodeOf(int operation) {
        return operation & 0xff;
    }

    /** The flags in an {@link #operation}. */
    static int flagsOf(int operation) {
        return operation >>> Byte.SIZE;
    }
}
