package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.kernel.abi.ExtendedWriteHeader;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.WriteHeader;
import java.lang.foreign.MemorySegment;

/** A request as write() got it, and the recorded one. */
final class WriteMessage implements Message {
    private static final int MOST = 4096;

    private final MemorySegment message;
    private final long command;
    private final int headerSize;

    WriteMessage(long address) {
        this.message = Message.memory(address, MOST);
        this.command = Integer.toUnsignedLong(WriteHeader.command(message, 0));
        boolean extended = (command & Integer.toUnsignedLong(UverbsCommand.EXTENDED_FLAG)) != 0;
        this.headerSize = WriteHeader.SIZE + (extended ? ExtendedWriteHeader.SIZE : 0);
    }

    @Override
    public boolean isThatOf(JsonNode vector) {
        return vector.path("via").asText().equals("write")
                && vector.path("write_cmd").asLong() == command;
    }

    @Override
    public String difference(JsonNode vector) {
        String difference = Vectors.difference(vector.path("header").asText(), message, 0);
        if (difference.isEmpty()) {
            difference = Message.difference(vector.path("core"), message, headerSize);
        }
        long driver = headerSize + vector.path("core_len").asLong();
        return difference.isEmpty() ? Message.difference(vector.path("provider"), message, driver) : difference;
    }

    /** The address of the answer stands in the extended header, or at the beginning of the request. */
    @Override
    public void answer(JsonNode vector) {
        int bytes = vector.path("core_out_len").asInt()
                + vector.path("provider_out_len").asInt();
        if (bytes > 0) {
            long at = headerSize == WriteHeader.SIZE
                    ? Message.number(message, headerSize, Long.BYTES)
                    : ExtendedWriteHeader.response(message, WriteHeader.SIZE);
            Message.write(vector.path("reply"), Message.memory(at, bytes), 0);
        }
    }

    @Override
    public String toString() {
        return "command " + Long.toHexString(command);
    }
}
