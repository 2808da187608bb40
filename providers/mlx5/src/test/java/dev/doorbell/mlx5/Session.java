package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The driver on the fake kernel, with the objects that a profile's vectors have. */
final class Session {
    private static final long USER_MEMORY = 0x100000000L;
    private static final int USER_BYTES = 4 << 20;
    private static final int SPLIT = 1 << 20;

    final String profile;
    final FakeMlx5 kernel;
    final RecordingStores stores = new RecordingStores();
    final Mlx5Context context;
    final MemorySegment user = Arena.ofAuto().allocate(USER_BYTES, 4096);
    final Map<String, Mlx5CompletionQueue> completionQueues = new HashMap<>();
    final Map<String, Mlx5SharedReceiveQueue> sharedQueues = new HashMap<>();
    final Map<String, Mlx5QueuePair> queuePairs = new HashMap<>();
    final Map<String, ProviderAddressHandle> addresses = new HashMap<>();
    final List<ProviderMemoryWindow> windows = new ArrayList<>();
    final int domain;

    Session(String profile) {
        this.profile = profile;
        this.kernel = new FakeMlx5(profile);
        this.context = new ContextOpening(new FakeDevice(kernel), kernel, stores, settings(profile)).open();
        this.domain = context.allocateProtectionDomain();
        for (int i = 0; i < USER_BYTES; i++) {
            user.set(ValueLayout.JAVA_BYTE, i, (byte) (7 * i + 13 * (i >> 8) + 1));
        }
        int access = AccessFlag.LOCAL_WRITE.bit();
        context.registerMemory(domain, user.asSlice(0, SPLIT), USER_MEMORY, access);
        context.registerMemory(domain, user.asSlice(SPLIT), USER_MEMORY + SPLIT, access);
        windows.add(context.allocateMemoryWindow(domain, 2));
        windows.add(context.allocateMemoryWindow(domain, 1));
    }

    /** Those that the C library had by its own names. */
    static Mlx5Settings settings(String profile) {
        return switch (profile) {
            case "cqe128" -> new Mlx5Settings(128, true);
            case "noscatter" -> new Mlx5Settings(64, false);
            default -> Mlx5Settings.USUAL;
        };
    }

    /** The user memory at an address of the vectors. */
    long user(long address) {
        return address - USER_MEMORY;
    }

    ProviderAddressHandle address(JsonNode vector) {
        ProviderAddressHandle handle = context.createAddressHandle(domain, ControlScript.address(vector));
        addresses.put(vector.path("id").asText(), handle);
        return handle;
    }

    Mlx5CompletionQueue completionQueue(JsonNode vector) {
        Mlx5CompletionQueue queue = CompletionQueueCommands.create(
                context.device(),
                new CompletionQueueRequest(vector.path("requested_cqe").asInt(), 0, -1, 1, false, false),
                vector.path("cqe_size").asInt());
        completionQueues.put(vector.path("id").asText(), queue);
        return queue;
    }

    Mlx5SharedReceiveQueue sharedQueue(JsonNode vector) {
        Mlx5SharedReceiveQueue queue = (Mlx5SharedReceiveQueue) context.createSharedReceiveQueue(
                domain,
                vector.path("requested_max_wr").asInt(),
                vector.path("requested_max_sge").asInt(),
                0,
                1);
        sharedQueues.put(vector.path("id").asText(), queue);
        return queue;
    }

    Mlx5QueuePair queuePair(JsonNode vector) {
        Mlx5QueuePair pair =
                (Mlx5QueuePair) context.createQueuePair(request(vector, domain, completionQueues, sharedQueues));
        String name = vector.path("id").asText();
        queuePairs.put(name, pair);
        if (!name.endsWith("_states")) {
            state(pair, QueuePairState.RTS);
        }
        return pair;
    }

    /** What a queue pair was to be, with queues that were made before; a refused or accepted limit has those of the first. */
    static QueuePairRequest request(
            JsonNode vector,
            int domain,
            Map<String, Mlx5CompletionQueue> completionQueues,
            Map<String, Mlx5SharedReceiveQueue> sharedQueues) {
        JsonNode asked = vector.path("requested");
        Mlx5CompletionQueue any = completionQueues.get("cq0");
        JsonNode shared = vector.path("srq");
        return new QueuePairRequest(
                domain,
                QueuePairType.valueOf(vector.path("type").asText()),
                Objects.requireNonNull(
                        completionQueues.getOrDefault(vector.path("send_cq").asText(), any)),
                Objects.requireNonNull(
                        completionQueues.getOrDefault(vector.path("recv_cq").asText(), any)),
                shared.isTextual() ? sharedQueues.get(shared.asText()) : null,
                new QueuePairCapacity(
                        asked.path("max_send_wr").asInt(),
                        asked.path("max_recv_wr").asInt(),
                        asked.path("max_send_sge").asInt(),
                        asked.path("max_recv_sge").asInt(),
                        asked.path("max_inline_data").asInt()),
                vector.path("sq_sig_all").asInt() != 0,
                1);
    }

    static void state(Mlx5QueuePair pair, QueuePairState state) {
        pair.modify(QueuePairAttributes.builder().state(state).build());
    }

    /** Creates all objects of the profile. */
    void createObjects() {
        Vectors.read(profile, "objects").forEach(this::create);
    }

    /** Creates the objects before one, or from that one on. */
    void createObjects(String name, boolean before) {
        boolean seen = false;
        for (JsonNode vector : Vectors.read(profile, "objects")) {
            seen |= vector.path("id").asText().equals(name);
            if (seen != before) {
                create(vector);
            }
        }
    }

    void create(JsonNode vector) {
        String id = vector.path("id").asText();
        switch (vector.path("kind").asText()) {
            case "cq" -> completionQueue(vector);
            case "srq" -> sharedQueue(vector);
            case "qp" -> {
                if (id.equals("rc_wrap") && queuePairs.containsKey("clean_c")) {
                    queuePairs.get("clean_c").close();
                }
                queuePair(vector);
            }
            case "qp_limit" -> {
                if (vector.path("created").asBoolean()) {
                    queuePair(vector).close();
                }
            }
            case "ah" -> {
                if (vector.path("created").asBoolean()) {
                    address(vector);
                }
            }
            default -> throw new IllegalStateException(vector.toString());
        }
    }
}
