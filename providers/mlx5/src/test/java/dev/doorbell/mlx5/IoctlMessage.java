package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.kernel.abi.IoctlAttribute;
import dev.doorbell.kernel.abi.IoctlHeader;
import dev.doorbell.kernel.abi.IoctlIds;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A request as ioctl() got it, and the recorded one. Attributes may come in any order. Two may be left out: that which names the file
 * of asynchronous events, since the kernel takes that of the context, which is the same, and room for an answer that nobody reads.
 */
final class IoctlMessage implements Message {
    private static final Set<String> OPTIONAL = Set.of("EVENT_FD", "CORE_SUPPORT");
    private static final int LENGTH_AND_COUNT = 8;

    private final MemorySegment message;
    /** Where each attribute lies, by its number. */
    private final Map<Integer, Long> attributes = new LinkedHashMap<>();

    IoctlMessage(long address) {
        int length = IoctlHeader.length(Message.memory(address, IoctlHeader.SIZE), 0);
        this.message = Message.memory(address, length);
        for (int i = 0; i < IoctlHeader.numAttrs(message, 0); i++) {
            long at = IoctlHeader.SIZE + (long) i * IoctlAttribute.SIZE;
            attributes.put(IoctlAttribute.attrId(message, at), at);
        }
    }

    @Override
    public boolean isThatOf(JsonNode vector) {
        return vector.path("via").asText().equals("ioctl")
                && vector.path("object").asInt() == IoctlHeader.objectId(message, 0)
                && vector.path("method").asInt() == IoctlHeader.methodId(message, 0)
                && vector.path("write_cmd").asLong() == command();
    }

    /** The command that the method is to invoke; 0 for other methods. */
    private long command() {
        boolean invokes = IoctlHeader.objectId(message, 0) == IoctlIds.OBJECT_DEVICE
                && IoctlHeader.methodId(message, 0) == IoctlIds.DEVICE_INVOKE_WRITE;
        return invokes ? data(IoctlIds.INVOKE_WRITE_CMD) : 0;
    }

    private long data(int attribute) {
        return IoctlAttribute.data(message, Objects.requireNonNull(attributes.get(attribute)));
    }

    @Override
    public String difference(JsonNode vector) {
        int leftOut = 0;
        for (JsonNode expected : vector.path("attrs")) {
            int id = expected.path("id").asInt();
            Long at = attributes.get(id);
            if (at == null) {
                if (!OPTIONAL.contains(expected.path("name").asText())) {
                    return "attribute " + id + " is missing";
                }
                leftOut++;
            } else {
                String difference = attribute(expected, at);
                if (!difference.isEmpty()) {
                    return "attribute " + id + ": " + difference;
                }
            }
        }
        int count = vector.path("attrs").size() - leftOut;
        if (count != attributes.size()) {
            return count + " attributes expected, found " + attributes.keySet();
        }
        return header(vector.path("hdr").asText(), leftOut);
    }

    /** The header's length and count say what was left out. */
    private String header(String expected, int leftOut) {
        MemorySegment head = MemorySegment.ofArray(new byte[IoctlHeader.SIZE]);
        Vectors.write(expected, head, 0);
        IoctlHeader.setLength(head, 0, IoctlHeader.length(head, 0) - leftOut * IoctlAttribute.SIZE);
        IoctlHeader.setNumAttrs(head, 0, IoctlHeader.numAttrs(head, 0) - leftOut);
        return Vectors.difference(Vectors.hex(head, 0, IoctlHeader.SIZE), message, 0);
    }

    private String attribute(JsonNode expected, long at) {
        int length = expected.path("len").asInt();
        boolean sameHead = IoctlAttribute.len(message, at) == length
                && IoctlAttribute.flags(message, at) == expected.path("flags").asInt()
                && Message.number(message, at + 6, 1) == expected.path("elem").asInt()
                && Message.number(message, at + 7, 1) == 0;
        if (!sameHead) {
            return expected + " expected, found " + Vectors.hex(message, at, IoctlAttribute.SIZE);
        }
        long data = IoctlAttribute.data(message, at);
        return switch (expected.path("type").asText()) {
            case "ptr_in" -> {
                boolean inside = expected.path("inline").asBoolean();
                yield inside
                        ? Message.difference(expected, message, at + LENGTH_AND_COUNT)
                        : Message.difference(expected, Message.memory(data, length), 0);
            }
            case "ptr_out" -> data == 0 ? "no room" : "";
            case "fd" -> same(Message.descriptor(expected.path("value").asText()), data);
            default -> same(expected.path("value").asLong(), data);
        };
    }

    private static String same(long expected, long found) {
        return expected == found ? "" : expected + " expected, found " + found;
    }

    @Override
    public void answer(JsonNode vector) {
        for (JsonNode answer : vector.path("reply")) {
            Long at = attributes.get(answer.path("id").asInt());
            if (at == null) {
                continue;
            }
            if (answer.has("handle")) {
                IoctlAttribute.setData(message, at, answer.path("handle").asLong());
            } else if (IoctlAttribute.len(message, at) == 0) {
                IoctlAttribute.setData(
                        message, at, Message.descriptor(answer.path("fd").asText()));
            } else {
                MemorySegment room = Message.memory(IoctlAttribute.data(message, at), IoctlAttribute.len(message, at));
                Message.write(answer, room, 0);
            }
        }
    }

    @Override
    public String toString() {
        return "object " + IoctlHeader.objectId(message, 0) + " method " + IoctlHeader.methodId(message, 0)
                + " command " + command();
    }
}
