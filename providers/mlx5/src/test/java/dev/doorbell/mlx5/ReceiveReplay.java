package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.spec.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Receive work requests, of queue pairs and shared. */
final class ReceiveReplay {
    private final Session session;
    private final Tally tally;
    private final List<Integer> outstanding = new ArrayList<>();

    ReceiveReplay(String profile, Tally tally) {
        this.session = new Session(profile);
        this.tally = tally;
    }

    void run() {
        session.createObjects();
        for (JsonNode vector : Vectors.read(session.profile, "recv")) {
            String kind = vector.path("kind").asText();
            String id = vector.path("id").asText();
            if (session.profile.equals("signature")) {
                tally.notApplicable(kind, "signed work requests are not in our API");
                continue;
            }
            if (id.contains("too_many_sge") || id.equals("srq_post.sge4")) {
                tally.notApplicable(kind, "limits are checked by the API, before the driver");
                continue;
            }
            String difference = kind.equals("recv") ? own(vector) : shared(vector);
            if (difference.isEmpty()) {
                tally.replayed(kind);
            } else {
                tally.failed(kind, session.profile + ' ' + id + ": " + difference);
            }
        }
    }

    private String own(JsonNode vector) {
        Mlx5QueuePair pair =
                Objects.requireNonNull(session.queuePairs.get(vector.path("qp").asText()));
        Mlx5ReceiveQueue queue = Objects.requireNonNull(pair.queues().receive());
        String id = vector.path("id").asText();
        if (id.contains("states.state")) {
            int state = id.charAt(id.indexOf("states.state") + "states.state".length()) - '0';
            if (!vector.path("id").asText().endsWith("sge1") && state != 0) {
                Session.state(pair, QueuePairState.of(state));
            }
        }
        int expected = vector.path("ret").asInt();
        int outstanding = expected == 12
                ? queue.capacity() - Math.max(0, vector.path("bad_wr").asInt())
                : 0;
        int head = vector.path("before").path("head").asInt();
        QueueFiller.receiveUntil(queue, head - outstanding, 0xffff);
        for (int i = 0; i < outstanding; i++) {
            queue.begin();
            queue.request(0);
            queue.seal();
            queue.commit();
        }
        session.stores.stores.clear();
        int errno = post(vector, queue);
        if (errno != expected) {
            return "errno " + expected + " expected, " + errno + " found";
        }
        if ((queue.head & 0xffff) != (vector.path("after").path("head").asInt() & 0xffff)) {
            return "head " + vector.path("after") + " expected, " + queue.head + " found";
        }
        for (JsonNode wqe : vector.path("rq_wqes")) {
            long at = wqe.path("index").asLong() * queue.maxSge() * 16;
            String difference = Vectors.difference(wqe.path("bytes").asText(), queue.memory, at);
            if (!difference.isEmpty()) {
                return "entry " + wqe.path("index") + ' ' + difference;
            }
        }
        return StoreCheck.difference(vector.path("doorbells"), session.stores.stores, session.kernel);
    }

    private static int post(JsonNode vector, ReceiveProducer queue) {
        queue.begin();
        for (JsonNode wr : vector.path("wrs")) {
            if (!queue.request(wr.path("wr_id").asLong())) {
                queue.commit();
                return 12;
            }
            for (JsonNode sge : wr.path("sge")) {
                queue.sge(
                        Vectors.number(sge.path("addr")),
                        (int) sge.path("len").asLong(),
                        sge.path("lkey").asInt());
            }
            queue.seal();
        }
        return queue.commit();
    }

    private String shared(JsonNode vector) {
        Mlx5SharedReceives queue = Objects.requireNonNull(
                        session.sharedQueues.get(vector.path("srq").asText()))
                .receives();
        if (vector.path("ret").asInt() == 0) {
            outstanding.forEach(queue::retire);
            outstanding.clear();
        }
        session.stores.stores.clear();
        int errno = post(vector, queue);
        vector.path("srq_wqes").forEach(wqe -> outstanding.add(wqe.path("index").asInt()));
        if (errno != vector.path("ret").asInt()) {
            return "errno " + vector.path("ret") + " expected, " + errno + " found";
        }
        String links = SharedLinks.difference(vector.path("next"), queue);
        if (!links.isEmpty()) {
            return links;
        }
        for (JsonNode wqe : vector.path("srq_wqes")) {
            String difference = Vectors.difference(
                    wqe.path("bytes").asText(),
                    queue.memory,
                    queue.at(wqe.path("index").asInt()));
            if (!difference.isEmpty()) {
                return "entry " + wqe.path("index") + ' ' + difference;
            }
        }
        return StoreCheck.difference(vector.path("doorbells"), session.stores.stores, session.kernel);
    }
}
