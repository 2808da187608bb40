package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;

/** Why a recorded request is not sent by this driver, or not with these bytes. */
final class ControlExcuses {
    private static final String OPENING = "open_device";

    private ControlExcuses() {}

    /** The reason; empty for a request that must come as it was recorded. */
    static String of(String profile, JsonNode vector) {
        String operation = operation(vector);
        String step = vector.path("step").asText();
        return switch (operation) {
            case "open", "close" -> "opening and closing the node is the Linux carrier's, which its own tests cover";
            case "mmap" ->
                vector.path("maps").asText().equals("clock_info")
                        ? "the kernel's way from ticks to wall-clock time: our API goes by the clock's speed"
                        : "";
            case "MLX5_DEVX OTHER" -> "general commands: nothing in our API depends on the capabilities they tell";
            case "MLX5_UAR DESTROY" -> "register pages end with the context";
            case "EX_QUERY_DEVICE" -> "the driver's part of EX_QUERY_DEVICE tells nothing that our API has";
            case "DEVICE QUERY_PORT", "QUERY_PORT" ->
                step.equals(OPENING) ? "a port's link layer is asked for when an address handle is made" : "";
            case "DEVICE QUERY_GID_ENTRY" ->
                step.equals("query_gid") ? "GIDs are read from the table that the kernel answers at once" : "";
            case "QUERY_QP" -> "all attributes are asked for: our API has no mask";
            case "QP CREATE", "CREATE_QP" -> queuePair(profile, step);
            case "SRQ CREATE", "CREATE_SRQ" ->
                profile.equals("signature") ? "signed work requests are not in our API" : "";
            case "REG_MR" ->
                profile.equals("writeabi") && step.endsWith("relaxed_ordering")
                        ? "optional access is passed on: kernels that do not know it refuse it"
                        : "";
            case "CREATE_AH" -> step.endsWith(":rate1") ? "a rate that there is not: our API has none" : "";
            default -> "";
        };
    }

    private static String queuePair(String profile, String step) {
        if (profile.equals("signature")) {
            return "signed work requests are not in our API";
        }
        return isDeclared(profile, step) ? "geometry for declared operations: our API declares none" : "";
    }

    private static boolean isDeclared(String profile, String step) {
        return Vectors.read(profile, "objects").stream()
                .anyMatch(object -> step.equals("create_qp:" + object.path("id").asText())
                        && object.path("id").asText().startsWith("geo_")
                        && object.path("send_ops_flags").asLong() != 0);
    }

    /** The command, or object and method. */
    static String operation(JsonNode vector) {
        if (vector.has("write_cmd_name")) {
            return vector.path("write_cmd_name").asText();
        }
        return vector.has("object_name")
                ? vector.path("object_name").asText()
                        + ' '
                        + vector.path("method_name").asText()
                : vector.path("via").asText();
    }
}
