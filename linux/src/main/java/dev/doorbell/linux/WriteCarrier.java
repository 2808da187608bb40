package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ExtendedWriteHeader;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.WriteHeader;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Carries commands into the kernel with write(), each as one call; the kernel stores the answer where the request says.
 *
 * <pre>
 *   legacy     header 8 | core request | driver request
 *                         └ first 8 bytes: address of the answer, where there is one
 *   extended   header 8 | extended header 16 | core request | driver request
 *                         └ address of the answer
 *   answer     core answer | driver answer
 * </pre>
 *
 * <p>Request and answer share one buffer of the pool; the caller's segments are copied from it and to it, so they may
 * lie anywhere and stay as they were, answers apart.
 */
final class WriteCarrier implements CommandCarrier {
    private static final int LEGACY_WORD = 4;
    private static final int EXTENDED_WORD = 8;
    private static final int MAX_WORDS = 0xffff;

    private final Writer device;
    private final BufferPool buffers;

    WriteCarrier(Writer device, BufferPool buffers) {
        this.device = device;
        this.buffers = buffers;
    }

    /** One write() to the device; {@link dev.doorbell.linux.syscall.SystemFile#write} but for tests. */
    @FunctionalInterface
    interface Writer {
        /** The bytes that were taken, or a negative errno; by then the answer stands where the request said. */
        long write(int stripe, long address, long length);
    }

    @Override
    public String name() {
        return "write";
    }

    @Override
    public int send(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        if (!isWellFormed(command, coreIn, coreOut, driverIn, driverOut)) {
            return Errno.EINVAL;
        }
        long requestSize = headerSize(command) + coreIn.byteSize() + driverIn.byteSize();
        long answerAt = requestSize + Long.BYTES - 1 & -Long.BYTES;
        long answerSize = coreOut.byteSize() + driverOut.byteSize();
        MemorySegment buffer = buffers.take(answerAt + answerSize);
        try {
            long answerAddress = answerSize == 0 ? 0 : buffer.address() + answerAt;
            putRequest(buffer, command, coreIn, driverIn, answerAddress);
            putSizes(buffer, command, requestSize, coreOut.byteSize(), driverOut.byteSize());
            buffer.asSlice(answerAt, answerSize).fill((byte) 0);
            long written = device.write(command.number(), buffer.address(), requestSize);
            if (written != requestSize) {
                return written < 0 ? (int) -written : Errno.EIO;
            }
            MemorySegment.copy(buffer, answerAt, coreOut, 0, coreOut.byteSize());
            MemorySegment.copy(buffer, answerAt + coreOut.byteSize(), driverOut, 0, driverOut.byteSize());
            return 0;
        } finally {
            buffers.give(buffer);
            Reference.reachabilityFence(buffer);
        }
    }

    private static long headerSize(UverbsCommand command) {
        return command.isExtended() ? WriteHeader.SIZE + ExtendedWriteHeader.SIZE : WriteHeader.SIZE;
    }

    /** Whether the sizes can be said in the header's words, and a legacy request has room for the answer's address. */
    private static boolean isWellFormed(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        int word = command.isExtended() ? EXTENDED_WORD : LEGACY_WORD;
        long sizes = coreIn.byteSize() | coreOut.byteSize() | driverIn.byteSize() | driverOut.byteSize();
        long request = headerSize(command) + coreIn.byteSize() + driverIn.byteSize();
        long answer = coreOut.byteSize() + driverOut.byteSize();
        return sizes % word == 0
                && request / word <= MAX_WORDS
                && answer / word <= MAX_WORDS
                && (command.isExtended() || answer == 0 || coreIn.byteSize() >= Long.BYTES);
    }

    private static void putRequest(
            MemorySegment buffer,
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment driverIn,
            long answerAddress) {
        long coreAt = headerSize(command);
        MemorySegment.copy(coreIn, 0, buffer, coreAt, coreIn.byteSize());
        MemorySegment.copy(driverIn, 0, buffer, coreAt + coreIn.byteSize(), driverIn.byteSize());
        WriteHeader.setCommand(buffer, 0, command.word());
        if (command.isExtended()) {
            buffer.asSlice(WriteHeader.SIZE, ExtendedWriteHeader.SIZE).fill((byte) 0);
            ExtendedWriteHeader.setResponse(buffer, WriteHeader.SIZE, answerAddress);
            WriteHeader.setInWords(buffer, 0, (int) (coreIn.byteSize() / EXTENDED_WORD));
            ExtendedWriteHeader.setProviderInWords(
                    buffer, WriteHeader.SIZE, (int) (driverIn.byteSize() / EXTENDED_WORD));
        } else if (answerAddress != 0) {
            // Every legacy struct that has an answer begins with its address.
            Host.setLong(buffer, coreAt, answerAddress);
        }
    }

    private static void putSizes(
            MemorySegment buffer, UverbsCommand command, long requestSize, long coreOutSize, long driverOutSize) {
        if (command.isExtended()) {
            WriteHeader.setOutWords(buffer, 0, (int) (coreOutSize / EXTENDED_WORD));
            ExtendedWriteHeader.setProviderOutWords(buffer, WriteHeader.SIZE, (int) (driverOutSize / EXTENDED_WORD));
        } else {
            WriteHeader.setInWords(buffer, 0, (int) (requestSize / LEGACY_WORD));
            WriteHeader.setOutWords(buffer, 0, (int) ((coreOutSize + driverOutSize) / LEGACY_WORD));
        }
    }
}
