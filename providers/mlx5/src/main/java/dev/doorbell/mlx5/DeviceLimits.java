package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.Mlx5GetContextResponse;
import java.lang.foreign.MemorySegment;

/**
 * What GET_CONTEXT said about a device.
 *
 * @param blueFlameSize bytes of a register, both halves; 0 where registers are plain
 * @param staticRegisters registers that exist from the start; 0 where pages of them are allocated as needed
 * @param cacheLine bytes
 * @param maxSendWqe bytes
 * @param maxReceiveWqe bytes
 * @param maxSendBlocks 64-byte blocks of a send queue
 * @param cqeVersion 1 where completions carry the user index
 * @param resolvesAddresses whether CREATE_AH answers a MAC address
 * @param hasConnectionOptions whether CREATE_QP takes vendor options
 * @param clockOffset where the clock lies in its page; negative if it cannot be read
 */
record DeviceLimits(
        int blueFlameSize,
        int staticRegisters,
        int cacheLine,
        int maxSendWqe,
        int maxReceiveWqe,
        int maxSendBlocks,
        int maxReceiveRequests,
        int maxSharedRequests,
        int cqeVersion,
        boolean resolvesAddresses,
        boolean hasConnectionOptions,
        long clockOffset) {
    private static final int NONE = -1;
    private static final int PAGE_MASK = 4095;

    static DeviceLimits of(MemorySegment out) {
        return new DeviceLimits(
                Mlx5GetContextResponse.blueFlameSize(out, 0),
                Mlx5GetContextResponse.totalRegisters(out, 0),
                Mlx5GetContextResponse.cacheLine(out, 0),
                Mlx5GetContextResponse.maxSendWqe(out, 0),
                Mlx5GetContextResponse.maxReceiveWqe(out, 0),
                Mlx5GetContextResponse.maxSendBlocks(out, 0),
                Mlx5GetContextResponse.maxReceiveRequests(out, 0),
                Mlx5GetContextResponse.maxSharedRequests(out, 0),
                Mlx5GetContextResponse.cqeVersion(out, 0),
                (Mlx5GetContextResponse.answers(out, 0) & Mlx5GetContextResponse.CREATE_AH_ANSWERS) != 0,
                (Mlx5GetContextResponse.validity(out, 0) & Mlx5GetContextResponse.HAS_ECE) != 0,
                (Mlx5GetContextResponse.validity(out, 0) & Mlx5GetContextResponse.HAS_CLOCK) != 0
                        ? Mlx5GetContextResponse.clockOffset(out, 0) & PAGE_MASK
                        : NONE);
    }

    /** Whether the numbers make sense: they size what is written later. */
    boolean isSane() {
        return isIn(blueFlameSize, 0, 2048)
                && isIn(staticRegisters, 0, 1 << 16)
                && isIn(cacheLine, 8, 4096)
                && isIn(maxSendWqe, 64, 1 << 15)
                && isIn(maxReceiveWqe, 16, 1 << 15)
                && isIn(maxSendBlocks, 1, 1 << 24)
                && isIn(maxReceiveRequests, 1, 1 << 24)
                && isIn(maxSharedRequests, 1, 1 << 24)
                && (blueFlameSize & (blueFlameSize - 1)) == 0
                && (cacheLine & (cacheLine - 1)) == 0;
    }

    private static boolean isIn(int value, int least, int most) {
        return value >= least && value <= most;
    }
}
