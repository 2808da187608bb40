package dev.doorbell.rxe;

import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.abi.RxeAtomicWr;
import dev.doorbell.kernel.abi.RxeBindWr;
import dev.doorbell.kernel.abi.RxeFlushWr;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.RxeUdWr;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;

/**
 * The producer's end of a send ring. Work requests are written straight into their slots, behind the last one that the
 * kernel may see; {@link #commit} moves the producer's index over them and rings once.
 *
 * <p>Of a slot, only fields that some operation reads are written: what an earlier work request left between bytes 24
 * and 144 is only read by operations that also write it. So a SEND leaves the slot's second cache line alone.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class RxeSendQueue extends RingProducer implements SendQueue {
    private static final int INLINE = SendFlag.INLINE.bit();
    private static final int ATOMIC_WRITE = WorkRequestOpcode.ATOMIC_WRITE.code();

    private final Doorbell doorbell;
    private final int maxInline;

    /** Where the open work request lies in the ring. */
    private long at;
    /** What the flags get when bytes are copied into the work request. */
    private int inlineMark;

    private int flags;
    private int length;
    private int sges;
    private int inlined;

    RxeSendQueue(SharedRing ring, Doorbell doorbell, int maxSge, int maxInline) {
        super(ring, maxSge);
        this.doorbell = doorbell;
        this.maxInline = maxInline;
    }

    @Override
    void detach(boolean mapped) {
        super.detach(mapped);
        at = 0;
    }

    @Override
    public int maxInline() {
        return maxInline;
    }

    @Override
    public boolean request(long id, int opcode) {
        if (!hasRoom()) {
            return false;
        }
        long slot = slot();
        at = slot;
        // The value of an ATOMIC WRITE lies where inline bytes do, without being called inline.
        inlineMark = opcode == ATOMIC_WRITE ? 0 : INLINE;
        flags = 0;
        length = 0;
        sges = 0;
        inlined = 0;
        RxeSendWqe.open(memory, slot, id, opcode);
        return true;
    }

    @Override
    public void flags(int sendFlags) {
        flags = flags & INLINE | sendFlags & ~INLINE;
    }

    @Override
    public void remote(long address, int rkey) {
        RxeRdmaWr.setRemoteAddr(memory, at, address);
        RxeRdmaWr.setRkey(memory, at, rkey);
        RxeSendWqe.setIova(memory, at, address);
    }

    @Override
    public void immediate(int value) {
        RxeSendWqe.setImmData(memory, at, value);
    }

    @Override
    public void invalidate(int rkey) {
        RxeSendWqe.setInvalidateRkey(memory, at, rkey);
    }

    @Override
    public void atomic(long address, int rkey, long compareOrAdd, long swap) {
        RxeAtomicWr.setRemoteAddr(memory, at, address);
        RxeAtomicWr.setRkey(memory, at, rkey);
        RxeAtomicWr.setCompareAdd(memory, at, compareOrAdd);
        RxeAtomicWr.setSwap(memory, at, swap);
        RxeSendWqe.setIova(memory, at, address);
    }

    /** The value lies where inline bytes do, without being called inline. */
    @Override
    public void atomicWrite(long address, int rkey, long value) {
        remote(address, rkey);
        Host.setLong(memory, RxeSendWqe.inlineData(at), value);
        length = Long.BYTES;
    }

    /** Address and length are told twice: Linux reads those that all operations have. */
    @Override
    public void flush(long address, long length, int rkey, int placement, boolean whole) {
        RxeFlushWr.setRemoteAddr(memory, at, address);
        RxeFlushWr.setLength(memory, at, length);
        RxeFlushWr.setRkey(memory, at, rkey);
        RxeFlushWr.setType(memory, at, placement);
        RxeFlushWr.setLevel(memory, at, whole ? 1 : 0);
        RxeSendWqe.setIova(memory, at, address);
        this.length = (int) length;
    }

    @Override
    public void bind(long address, long length, int lkey, int windowKey, int nextKey, int access) {
        RxeBindWr.setAddr(memory, at, address);
        RxeBindWr.setLength(memory, at, length);
        RxeBindWr.setMrLkey(memory, at, lkey);
        RxeBindWr.setMwRkey(memory, at, windowKey);
        RxeBindWr.setRkey(memory, at, nextKey);
        RxeBindWr.setAccess(memory, at, access);
    }

    @Override
    public void datagram(int addressHandle, int remoteQueuePair, int remoteQkey) {
        RxeUdWr.setRemoteQpn(memory, at, remoteQueuePair);
        RxeUdWr.setRemoteQkey(memory, at, remoteQkey);
        RxeUdWr.setPkeyIndex(memory, at, 0);
        RxeUdWr.setAhNum(memory, at, addressHandle);
    }

    @Override
    public void sge(long address, int length, int lkey) {
        assert sges < maxSge() && inlined == 0 : "elements are limited to " + maxSge() + " and exclude inline bytes";
        long element = RxeSendWqe.sge(at, sges);
        RxeSge.set(memory, element, address, length, lkey);
        sges++;
        this.length += length;
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        assert inlined + length <= maxInline && sges == 0 : "inline bytes are limited to " + maxInline;
        long target = RxeSendWqe.inlineData(at) + inlined;
        if (length == Long.BYTES) {
            // The most frequent length by far, and a bulk copy takes several times as long.
            Host.setLong(memory, target, Host.getLong(source, offset));
        } else {
            MemorySegment.copy(source, offset, memory, target, length);
        }
        inlined += length;
        this.length += length;
        flags |= inlineMark;
    }

    @Override
    public void seal() {
        RxeSendWqe.setMessage(memory, at, flags, length, sges);
        append();
    }

    @Override
    public int commit() {
        return release() ? doorbell.ring() : 0;
    }

    /**
     * Tells the kernel of what was posted while the queue pair was drained: Linux does not look into the queue by itself when
     * it may send again, and would let all of it wait for the next doorbell.
     */
    void resume() {
        if (lastOutstanding() > 0) {
            // What is wrong with the queue pair shows at the next post, or in a completion.
            doorbell.ring();
        }
    }
}
