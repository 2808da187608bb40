package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.SendQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Send work requests: the bytes in the queue, and the doorbell's stores in order and width. */
final class SendReplay {
    private static final int COUNTER = 0xffff;
    private final Session session;
    private final Tally tally;

    /** Whether work requests that come alone are posted in one call. */
    private final boolean atOnce;
    /** By register: whether the next half is known from the vector before. */
    private final Map<Register, Boolean> known = new HashMap<>();

    private int posts;

    SendReplay(String profile, Tally tally) {
        this(profile, tally, false);
    }

    private SendReplay(String profile, Tally tally, boolean atOnce) {
        this.session = new Session(profile);
        this.tally = tally;
        this.atOnce = atOnce;
    }

    /** Each work request that comes alone in one call; the others as ever. Both are "send" in the tally. */
    static SendReplay atOnce(String profile, Tally tally) {
        return new SendReplay(profile, tally, true);
    }

    /** How many were posted in one call. */
    int posts() {
        return posts;
    }

    void run() {
        session.createObjects();
        for (JsonNode vector : Vectors.read(session.profile, "send")) {
            String excuse = excuse(vector);
            if (!excuse.isEmpty()) {
                tally.notApplicable("send", excuse);
                continue;
            }
            String difference = replay(vector);
            if (difference.isEmpty()) {
                tally.replayed("send");
            } else {
                tally.failed("send", session.profile + ' ' + vector.path("id").asText() + ": " + difference);
            }
        }
    }

    private String excuse(JsonNode vector) {
        String id = vector.path("id").asText();
        if (session.profile.equals("signature")) {
            return "signed work requests are not in our API";
        }
        if (session.profile.equals("nopreferbf")) {
            return "a setting of the C library: BlueFlame for inline data only";
        }
        if (id.contains("too_many_sge") || id.contains("too_long") || id.contains("bad_opcode")) {
            return "limits and operations are checked by the API, before the driver";
        }
        for (JsonNode wr : vector.path("wrs")) {
            boolean odd = wr.path("opcode").asText().startsWith("ATOMIC")
                    && wr.path("sge").size() > 0
                    && !eight(wr);
            if (odd && vector.path("api").asText().equals("ibv_wr")) {
                return "atomic operations are of eight bytes: the API refuses others";
            }
        }
        if (id.contains("unsupported") || id.contains("no_device_atomics")) {
            return "operations that the service or device lacks are refused by the API";
        }
        return "";
    }

    private static boolean eight(JsonNode wr) {
        for (JsonNode sge : wr.path("sge")) {
            if (sge.path("len").asInt() != 8) {
                return false;
            }
        }
        return true;
    }

    private String replay(JsonNode vector) {
        Mlx5QueuePair pair = session.queuePairs.get(vector.path("qp").asText());
        if (pair == null) {
            pair = session.queuePairs.get("many" + vector.path("qp").asText());
        }
        Mlx5SendQueue queue = Objects.requireNonNull(pair, vector.path("qp").asText())
                .queues()
                .send();
        prepare(vector, pair, queue);
        session.stores.stores.clear();
        int errno = post(vector, queue);
        int expected = vector.path("ret").asInt();
        if ((errno == 0) != (expected == 0)) {
            return "errno " + expected + " expected, " + errno + " found";
        }
        return compare(vector, queue);
    }

    private void prepare(JsonNode vector, Mlx5QueuePair pair, Mlx5SendQueue queue) {
        JsonNode before = vector.path("before");
        String id = vector.path("id").asText();
        if (id.contains("states.state")) {
            int state = id.charAt(id.indexOf("states.state") + "states.state".length()) - '0';
            Session.state(pair, QueuePairState.of(state));
        }
        if (before.path("outstanding").asInt() == 0) {
            QueueFiller.drain(queue);
        }
        boolean filled = QueueFiller.sendUntil(queue, before.path("cur_post").asInt(), COUNTER);
        queue.setFence(before.path("previous_was_umr").asBoolean());
        Register register = queue.register;
        JsonNode bell = vector.path("doorbells").path(1);
        if (bell.isObject() && (filled || !known.containsKey(register))) {
            // The half that comes next depends on what was posted between; from here on it must follow.
            if (!register.isNextAt(bell.path("off").asLong())) {
                register.ring(0);
            }
        }
        known.put(register, true);
    }

    private int post(JsonNode vector, Mlx5SendQueue queue) {
        if (atOnce && isSingle(vector)) {
            posts++;
            int errno = postAtOnce(vector.path("wrs").path(0), queue);
            return errno == SendQueue.FULL ? 12 : errno;
        }
        queue.begin();
        boolean full = false;
        for (JsonNode wr : vector.path("wrs")) {
            if (!queue.request(
                    wr.path("wr_id").asLong(), wr.path("opcode_value").asInt())) {
                full = true;
                break;
            }
            write(wr, queue);
            queue.seal();
        }
        if (full && vector.path("api").asText().equals("ibv_wr")) {
            queue.begin();
            return 12;
        }
        int errno = queue.commit();
        return full ? 12 : errno;
    }

