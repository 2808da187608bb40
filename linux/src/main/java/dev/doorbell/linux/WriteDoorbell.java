package dev.doorbell.linux;

import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.PostSend;
import dev.doorbell.kernel.abi.PostSendResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.WriteHeader;
import dev.doorbell.linux.syscall.SystemFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * POST_SEND without work requests: 32 bytes that never change, prepared once and written at each ring. The kernel then
 * looks into the mapped send queue.
 */
final class WriteDoorbell implements Doorbell {
    /** Bytes of the command with its header. */
    static final int COMMAND_SIZE = WriteHeader.SIZE + PostSend.SIZE;

    /** Bytes of a work request in the command's own format; checked by the kernel even though none follows. */
    private static final int WORK_REQUEST_SIZE = 128;

    private static final int WORD = 4;

    private final SystemFile file;
    private final int stripe;
    private final MemorySegment command;
    private final long address;

    WriteDoorbell(SystemFile file, int queuePairHandle) {
        this.file = file;
        this.stripe = file.nextStripe();
        this.command = Arena.ofAuto().allocate(COMMAND_SIZE + PostSendResponse.SIZE, Long.BYTES);
        this.address = command.address();
        WriteHeader.setCommand(command, 0, UverbsCommand.POST_SEND.word());
        WriteHeader.setInWords(command, 0, COMMAND_SIZE / WORD);
        WriteHeader.setOutWords(command, 0, PostSendResponse.SIZE / WORD);
        PostSend.setResponse(command, WriteHeader.SIZE, address + COMMAND_SIZE);
        PostSend.setQpHandle(command, WriteHeader.SIZE, queuePairHandle);
        PostSend.setWqeSize(command, WriteHeader.SIZE, WORK_REQUEST_SIZE);
    }

    @Override
    public int ring() {
        try {
            long written = file.write(stripe, address, COMMAND_SIZE);
            if (written == COMMAND_SIZE) {
                return 0;
            }
            return written < 0 ? (int) -written : Errno.EIO;
        } finally {
            Reference.reachabilityFence(command);
        }
    }

    @Override
    public boolean isSystemCall() {
        return true;
    }
}
