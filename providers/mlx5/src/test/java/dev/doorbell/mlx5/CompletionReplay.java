package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkRequestOpcode;
import java.util.Objects;

/** Completion queues: polling, links of shared receive queues, arming, cleaning. */
final class CompletionReplay {
    private static final int INDEX_MASK = 0xff_ffff;
    private static final int RECEIVES = 128;
    /** The first object that was made after a queue pair was destroyed. */
    private static final String AFTER_CLEANING = "rc_wrap";

    private final Session session;
    private final Tally tally;

    CompletionReplay(String profile, Tally tally) {
        this.session = new Session(profile);
        this.tally = tally;
    }

    void run() {
        session.createObjects(AFTER_CLEANING, true);
        for (JsonNode vector : Vectors.read(session.profile, "cq")) {
            String kind = vector.path("kind").asText();
            String excuse = excuse(vector);
            if (!excuse.isEmpty()) {
                tally.notApplicable(kind, excuse);
                continue;
            }
            String difference = switch (kind) {
                case "poll" -> poll(vector);
                case "arm" -> arm(vector);
                case "cq_clean" -> clean(vector);
                default ->
                    SharedLinks.difference(
                            vector.path("next"),
                            Objects.requireNonNull(session.sharedQueues.get(
                                            vector.path("srq").asText()))
                                    .receives());
            };
            if (vector.path("id").asText().equals("clean.destroy_wrapping")) {
                session.createObjects(AFTER_CLEANING, false);
            }
            if (difference.isEmpty()) {
                tally.replayed(kind);
            } else {
                tally.failed(kind, session.profile + ' ' + vector.path("id").asText() + ": " + difference);
            }
        }
    }

    private String excuse(JsonNode vector) {
        String id = vector.path("id").asText();
        if (session.profile.equals("cqe128") && id.contains("req.scatter")) {
            return "a defect of the recorded version: it reads the data of 128-byte entries from the wrong place";
        }
        if (id.contains("req.TSO")) {
            return "segmentation of raw packets is not in our API";
        }
        if (id.startsWith("clean") && vector.path("kind").asText().equals("poll")) {
            return "the receive work requests behind the entries are not in the vector";
        }
        return "";
    }

    private String poll(JsonNode vector) {
        Mlx5CompletionQueue queue = Objects.requireNonNull(
                session.completionQueues.get(vector.path("cq").asText()));
        JsonNode context = vector.path("context");
        if (vector.path("cqes").isEmpty()) {
            // What the vector before has posted.
            return compare(vector, queue);
        }
        for (JsonNode posted : context.path("sq_posted")) {
            send(posted);
        }
        for (JsonNode posted : context.path("rq_posted")) {
            receive(posted);
        }
        for (JsonNode posted : context.path("srq_posted")) {
            shared(posted);
        }
        if (vector.path("ci_before").asInt() != (queue.consumer() & INDEX_MASK)
                && !vector.path("cqes").isEmpty()) {
            turn(queue, vector.path("cqes").get(0).path("producer_index").asInt());
        }
        for (JsonNode cqe : vector.path("cqes")) {
            Vectors.write(
                    cqe.path("bytes").asText(),
                    queue.ring().memory(),
                    cqe.path("slot").asLong() * vector.path("cqe_size").asInt());
        }
        JsonNode memory = vector.path("memory");
        if (memory.isObject()) {
            session.user
                    .asSlice(
                            session.user(Vectors.number(memory.path("addr"))),
                            memory.path("bytes").asText().length() / 2)
                    .fill((byte) 0xee);
        }
        return compare(vector, queue);
    }

