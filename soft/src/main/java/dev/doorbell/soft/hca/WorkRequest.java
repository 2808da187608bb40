package dev.doorbell.soft.hca;

import dev.doorbell.spec.Psn;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the requester executes: a send work request, copied out of its ring and checked once. Whatever its layout in the
 * ring was, it looks like this afterwards.
 */
final class WorkRequest extends Padded {
    private static final int SCRATCH = 1024;

    final SgeList sges;
    long id;
    Operation operation = Operation.SEND;
    boolean hasImmediate;
    boolean hasInvalidate;
    int flags;
    int immediate;
    int invalidateKey;
    long remoteAddress;
    int remoteKey;
    long compareAdd;
    long swap;
    /** Where a datagram goes: number of the address handle, queue pair, its Q_Key. */
    int addressHandle;

    int remoteQueuePair;
    int remoteQkey;
    /** Where a datagram goes, if the work request says that in full; then the number does not count. */
    @Nullable
    HcaAddressHandle destination;

    /** How far a FLUSH must bring the data, and whether it is for a range or all, as the packet has them. */
    int placement;

    int selectivity;
    /** Bytes of the range that a FLUSH is for. */
    long flushLength;
    /** What BIND MW binds: {@link #remoteKey} is the window's present key, {@link #remoteAddress} where it begins. */
    long bindLength;

    int bindRegionKey;
    int bindKey;
    int bindAccess;
    /** Bytes of the message. */
    long length;
    /** Where inline data lies; null if the elements name the message. */
    @Nullable
    MemorySegment inline;

    long inlineAt;

    /** Where inline data is put together that does not lie in one piece. */
    private @Nullable MemorySegment scratch;

    /** Sequence numbers that it takes. */
    int firstPsn;

    int packets;
    /** Packets of its answer that have arrived in order (READ). */
    int answered;
    /** Packets that one request of a READ asks for, a power of two. */
    int readChunk = 1;
    /** The same when the READ was sent first. */
    int firstReadChunk = 1;
    /** Why it fails as soon as it is the oldest; SUCCESS if nothing is known against it. */
    WorkCompletionStatus fate = WorkCompletionStatus.SUCCESS;

    WorkRequest(int maxSge) {
        this.sges = new SgeList(maxSge);
    }

    /** Memory for as much inline data as a work request may have. */
    MemorySegment scratch() {
        MemorySegment present = scratch;
        if (present == null) {
            present = Arena.ofAuto().allocate(SCRATCH);
            scratch = present;
        }
        return present;
    }

    int lastPsn() {
        return Psn.add(firstPsn, packets - 1);
    }

    boolean has(SendFlag flag) {
        return flag.isIn(flags);
    }

    /** Puts a cursor at the start of the message. */
    void gather(MemoryCursor cursor, HcaProtectionDomain domain) {
        MemorySegment data = inline;
        if (data == null) {
            cursor.elements(sges, domain, 0);
        } else {
            cursor.range(data, inlineAt, length);
        }
    }
}
