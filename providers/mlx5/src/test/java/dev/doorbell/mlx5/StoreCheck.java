package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Compares a store with the recorded one: target, offset, width, count and bytes. */
final class StoreCheck {
    private static final int RECORD_STRIDE = 64;

    private StoreCheck() {}

    /** All stores of a call, in order; empty if there is no difference. */
    static String difference(JsonNode expected, List<RecordingStores.Store> found, FakeMlx5 kernel) {
        if (expected.size() != found.size()) {
            return expected.size() + " stores expected, found " + found;
        }
        for (int i = 0; i < expected.size(); i++) {
            String difference = difference(expected.get(i), found.get(i), kernel);
            if (!difference.isEmpty()) {
                return "store " + i + ' ' + difference;
            }
        }
        return "";
    }

    private static String difference(JsonNode expected, RecordingStores.Store found, FakeMlx5 kernel) {
        boolean record = expected.path("target").asText().equals("dbrec");
        if (record != found.isRecord() || expected.path("width").asInt() != found.width()) {
            return expected + " expected, found " + found;
        }
        long at = record ? found.at() % RECORD_STRIDE : found.at();
        if (at != expected.path("off").asLong()) {
            return "at " + expected.path("off") + " expected, found at " + at;
        }
        if (!record) {
            int page = kernel.pageId(found.target());
            if (page != expected.path("page_id").asInt()
                    || expected.path("count").asInt() != found.count()) {
                return "page " + expected.path("page_id") + ", " + expected.path("count")
                        + " stores expected, found page " + page + ", " + found.count();
            }
        }
        MemorySegment bytes = Arena.ofAuto().allocate(Math.max(1, found.bytes().length() / 2));
        Vectors.write(found.bytes(), bytes, 0);
        return expected.path("bytes").asText().length() != found.bytes().length()
                ? "length differs"
                : Vectors.difference(expected.path("bytes").asText(), bytes, 0);
    }
}
