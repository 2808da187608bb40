package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.MkeySegment;
import dev.doorbell.kernel.abi.mlx5.UmrSegment;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.MemorySegment;

/**
 * Writes the operation that changes a memory key: a window is bound or shut, a key is invalidated. It takes two blocks, or three where
 * the key opens memory.
 *
 * <p>Thread rules: calls are serialised by the caller.
 */
final class UmrWriter {
    /** The longest range that an element of the translation can describe. */
    static final long MAX_LENGTH = 1L << 31;

    private static final int INVALIDATE_UNITS = 8;
    private static final int BIND_UNITS = 12;
    private static final int TRANSLATION_UNITS = 4;

    /** The key must not be free, or must be; the fields of the key are in the work request. */
    private static final int FLAGS_INVALIDATE = 0x98;

    private static final int FLAGS_BIND_TYPE_1 = 0x90;
    private static final int FLAGS_BIND_TYPE_2 = 0xb0;
    private static final long MASK_INVALIDATE = 0x2000_6000L;
    private static final long MASK_SHUT_TYPE_1 = 0x2000_2000L;
    private static final long MASK_BIND_TYPE_1 = 0x203c_2041L;
    private static final long MASK_BIND_TYPE_2 = 0x203c_6041L;

    private static final int FREE = 0x40;
    private static final int ANY_QUEUE_PAIR = 0xffff_ff00;
    private static final int ATOMIC = 0x40;
    private static final int REMOTE_WRITE = 0x20;
    private static final int REMOTE_READ = 0x10;
    private static final int LOCAL_WRITE = 0x08;

    private final MemorySegment memory;
    private final SendQueueShape shape;
    private final WindowTable windows;

    UmrWriter(MemorySegment memory, SendQueueShape shape, WindowTable windows) {
        this.memory = memory;
        this.shape = shape;
        this.windows = windows;
    }

    private long block(long at, int index) {
        return shape.offset() + (at + (long) index * ControlSegment.BLOCK & shape.bytes() - 1);
    }

    /** Makes a key open nothing. Returns the units of the work request. */
    int invalidate(long at) {
        return free(at, FLAGS_INVALIDATE, MASK_INVALIDATE, 0);
    }

    /** Makes a window open nothing, under its next key. Returns the units of the work request. */
    int shut(long at, int windowKey, int nextKey) {
        return windows.isOfType1(windowKey)
                ? free(at, FLAGS_BIND_TYPE_1, MASK_SHUT_TYPE_1, nextKey & 0xff)
                : free(at, FLAGS_INVALIDATE, MASK_INVALIDATE, nextKey & 0xff);
    }

    private int free(long at, int flags, long mask, int keyByte) {
        control(at, flags, 0, mask);
        long key = block(at, 1);
        MkeySegment.setFree(memory, key, FREE);
        MkeySegment.setQueuePairAndKey(memory, key, ANY_QUEUE_PAIR | keyByte);
        return INVALIDATE_UNITS;
    }

    /** Lets a window open memory; {@link #range} says which. Returns the units of the work request. */
    int bind(long at, int queuePair, int windowKey, int nextKey, int access) {
        boolean anyQueuePair = windows.isOfType1(windowKey);
        control(
                at,
                anyQueuePair ? FLAGS_BIND_TYPE_1 : FLAGS_BIND_TYPE_2,
                TRANSLATION_UNITS,
                anyQueuePair ? MASK_BIND_TYPE_1 : MASK_BIND_TYPE_2);
        long key = block(at, 1);
        MkeySegment.setFree(memory, key, 0);
        MkeySegment.setAccess(memory, key, access(access));
        int owner = anyQueuePair ? ANY_QUEUE_PAIR : queuePair << 8;
        MkeySegment.setQueuePairAndKey(memory, key, owner | nextKey & 0xff);
        return BIND_UNITS;
    }

    /** The memory that a window opens, by the key of its region. */
    void range(long at, long address, long length, int lkey, boolean zeroBased) {
        long key = block(at, 1);
        MkeySegment.setAddress(memory, key, zeroBased ? 0 : address);
        MkeySegment.setLen(memory, key, length);
        long translation = block(at, 2);
        clear(translation, ControlSegment.BLOCK);
        DataSegment.setLength(memory, translation, (int) length);
        DataSegment.setKey(memory, translation, lkey);
        DataSegment.setAddr(memory, translation, address);
    }

    private void control(long at, int flags, int translationUnits, long mask) {
        long segment = block(at, 0) + ControlSegment.SIZE;
        clear(segment, UmrSegment.SIZE);
        UmrSegment.setFlags(memory, segment, flags);
        UmrSegment.setTranslationUnits(memory, segment, translationUnits);
        UmrSegment.setMask(memory, segment, mask);
    }

    private void clear(long from, int bytes) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            Host.setLong(memory, from + i, 0);
        }
    }

    private static int access(int access) {
        return (AccessFlag.REMOTE_ATOMIC.isIn(access) ? ATOMIC : 0)
                | (AccessFlag.REMOTE_WRITE.isIn(access) ? REMOTE_WRITE : 0)
                | (AccessFlag.REMOTE_READ.isIn(access) ? REMOTE_READ : 0)
                | (AccessFlag.LOCAL_WRITE.isIn(access) ? LOCAL_WRITE : 0);
    }
}
