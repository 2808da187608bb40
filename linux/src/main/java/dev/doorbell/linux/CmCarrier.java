package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmGetEvent;
import dev.doorbell.kernel.abi.CmHeader;
import dev.doorbell.kernel.abi.CmSetOption;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Carries rdma_cm commands into the kernel with write(), each as one call; the kernel stores the answer where the request
 * says.
 *
 * <pre>
 *   header 8 | request, and the value of an option | answer
 *                └ address of the answer, where the command has one; of the value
 * </pre>
 */
final class CmCarrier {
    private static final int MAX_BYTES = 0xffff;

    private final Writer device;
    private final BufferPool buffers;

    /** @param device one write() to the file */
    CmCarrier(Writer device, BufferPool buffers) {
        this.device = device;
        this.buffers = buffers;
    }

    /** One write() to the file; that of a test does without one. */
    @FunctionalInterface
    interface Writer {
        /** The bytes that were taken, or a negative errno; by then the answer stands where the request said. */
        long write(long address, long length);
    }

    /** Sends one command; 0 or a positive errno. See {@link dev.doorbell.kernel.CmChannel#invoke}. */
    int send(CmCommand command, MemorySegment request, MemorySegment response) {
        if (command == CmCommand.GET_EVENT || !isWellFormed(command, request, response)) {
            return Errno.EINVAL;
        }
        long requestSize = CmHeader.SIZE + request.byteSize();
        long answerAt = requestSize + Long.BYTES - 1 & -Long.BYTES;
        MemorySegment buffer = buffers.take(answerAt + response.byteSize());
        try {
            MemorySegment.copy(request, 0, buffer, CmHeader.SIZE, request.byteSize());
            putHeader(buffer, command, request.byteSize(), response.byteSize());
            if (command.hasResponse()) {
                Host.setLong(buffer, CmHeader.SIZE + command.responseAt(), buffer.address() + answerAt);
                buffer.asSlice(answerAt, response.byteSize()).fill((byte) 0);
            }
            if (isOption(command)) {
                CmSetOption.setOptval(buffer, CmHeader.SIZE, buffer.address() + CmHeader.SIZE + CmSetOption.SIZE);
            }
            long written = device.write(buffer.address(), requestSize);
            if (written < 0) {
                return (int) -written;
            }
            MemorySegment.copy(buffer, answerAt, response, 0, response.byteSize());
            return 0;
        } finally {
            buffers.give(buffer);
            Reference.reachabilityFence(buffer);
        }
    }

    /** Reads one event into the start of a buffer. See {@link DescriptorEvents.RecordReader}. */
    long readEvent(MemorySegment buffer, long capacity) {
        if (capacity < CmEventRecord.SIZE) {
            return -Errno.EINVAL;
        }
        long commandAt = CmEventRecord.SIZE;
        MemorySegment command = buffer.asSlice(commandAt, CmHeader.SIZE + CmGetEvent.SIZE);
        putHeader(command, CmCommand.GET_EVENT, CmGetEvent.SIZE, CmEventRecord.SIZE);
        CmGetEvent.setResponse(command, CmHeader.SIZE, buffer.address());
        buffer.asSlice(0, CmEventRecord.SIZE).fill((byte) 0);
        long written = device.write(command.address(), command.byteSize());
        return written < 0 ? written : CmEventRecord.SIZE;
    }

    private static void putHeader(MemorySegment buffer, CmCommand command, long in, long out) {
        CmHeader.setCmd(buffer, 0, command.number());
        CmHeader.setIn(buffer, 0, (int) in);
        CmHeader.setOut(buffer, 0, (int) out);
    }

    private static boolean isOption(CmCommand command) {
        return command == CmCommand.SET_OPTION || command == CmCommand.GET_OPTION;
    }

    /** Whether the sizes fit in the header, and the request has room for what is left to the carrier. */
    private static boolean isWellFormed(CmCommand command, MemorySegment request, MemorySegment response) {
        return request.byteSize() <= MAX_BYTES
                && response.byteSize() <= MAX_BYTES
                && request.byteSize() >= command.responseAt() + (command.hasResponse() ? Long.BYTES : 0)
                && (command.hasResponse() || response.byteSize() == 0)
                && (!isOption(command) || request.byteSize() >= CmSetOption.SIZE);
    }
}