    private static boolean isSingle(JsonNode vector) {
        JsonNode wr = vector.path("wrs").path(0);
        return vector.path("wrs").size() == 1
                && wr.path("sge").size() == 1
                && !wr.has("remote_qpn")
                && switch (WorkRequestOpcode.of(wr.path("opcode_value").asInt())) {
                    case SEND, RDMA_WRITE -> true;
                    case RDMA_READ -> !SendFlag.INLINE.isIn(flags(wr));
                    default -> false;
                };
    }

    private int postAtOnce(JsonNode wr, Mlx5SendQueue queue) {
        JsonNode sge = wr.path("sge").path(0);
        long id = wr.path("wr_id").asLong();
        int flags = flags(wr);
        int operation = SendQueue.operation(wr.path("opcode_value").asInt(), flags & ~SendFlag.INLINE.bit());
        long remote = wr.has("remote_addr") ? number(wr, "remote_addr") : 0;
        int rkey = wr.path("rkey").asInt();
        long address = number(sge, "addr");
        int length = (int) sge.path("len").asLong();
        return SendFlag.INLINE.isIn(flags)
                ? queue.postInline(id, operation, remote, rkey, session.user, session.user(address), length)
                : queue.post(
                        id,
                        operation,
                        remote,
                        rkey,
                        address,
                        length,
                        sge.path("lkey").asInt());
    }

    private static int flags(JsonNode wr) {
        int flags = 0;
        for (JsonNode flag : wr.path("flags")) {
            flags |= SendFlag.valueOf(flag.asText()).bit();
        }
        return flags;
    }

    private void write(JsonNode wr, Mlx5SendQueue queue) {
        int flags = flags(wr);
        boolean inline = SendFlag.INLINE.isIn(flags);
        queue.flags(flags & ~SendFlag.INLINE.bit());
        WorkRequestOpcode opcode = WorkRequestOpcode.of(wr.path("opcode_value").asInt());
        if (wr.has("imm_wire")) {
            queue.immediate(Integer.parseUnsignedInt(wr.path("imm_wire").asText(), 16));
        }
        if (wr.has("invalidate_rkey")) {
            queue.invalidate(wr.path("invalidate_rkey").asInt());
        }
        switch (opcode) {
            case ATOMIC_CMP_AND_SWP ->
                queue.atomic(
                        number(wr, "remote_addr"), wr.path("rkey").asInt(), number(wr, "compare"), number(wr, "swap"));
            case ATOMIC_FETCH_AND_ADD ->
                queue.atomic(number(wr, "remote_addr"), wr.path("rkey").asInt(), number(wr, "add"), 0);
            case BIND_MW -> {
                JsonNode bind = wr.path("bind");
                queue.bind(
                        number(bind, "addr"),
                        bind.path("length").asLong(),
                        bind.path("mr_lkey").asInt(),
                        wr.path("mw").path("rkey").asInt(),
                        wr.path("new_rkey").asInt(),
                        bind.path("mw_access_flags").asInt());
            }
            default -> {
                if (wr.has("remote_addr")) {
                    queue.remote(number(wr, "remote_addr"), wr.path("rkey").asInt());
                }
            }
        }
        if (wr.has("remote_qpn")) {
            int address = Objects.requireNonNull(
                            session.addresses.get(wr.path("ah").asText()))
                    .number();
            queue.datagram(
                    address,
                    wr.path("remote_qpn").asInt(),
                    wr.path("remote_qkey").asInt());
        }
        for (JsonNode sge : wr.path("sge")) {
            long address = number(sge, "addr");
            long length = sge.path("len").asLong();
            if (inline) {
                queue.inline(session.user, session.user(address), (int) length);
            } else {
                queue.sge(address, (int) length, sge.path("lkey").asInt());
            }
        }
    }

    private static long number(JsonNode node, String name) {
        return Vectors.number(node.path(name));
    }

    private String compare(JsonNode vector, Mlx5SendQueue queue) {
        int after = vector.path("after").path("cur_post").asInt();
        if ((queue.posted & COUNTER) != (after & COUNTER)) {
            return "counter " + after + " expected, " + queue.posted + " found";
        }
        if (vector.path("ret").asInt() == 0) {
            for (JsonNode block : vector.path("sq_blocks")) {
                long at = queue.shape().offset() + block.path("bb").asLong() * 64;
                String difference = Vectors.difference(block.path("bytes").asText(), queue.memory, at);
                if (!difference.isEmpty()) {
                    return "block " + block.path("bb") + ' ' + difference;
                }
            }
        }
        return StoreCheck.difference(vector.path("doorbells"), session.stores.stores, session.kernel);
    }
}
