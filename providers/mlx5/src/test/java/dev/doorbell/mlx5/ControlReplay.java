package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5IoctlIds;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Requests to the kernel: the driver's part of each, in order and byte by byte, and the register pages. */
final class ControlReplay {
    private static final String KIND = "control";
    private final Session session;
    private final Tally tally;
    private final Map<UverbsCommand, List<FakeMlx5.Sent>> sent = new EnumMap<>(UverbsCommand.class);
    private final Map<UverbsCommand, Integer> next = new EnumMap<>(UverbsCommand.class);
    private int page;
    private int mapped;

    ControlReplay(String profile, Tally tally) {
        this.session = new Session(profile);
        this.tally = tally;
    }

    void run() {
        session.createObjects();
        for (FakeMlx5.Sent command : session.kernel.commands) {
            sent.computeIfAbsent(command.command(), key -> new java.util.ArrayList<>())
                    .add(command);
        }
        for (JsonNode vector : Vectors.read(session.profile, KIND)) {
            String excuse = excuse(vector);
            if (!excuse.isEmpty()) {
                tally.notApplicable(KIND, excuse);
                continue;
            }
            String difference = difference(vector);
            if (difference.isEmpty()) {
                tally.replayed(KIND);
            } else {
                tally.failed(
                        KIND,
                        session.profile + ' ' + vector.path("seq") + ' ' + vector.path("step") + ": " + difference);
            }
        }
    }

    private static UverbsCommand command(JsonNode vector) {
        return switch (vector.path("object").asInt() << 16
                | vector.path("method").asInt()) {
            case 3 -> UverbsCommand.GET_CONTEXT;
            case 3 << 16 -> UverbsCommand.CREATE_CQ;
            case 4 << 16 -> UverbsCommand.CREATE_QP;
            case 5 << 16 -> UverbsCommand.CREATE_SRQ;
            default -> UverbsCommand.QUERY_PORT;
        };
    }

    private String excuse(JsonNode vector) {
        String via = vector.path("via").asText();
        if (session.profile.equals("signature")
                || session.profile.equals("noscatter")
                || session.profile.equals("shutupbf")) {
            return "settings of the C library";
        }
        if (via.equals("mmap")) {
            return vector.path("maps").asText().equals("uar") ? "" : "clock pages are not mapped by this driver";
        }
        if (via.equals("write") || via.equals("open") || via.equals("close")) {
            return "the system calls are the Linux carrier's, which its own tests cover";
        }
        int object = vector.path("object").asInt();
        if (object == Mlx5IoctlIds.OBJECT_UAR) {
            return vector.path("method").asInt() == Mlx5IoctlIds.UAR_ALLOC ? "" : "pages end with the context";
        }
        if (command(vector) == UverbsCommand.QUERY_PORT) {
            return "commands without driver data are those of every driver, which the rxe driver's tests cover";
        }
        if (command(vector) == UverbsCommand.CREATE_QP && isDeclared(vector)) {
            return "geometry for declared operations: our API declares none";
        }
        return "";
    }

    private boolean isDeclared(JsonNode vector) {
        String step = vector.path("step").asText();
        return Vectors.read(session.profile, "objects").stream()
                        .anyMatch(object ->
                                step.equals("create_qp:" + object.path("id").asText())
                                        && object.path("id").asText().startsWith("geo_")
                                        && object.path("send_ops_flags").asLong() != 0)
                && skip(UverbsCommand.CREATE_QP);
    }

    private boolean skip(UverbsCommand command) {
        next.merge(command, 1, Integer::sum);
        return true;
    }

    private String difference(JsonNode vector) {
        if (vector.path("via").asText().equals("mmap")) {
            long offset = Vectors.number(vector.path("offset"));
            long found = mapped < session.kernel.maps.size() ? session.kernel.maps.get(mapped) : -1;
            mapped++;
            return offset == found ? "" : "map of " + offset + " expected, found " + found;
        }
        if (vector.path("object").asInt() == Mlx5IoctlIds.OBJECT_UAR) {
            long type =
                    attribute(vector, Mlx5IoctlIds.UAR_ALLOC_TYPE).path("value").asLong();
            if (page >= session.kernel.calls.size()) {
                return "no page was allocated";
            }
            long found = Objects.requireNonNull(session.kernel.calls.get(page).find(Mlx5IoctlIds.UAR_ALLOC_TYPE))
                    .value();
            page++;
            return type == found ? "" : "type " + type + " expected, found " + found;
        }
        UverbsCommand command = command(vector);
        int index = next.merge(command, 1, Integer::sum) - 1;
        List<FakeMlx5.Sent> commands = sent.getOrDefault(command, List.of());
        if (index >= commands.size()) {
            return command + " was not sent";
        }
        String expected = attribute(vector, 0x1000).path("data").asText();
        FakeMlx5.Sent found = commands.get(index);
        return expected.length() / 2 != found.driverIn().byteSize()
                ? expected.length() / 2 + " bytes expected, found "
                        + found.driverIn().byteSize()
                : Vectors.difference(expected, found.driverIn(), 0);
    }

    private static JsonNode attribute(JsonNode vector, int id) {
        for (JsonNode attribute : vector.path("attrs")) {
            if (attribute.path("id").asInt() == id) {
                return attribute;
            }
        }
        return vector.path("none");
    }
}
