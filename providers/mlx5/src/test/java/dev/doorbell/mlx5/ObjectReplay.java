package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Objects: geometry, numbers, what the kernel is told, and refusals near the limits. */
final class ObjectReplay {
    private final Session session;
    private final Tally tally;

    ObjectReplay(String profile, Tally tally) {
        this.session = new Session(profile);
        this.tally = tally;
    }

    void run() {
        for (JsonNode vector : Vectors.read(session.profile, "objects")) {
            String kind = vector.path("kind").asText();
            String id = session.profile + ' ' + vector.path("id").asText();
            String excuse = excuse(vector);
            if (!excuse.isEmpty()) {
                tally.notApplicable(kind, excuse);
                if (vector.path("created").asBoolean(true)) {
                    session.create(vector);
                }
                continue;
            }
            try {
                session.create(vector);
                if (vector.has("errno") && vector.path("errno").asInt() != 0) {
                    errno(vector, kind, id);
                } else {
                    check(kind, id, vector);
                }
            } catch (VerbsFault e) {
                tally.failed(kind, id + ": " + e);
            }
        }
    }

    private void errno(JsonNode vector, String kind, String id) {
        try {
            if (kind.equals("ah")) {
                session.address(vector);
            } else {
                session.queuePair(vector);
            }
            tally.failed(kind, id + " was not refused");
        } catch (VerbsFault e) {
            if (e.errno() == vector.path("errno").asInt()) {
                tally.replayed(kind);
            } else {
                tally.failed(kind, id + ": " + e);
            }
        }
    }

    private static String excuse(JsonNode vector) {
        if (vector.path("profile").asText().equals("signature")) {
            return "signed work requests are not in our API";
        }
        if (vector.path("id").asText().startsWith("ops_with_atomics")) {
            return "refusal of declared operations: our API declares none";
        }
        long operations = vector.path("send_ops_flags").asLong();
        return vector.path("id").asText().startsWith("geo_") && operations != 0
                ? "geometry for declared operations: our API declares none"
                : "";
    }

    private void check(String kind, String id, JsonNode vector) {
        Map<String, long[]> values = new LinkedHashMap<>();
        switch (kind) {
            case "cq" -> completionQueue(vector, values);
            case "srq" -> sharedQueue(vector, values);
            case "qp" -> queuePair(vector, values);
            default -> {}
        }
        StringBuilder wrong = new StringBuilder();
        values.forEach((name, pair) -> {
            if (pair[0] != pair[1]) {
                wrong.append(' ')
                        .append(name)
                        .append(' ')
                        .append(pair[0])
                        .append(" expected, ")
                        .append(pair[1])
                        .append(" found;");
            }
        });
        if (wrong.isEmpty()) {
            tally.replayed(kind);
        } else {
            tally.failed(kind, id + wrong);
        }
    }

    private FakeMlx5.Sent last(dev.doorbell.kernel.abi.UverbsCommand command) {
        return session.kernel.commands.reversed().stream()
                .filter(sent -> sent.command() == command)
                .findFirst()
                .orElseThrow();
    }

    private void completionQueue(JsonNode vector, Map<String, long[]> values) {
        FakeMlx5.Sent sent = last(dev.doorbell.kernel.abi.UverbsCommand.CREATE_CQ);
        Mlx5CompletionQueue queue = Objects.requireNonNull(
                session.completionQueues.get(vector.path("id").asText()));
        put(values, "cqe_told_kernel", vector, CreateCq.cqe(sent.coreIn(), 0));
        put(values, "ibv_cqe", vector, queue.capacity());
        put(values, "cqe_size", vector, Mlx5CreateCq.entrySize(sent.driverIn(), 0));
        put(values, "kernel_flags", vector, Mlx5CreateCq.flags(sent.driverIn(), 0));
        put(values, "uar_page_index", vector, Mlx5CreateCq.registerPage(sent.driverIn(), 0));
        put(values, "cqn", vector, queue.number());
    }

    private void sharedQueue(JsonNode vector, Map<String, long[]> values) {
        FakeMlx5.Sent sent = last(dev.doorbell.kernel.abi.UverbsCommand.CREATE_SRQ);
        Mlx5SharedReceiveQueue queue = Objects.requireNonNull(
                session.sharedQueues.get(vector.path("id").asText()));
        put(values, "max_wr", vector, queue.receiveQueue().capacity());
        put(values, "max_sge", vector, queue.receiveQueue().maxSge());
        put(values, "told_kernel_max_wr", vector, CreateSrq.maxWr(sent.coreIn(), 0));
        put(values, "told_kernel_max_sge", vector, CreateSrq.maxSge(sent.coreIn(), 0));
        put(values, "srqn", vector, queue.number());
        put(values, "entries", vector, queue.shape().entries());
        put(values, "stride", vector, 1L << queue.shape().shift());
        if (vector.has("initial_buffer")) {
            String difference = Vectors.difference(vector.path("initial_buffer").asText(), queue.receives().memory, 0);
            values.put("initial_buffer " + difference, new long[] {0, difference.length()});
        }
    }

    private void queuePair(JsonNode vector, Map<String, long[]> values) {
        FakeMlx5.Sent sent = last(dev.doorbell.kernel.abi.UverbsCommand.CREATE_QP);
        Mlx5QueuePair pair =
                Objects.requireNonNull(session.queuePairs.get(vector.path("id").asText()));
        JsonNode granted = vector.path("granted");
        put(values, "max_send_wr", granted, pair.capacity().maxSendRequests());
        put(values, "max_send_sge", granted, pair.capacity().maxSendSge());
        put(values, "max_inline_data", granted, pair.capacity().maxInline());
        put(values, "max_recv_wr", granted, pair.capacity().maxReceiveRequests());
        put(values, "max_recv_sge", granted, pair.capacity().maxReceiveSge());
        put(values, "qpn", vector, pair.number());
        put(values, "uidx", vector, Mlx5CreateQp.userIndex(sent.driverIn(), 0));
        put(values, "kernel_flags", vector, Mlx5CreateQp.flags(sent.driverIn(), 0));
        put(values, "bfreg_index", vector, pair.queues().send().register.number());
        put(values, "sq_wqe_count", vector, Mlx5CreateQp.sendBlocks(sent.driverIn(), 0));
        put(values, "rq_wqe_count", vector, Mlx5CreateQp.receiveRequests(sent.driverIn(), 0));
        put(values, "rq_wqe_shift", vector, Mlx5CreateQp.receiveShift(sent.driverIn(), 0));
        put(values, "sq_offset", vector, pair.queues().send().shape().offset());
    }

    private static void put(Map<String, long[]> values, String name, JsonNode vector, long found) {
        values.put(name, new long[] {vector.path(name).asLong(), found});
    }
}
