package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;

/** The links of a shared receive queue. */
final class SharedLinks {
    private SharedLinks() {}

    static String difference(JsonNode expected, Mlx5SharedReceives queue) {
        for (int i = 0; i < expected.size(); i++) {
            if (expected.get(i).asInt() != queue.link(i)) {
                return "link " + i + ' ' + expected.get(i) + " expected, " + queue.link(i) + " found";
            }
        }
        return "";
    }
}
