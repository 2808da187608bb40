package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doorbell.kernel.abi.mlx5.Mlx5IoctlIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The recorded vectors, see their README. */
final class Vectors {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Vectors() {}

    /** All vectors of a part of a profile, in order; none if it has no such part. */
    static List<JsonNode> read(String profile, String part) {
        List<JsonNode> vectors = new ArrayList<>();
        String name = "/vectors/" + profile + '.' + part + ".jsonl.gz";
        try (InputStream in = Vectors.class.getResourceAsStream(name)) {
            if (in == null) {
                return vectors;
            }
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // A source port that was drawn at random; see the README.
                vectors.add(
                        MAPPER.readTree(line.replace("0600d67c00000000021a2b3c4d01", "0600....00000000021a2b3c4d01")));
            }
            return vectors;
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** The same answer to GET_CONTEXT, but of a device without BlueFlame registers; other vectors stay as they are. */
    static JsonNode withoutBlueFlame(JsonNode vector) {
        if (!vector.path("method_name").asText().equals("GET_CONTEXT")) {
            return vector;
        }
        JsonNode copy = vector.deepCopy();
        for (JsonNode answer : copy.path("reply")) {
            if (answer.path("name").asText().equals("UHW_OUT")) {
                String data = answer.path("data").asText();
                ((ObjectNode) answer).put("data", data.substring(0, 8) + "00000000" + data.substring(16));
            }
        }
        return copy;
    }

    /** Whether a recorded request allocates or maps a register page. */
    static boolean isRegisterPage(JsonNode vector) {
        return vector.path("maps").asText().equals("uar")
                || vector.path("object").asInt() == Mlx5IoctlIds.OBJECT_UAR
                        && vector.path("method").asInt() == Mlx5IoctlIds.UAR_ALLOC;
    }

    /** A number, or a string with a hexadecimal one. */
    static long number(JsonNode node) {
        return node.isTextual() ? Long.parseUnsignedLong(node.asText().substring(2), 16) : node.asLong();
    }

    /** Where bytes differ from a hexadecimal string in which ".." is free; empty if nowhere. */
    static String difference(String expected, MemorySegment memory, long at) {
        for (int i = 0; i < expected.length() / 2; i++) {
            String wanted = expected.substring(2 * i, 2 * i + 2);
            String found = "%02x".formatted(memory.get(ValueLayout.JAVA_BYTE, at + i));
            if (!wanted.equals("..") && !wanted.equals(found)) {
                return "byte " + i + ": " + wanted + " expected, " + found + " found; all expected " + expected
                        + ", all found " + hex(memory, at, expected.length() / 2);
            }
        }
        return "";
    }

    static String hex(MemorySegment memory, long at, int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            text.append("%02x".formatted(memory.get(ValueLayout.JAVA_BYTE, at + i)));
        }
        return text.toString();
    }

    static void write(String hex, MemorySegment memory, long at) {
        for (int i = 0; i < hex.length() / 2; i++) {
            memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16));
        }
    }
}
