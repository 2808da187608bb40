package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One uverbs command while it is filled, sent and read: zeroed segments for its request, its response and the driver's
 * part of both, which live until {@link #close}.
 *
 * <p>Thread rules: one thread, that which made it.
 */
public final class Command implements AutoCloseable {
    private static final long ALIGNMENT = 8;

    private final Arena arena = Arena.ofConfined();
    private final UverbsCommand command;
    private final MemorySegment in;
    private final MemorySegment out;
    private final MemorySegment driverOut;
    private MemorySegment driverIn = MemorySegment.NULL;

    /** A command without driver data; sizes in bytes. */
    public Command(UverbsCommand command, long inSize, long outSize) {
        this(command, inSize, outSize, 0);
    }

    /** A command whose answer has a driver's part. */
    public Command(UverbsCommand command, long inSize, long outSize, long driverOutSize) {
        this.command = command;
        this.in = allocate(inSize);
        this.out = allocate(outSize);
        this.driverOut = allocate(driverOutSize);
    }

    private MemorySegment allocate(long size) {
        return size == 0 ? MemorySegment.NULL : arena.allocate(size, ALIGNMENT);
    }

    /** The request, for the caller to fill. */
    public MemorySegment in() {
        return in;
    }

    /** Gives the request a driver's part. */
    public void addDriverIn(long size) {
        driverIn = allocate(size);
    }

    /** The driver's part of the request, for the caller to fill; nothing unless it was added. */
    public MemorySegment driverIn() {
        return driverIn;
    }

    /** The response. */
    public MemorySegment out() {
        return out;
    }

    /** The driver's part of the response. */
    public MemorySegment driverOut() {
        return driverOut;
    }

    /** Sends the command; throws {@link VerbsFault} if the kernel refuses. */
    public void send(CommandChannel channel) {
        check(trySend(channel), command);
    }

    /** Throws {@link VerbsFault} unless the errno that a command answered is 0. */
    public static void check(int errno, UverbsCommand command) {
        if (errno != 0) {
            throw new VerbsFault(errno, command.name());
        }
    }

    /** Sends the command; returns 0 or the errno. */
    public int trySend(CommandChannel channel) {
        return channel.invoke(command, in, out, driverIn, driverOut);
    }

    /** What the kernel refused around a command, as a provider's fault. */
    public static VerbsFault fault(KernelException cause, String operation) {
        return new VerbsFault(cause.errno(), operation, cause);
    }

    @Override
    public void close() {
        arena.close();
    }
}
