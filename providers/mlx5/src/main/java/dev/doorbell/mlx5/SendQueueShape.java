package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.AtomicSegment;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import dev.doorbell.kernel.abi.mlx5.InlineSegment;
import dev.doorbell.kernel.abi.mlx5.MkeySegment;
import dev.doorbell.kernel.abi.mlx5.UmrSegment;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.VerbsFault;

/**
 * How large a send queue is and what its work requests hold. A work request reserves what the longest one can take: the segments
 * of any operation of the transport service, and elements or inline bytes.
 *
 * @param offset where it begins in the queue pair's buffer
 * @param blocks 64-byte blocks, a power of two; 0 without a send queue
 * @param requests work requests that it holds
 */
record SendQueueShape(long offset, int blocks, int requests, int maxSge, int maxInline) {
    private static final int UMR_BLOCKS = UmrSegment.SIZE + 2 * MkeySegment.SIZE;

    static SendQueueShape of(QueuePairType type, QueuePairCapacity asked, DeviceLimits limits, long offset) {
        if (asked.maxSendRequests() == 0) {
            return new SendQueueShape(offset, 0, 0, 0, 0);
        }
        int before = overhead(type);
        long inline = asked.maxInline() == 0 ? 0 : aligned(InlineSegment.SIZE + (long) asked.maxInline(), 16);
        long used = before + Math.max((long) DataSegment.SIZE * asked.maxSendSge(), inline);
        long bytes = aligned(used, ControlSegment.BLOCK);
        if (bytes > limits.maxSendWqe() || asked.maxSendRequests() < 0) {
            throw refused("work requests of " + bytes + " bytes, at most " + limits.maxSendWqe());
        }
        long blocks = powerOfTwo(asked.maxSendRequests() * (bytes / ControlSegment.BLOCK));
        if (blocks > limits.maxSendBlocks()) {
            throw refused("a send queue of " + blocks + " blocks, at most " + limits.maxSendBlocks());
        }
        int requests = (int) (blocks * ControlSegment.BLOCK / bytes);
        int maxInline = (int) bytes - before - InlineSegment.SIZE;
        return new SendQueueShape(offset, (int) blocks, requests, asked.maxSendSge(), maxInline);
    }

    private static int overhead(QueuePairType type) {
        return switch (type) {
            case RC, UC -> ControlSegment.SIZE + Math.max(2 * AtomicSegment.SIZE, UMR_BLOCKS);
            case UD -> ControlSegment.SIZE + DatagramSegment.SIZE;
        };
    }

    static VerbsFault refused(String why) {
        return new VerbsFault(Errno.EINVAL, "CREATE_QP: " + why);
    }

    static long aligned(long value, int to) {
        return (value + to - 1) / to * to;
    }

    /** The next power of two. */
    static long powerOfTwo(long value) {
        return value <= 1 ? 1 : Long.highestOneBit(value - 1) << 1;
    }

    /** Bytes of the queue. */
    long bytes() {
        return (long) blocks * ControlSegment.BLOCK;
    }

    /** Where it ends in the queue pair's buffer. */
    long end() {
        return offset + bytes();
    }
}
