package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.memory.Host;
import java.lang.foreign.MemorySegment;

/** A request as a system call got it, beside a recorded one. */
interface Message {
    /** Descriptors stand in the vectors by name, but for one that had this number. */
    int EVENT_FILE = 5;

    int FIRST_CHANNEL = 12;
    int PAGE_MASK = 4095;

    /** Whether it is a request of the same kind. */
    boolean isThatOf(JsonNode vector);

    /** Where it differs from the recorded one; empty if nowhere. */
    String difference(JsonNode vector);

    /** Stores what was answered to the recorded one. */
    void answer(JsonNode vector);

    /** Memory that a request names by address. */
    static MemorySegment memory(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    /** A host number of one or eight bytes. */
    static long number(MemorySegment memory, long at, int size) {
        return size == 1 ? Host.getUnsignedByte(memory, at) : Host.getLong(memory, at);
    }

    /** The number of a descriptor. */
    static int descriptor(String name) {
        return name.equals("async_fd")
                ? EVENT_FILE
                : FIRST_CHANNEL + Integer.parseInt(name.substring(name.lastIndexOf('_') + 1));
    }

    /** Compares recorded bytes; of an address in them its place within the page. */
    static String difference(JsonNode recorded, MemorySegment memory, long at) {
        String difference = Vectors.difference(recorded.path("data").asText(), memory, at);
        for (JsonNode address : recorded.path("relocs")) {
            if (difference.isEmpty() && address.has("page_off")) {
                long found = number(memory, at + address.path("off").asLong(), 8);
                if ((found & PAGE_MASK) != address.path("page_off").asLong()) {
                    difference = address + " expected, found " + Long.toHexString(found);
                }
            }
        }
        return difference;
    }

    /** Stores an answer: bytes, behind a descriptor or in its place. */
    static void write(JsonNode answer, MemorySegment memory, long at) {
        boolean beginsWithEventFile = answer.path("async_fd").asBoolean();
        if (beginsWithEventFile) {
            Host.setInt(memory, at, EVENT_FILE);
        } else if (answer.has("fd")) {
            Host.setInt(memory, at, descriptor(answer.path("fd").asText()));
        }
        Vectors.write(answer.path("data").asText(), memory, beginsWithEventFile ? at + Integer.BYTES : at);
    }
}
