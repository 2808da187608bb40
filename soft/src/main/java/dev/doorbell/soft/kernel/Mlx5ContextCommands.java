package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContext;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContextResponse;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import java.lang.foreign.MemorySegment;

/** The driver's part of GET_CONTEXT: what a ConnectX would say that can do as little as this device. */
final class Mlx5ContextCommands {
    /** Most bytes of work requests, and most blocks and entries of queues. */
    static final int SEND_BYTES = 1024;

    static final int RECEIVE_BYTES = 512;
    static final int MOST_ENTRIES = 1 << 15;

    private static final int QUEUE_PAIRS = 1 << 18;
    private static final int CACHE_LINE = 64;
    private static final int LOG_PAGE = 12;

    private Mlx5ContextCommands() {}

    /** Why a driver's part is refused; 0 if it is not. Shorter forms are taken, general commands are not offered. */
    static int check(Call call) {
        MemorySegment in = call.driverIn();
        if (in.byteSize() < Mlx5GetContext.SIZE_OLDEST || call.driverOut().byteSize() < Integer.BYTES) {
            return Errno.EINVAL;
        }
        boolean hasFlags = in.byteSize() >= Mlx5GetContext.SIZE_WITHOUT_CQE_VERSION;
        if (hasFlags && (Mlx5GetContext.flags(in, 0) & Mlx5GetContext.DEVX) != 0) {
            return Errno.EINVAL;
        }
        if (hasFlags && Mlx5GetContext.compMask(in, 0) != 0) {
            return Errno.EOPNOTSUPP;
        }
        int registers = Mlx5GetContext.totalRegisters(in, 0);
        return registers <= 0 || Mlx5GetContext.lowLatencyRegisters(in, 0) > registers - 1 ? Errno.EINVAL : 0;
    }

    /** Answers the driver's part. */
    static void answer(Call call) {
        MemorySegment in = call.driverIn();
        // The answer is cut to the caller's segment, so it is built whole elsewhere.
        MemorySegment out = MemorySegment.ofArray(new byte[Mlx5GetContextResponse.SIZE]);
        boolean isDynamic = in.byteSize() >= Mlx5GetContext.SIZE
                && (Mlx5GetContext.capabilities(in, 0) & Mlx5GetContext.DYNAMIC_PAGES) != 0;
        boolean hasVersion = in.byteSize() >= Mlx5GetContext.SIZE_WITHOUT_CAPABILITIES;
        Mlx5GetContextResponse.setQueuePairs(out, 0, QUEUE_PAIRS);
        Mlx5GetContextResponse.setBlueFlameSize(out, 0, RegisterPage.DEFAULT_SIZE);
        Mlx5GetContextResponse.setTotalRegisters(out, 0, isDynamic ? 0 : Mlx5GetContext.totalRegisters(in, 0));
        Mlx5GetContextResponse.setCacheLine(out, 0, CACHE_LINE);
        Mlx5GetContextResponse.setMaxSendWqe(out, 0, SEND_BYTES);
        Mlx5GetContextResponse.setMaxReceiveWqe(out, 0, RECEIVE_BYTES);
        Mlx5GetContextResponse.setMaxSendBlocks(out, 0, MOST_ENTRIES);
        Mlx5GetContextResponse.setMaxReceiveRequests(out, 0, MOST_ENTRIES);
        Mlx5GetContextResponse.setMaxSharedRequests(out, 0, MOST_ENTRIES - 1);
        Mlx5GetContextResponse.setPorts(out, 0, SoftDevice.PORTS);
        Mlx5GetContextResponse.setCqeVersion(out, 0, hasVersion ? Math.min(1, Mlx5GetContext.maxCqeVersion(in, 0)) : 0);
        Mlx5GetContextResponse.setAnswers(out, 0, Mlx5GetContextResponse.CREATE_AH_ANSWERS);
        Mlx5GetContextResponse.setValidity(out, 0, Mlx5GetContextResponse.HAS_CLOCK);
        Mlx5GetContextResponse.setClockOffset(out, 0, RegisterPages.CLOCK_OFFSET);
        Mlx5GetContextResponse.setLogPageSize(out, 0, LOG_PAGE);
        Mlx5GetContextResponse.setPagesPerSystemPage(out, 0, 1);
        int length =
                (int) Math.min(Mlx5GetContextResponse.SIZE, call.driverOut().byteSize());
        Mlx5GetContextResponse.setResponseLength(out, 0, length);
        MemorySegment.copy(out, 0, call.driverOut(), 0, length);
    }
}