    private String compare(JsonNode vector, Mlx5CompletionQueue queue) {
        session.stores.stores.clear();
        int wanted = vector.path("wc").size();
        int found = 0;
        boolean unknown = vector.path("id").asText().contains("unknown");
        while (found < (unknown ? wanted : vector.path("num_entries").asInt()) && queue.next()) {
            if (found == wanted) {
                return "more completions than " + wanted;
            }
            String difference = fields(vector.path("wc").get(found), queue, vector);
            if (!difference.isEmpty()) {
                return "completion " + found + ' ' + difference;
            }
            found++;
        }
        queue.end();
        if (found != wanted) {
            return wanted + " completions expected, found " + found;
        }
        boolean extended = vector.path("api").asText().equals("start_poll");
        if (!unknown
                && (queue.consumer() & INDEX_MASK) != vector.path("ci_after").asInt()) {
            return "index " + vector.path("ci_after") + " expected, found " + queue.consumer();
        }
        if (!unknown && (wanted > 0 || extended)) {
            String difference = StoreCheck.difference(vector.path("doorbells"), session.stores.stores, session.kernel);
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        JsonNode memory = vector.path("memory");
        return memory.isObject()
                ? Vectors.difference(
                        memory.path("bytes").asText(), session.user, session.user(Vectors.number(memory.path("addr"))))
                : "";
    }

    private String fields(JsonNode wc, Mlx5CompletionQueue queue, JsonNode vector) {
        boolean extended = vector.path("api").asText().equals("start_poll");
        boolean inside = vector.path("id").asText().contains("scatter");
        StringBuilder wrong = new StringBuilder();
        if (!vector.path("context").has("note")) {
            check(wrong, wc, "wr_id", queue.id());
        }
        check(wrong, wc, "status", queue.status());
        check(wrong, wc, "qp_num", queue.queuePairNumber());
        int status = wc.path("status").asInt();
        if (status != 0) {
            if (!inside) {
                check(wrong, wc, "vendor_err", queue.vendorError());
            }
            return wrong.toString();
        }
        check(wrong, wc, "opcode", queue.opcode());
        boolean receive = wc.path("opcode").asInt() >= RECEIVES;
        if (receive || !extended) {
            check(wrong, wc, "byte_len", queue.byteLength());
        }
        if (extended) {
            check(wrong, wc, "completion_ts", queue.timestamp());
        }
        if (receive && !inside) {
            check(wrong, wc, "wc_flags", queue.flags());
            check(wrong, wc, "src_qp", queue.sourceQueuePair());
            check(wrong, wc, "slid", queue.slid());
            check(wrong, wc, "sl", queue.serviceLevel());
            check(wrong, wc, "dlid_path_bits", queue.dlidPathBits());
            check(wrong, wc, "pkey_index", queue.pkeyIndex());
            String immediate = wc.path("imm_wire").asText();
            if ((wc.path("wc_flags").asInt() & 2) != 0 && !immediate.equals("%08x".formatted(queue.immediate()))) {
                wrong.append(" imm ").append(immediate);
            }
        }
        return wrong.toString();
    }

    private static void check(StringBuilder wrong, JsonNode wc, String name, long found) {
        JsonNode expected = wc.path(name);
        if (expected.isNumber() && expected.asLong() != found) {
            wrong.append(' ')
                    .append(name)
                    .append(' ')
                    .append(expected)
                    .append(" expected, found ")
                    .append(found);
        }
    }

    private void send(JsonNode posted) {
        Mlx5SendQueue queue = Objects.requireNonNull(
                        session.queuePairs.get(posted.path("qp").asText()))
                .queues()
                .send();
        QueueFiller.sendUntil(
                queue, posted.path("wqe_counter").asInt(), queue.shape().blocks() - 1);
        WorkRequestOpcode opcode = opcode(posted.path("opcode").asText());
        queue.begin();
        if (!queue.request(posted.path("wr_id").asLong(), opcode.code())) {
            throw new IllegalStateException("full: " + posted);
        }
        switch (opcode) {
            case LOCAL_INV -> queue.invalidate(1);
            case BIND_MW -> queue.bind(0, 0, 0, 0, 0, 0);
            case RDMA_READ, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> queue.remote(0, 0);
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> queue.atomic(0, 0, 0, 0);
            default -> {}
        }
        if (posted.has("sge_addr")) {
            queue.sge(
                    Vectors.number(posted.path("sge_addr")),
                    posted.path("sge_len").asInt(),
                    0x180111);
        }
        for (JsonNode sge : posted.path("sge")) {
            queue.sge(Vectors.number(sge.path("addr")), sge.path("len").asInt(), 0x180111);
        }
        queue.seal();
        queue.commit();
    }

    private static WorkRequestOpcode opcode(String name) {
        for (WorkRequestOpcode opcode : WorkRequestOpcode.values()) {
            if (opcode.name().equals(name)) {
                return opcode;
            }
        }
        return switch (name) {
            case "RDMA_WRITE_IMM" -> WorkRequestOpcode.RDMA_WRITE_WITH_IMM;
            case "ATOMIC_CS" -> WorkRequestOpcode.ATOMIC_CMP_AND_SWP;
            case "ATOMIC_FA" -> WorkRequestOpcode.ATOMIC_FETCH_AND_ADD;
            default -> WorkRequestOpcode.SEND;
        };
    }

    private void receive(JsonNode posted) {
        Mlx5ReceiveQueue queue = Objects.requireNonNull(
                Objects.requireNonNull(session.queuePairs.get(posted.path("qp").asText()))
                        .queues()
                        .receive());
        boolean first = posted.has("rq_index");
        if (first && queue.outstanding() == 0
                || first
                        && (queue.head & queue.capacity() - 1)
                                != posted.path("rq_index").asInt()) {
            QueueFiller.receiveUntil(queue, posted.path("rq_index").asInt(), queue.capacity() - 1);
        }
        post(posted, queue);
    }

    private void shared(JsonNode posted) {
        post(
                posted,
                Objects.requireNonNull(
                                session.sharedQueues.get(posted.path("srq").asText()))
                        .receives());
    }

    private static void post(JsonNode posted, ReceiveProducer queue) {
        queue.begin();
        if (!queue.request(posted.path("wr_id").asLong())) {
            throw new IllegalStateException("full: " + posted);
        }
        for (JsonNode sge : posted.path("sge")) {
            queue.sge(Vectors.number(sge.path("addr")), sge.path("len").asInt(), 0x180111);
        }
        queue.seal();
        queue.commit();
    }

    /** Puts the queue to an index, as if so many entries had come and gone. */
    private static void turn(Mlx5CompletionQueue queue, int index) {
        if ((queue.consumer() & INDEX_MASK) != (index & INDEX_MASK)) {
            queue.consumer = index;
            queue.told = index;
            queue.ring().initialise();
        }
    }

    private String arm(JsonNode vector) {
        Mlx5CompletionQueue queue = Objects.requireNonNull(
                session.completionQueues.get(vector.path("cq").asText()));
        if (vector.path("id").asText().contains("after_event")) {
            queue.eventTaken();
        }
        turn(queue, vector.path("ci").asInt());
        session.stores.stores.clear();
        queue.arm(vector.path("solicited").asInt() != 0);
        return StoreCheck.difference(vector.path("doorbells"), session.stores.stores, session.kernel);
    }

    private String clean(JsonNode vector) {
        Mlx5CompletionQueue queue = Objects.requireNonNull(
                session.completionQueues.get(vector.path("cq").asText()));
        turn(queue, vector.path("ci_before").asInt());
        Vectors.write(vector.path("buffer_before").asText(), queue.ring().memory(), 0);
        Mlx5QueuePair pair = Objects.requireNonNull(
                session.queuePairs.get(vector.path("removed_qp").asText()));
        if (vector.path("action").asText().contains("RESET")) {
            Session.state(pair, QueuePairState.RESET);
        } else {
            pair.close();
        }
        if ((queue.consumer() & INDEX_MASK) != vector.path("ci_after").asInt()) {
            return "index " + vector.path("ci_after") + " expected, found " + queue.consumer();
        }
        return Vectors.difference(
                vector.path("buffer_after").asText(), queue.ring().memory(), 0);
    }
}
