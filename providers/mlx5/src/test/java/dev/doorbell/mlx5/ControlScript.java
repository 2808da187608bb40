package dev.doorbell.mlx5;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.CqeOpcode;
import dev.doorbell.memory.Be;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.spi.RegionChange;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the recording program did, step by step, through this driver. */
final class ControlScript {
    private static final long MEMORY = 0x1_0000_0000L;
    private static final long HALF = 1 << 20;
    private static final long ALL = 4 << 20;
    private static final int WITH_TIMESTAMP = 1 << 7 | 1 << 11;
    private static final int IGNORE_OVERRUN = 2;
    private static final int SEND_PSN = 0xabcdef;
    private static final Gid GROUP = new Gid(0xff0e_0000_0000_0000L, 0xffff_e000_0007L);

    private final String profile;
    private final RecordedKernel kernel;
    private final Map<String, JsonNode> descriptions = new HashMap<>();
    private final Map<String, Mlx5CompletionQueue> completionQueues = new LinkedHashMap<>();
    private final Map<String, Mlx5SharedReceiveQueue> sharedQueues = new LinkedHashMap<>();
    private final Map<String, Mlx5QueuePair> queuePairs = new LinkedHashMap<>();
    private final Map<String, ProviderAddressHandle> addresses = new LinkedHashMap<>();
    private final LinkedHashMap<String, ProviderMemoryWindow> windows = new LinkedHashMap<>();
    private final Map<String, ProviderMemoryRegion> regions = new LinkedHashMap<>();
    private @Nullable Mlx5Context opened;
    private int domain;

    ControlScript(String profile, RecordedKernel kernel) {
        this.profile = profile;
        this.kernel = kernel;
        for (JsonNode vector : Vectors.read(profile, "objects")) {
            descriptions.put(vector.path("id").asText(), vector);
        }
    }

    void play(String step) {
        String[] words = step.split(":", -1);
        String name = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "open_device" -> open();
            case "query_device_ex" -> context().queryDeviceExtended();
            case "query_port" -> context().queryPort(1);
            case "alloc_pd" -> domain = context().allocateProtectionDomain();
            case "reg_mr", "reg_mr_iova", "rereg_mr", "dereg_mr" -> region(step);
            case "alloc_mw" ->
                windows.put(name, context().allocateMemoryWindow(domain, name.charAt(name.length() - 1) - '0'));
            case "create_ah" -> addresses.put(name, context().createAddressHandle(domain, address(described(name))));
            case "create_cq" -> completionQueues.put(name, completionQueue(described(name)));
            case "create_srq" -> sharedQueues.put(name, sharedQueue(described(name)));
            case "create_qp" -> queuePair(name);
            case "modify_qp" -> pair(name).modify(attributes(name, words[2]));
            case "reset_qp" -> Session.state(pair(name), QueuePairState.RESET);
            case "destroy_qp" -> Objects.requireNonNull(queuePairs.remove(name)).close();
            case "close" -> close(name);
            default -> other(step);
        }
    }

    private void open() {
        kernel.start();
        opened = new ContextOpening(new FakeDevice(kernel), kernel, new DirectStores(), Session.settings(profile))
                .open();
    }

    private void other(String step) {
        switch (step) {
            // This driver finds GIDs in the table that the kernel answers at once.
            case "query_gid" -> kernel.gids(1);
            case "modify_srq" ->
                Objects.requireNonNull(sharedQueues.get("srq0")).arm(2);
            case "query_srq" -> Objects.requireNonNull(sharedQueues.get("srq0")).query();
            case "query_qp" -> pair("rc0").query();
            case "modify_cq" ->
                Objects.requireNonNull(completionQueues.get("cq0")).moderate(16, 32);
            case "resize_cq" -> resize(Objects.requireNonNull(completionQueues.get("cq_resized")));
            case "attach_mcast" -> pair("ud0").attachMulticast(GROUP, 0);
            case "detach_mcast" -> pair("ud0").detachMulticast(GROUP, 0);
            default -> throw new IllegalArgumentException(step);
        }
    }

    /** The recorded kernel left no mark of a device that moved, on which the C driver complained. */
    private static void resize(Mlx5CompletionQueue queue) {
        CqeRing ring = queue.ring();
        Cqe.setOpAndOwner(ring.memory(), ring.entry(0), (byte) (CqeOpcode.RESIZE << 4));
        queue.resize(7);
    }

    private Mlx5Context context() {
        return Objects.requireNonNull(opened);
    }

    private JsonNode described(String name) {
        return Objects.requireNonNull(descriptions.get(name), name);
    }

    private Mlx5QueuePair pair(String name) {
        return Objects.requireNonNull(queuePairs.get(name), name);
    }

    /** Nobody touches that memory. */
    private static MemorySegment memory(long offset, long bytes) {
        return MemorySegment.ofAddress(MEMORY + offset).reinterpret(bytes);
    }

    private ProviderMemoryRegion register(MemorySegment memory, long iova, AccessFlag... access) {
        return context().registerMemory(domain, memory, iova, AccessFlag.mask(Set.of(access)));
    }

    private void region(String step) {
        AccessFlag write = AccessFlag.LOCAL_WRITE;
        switch (step) {
            case "reg_mr" -> {
                regions.put(
                        "first",
                        register(
                                memory(0, HALF),
                                MEMORY,
                                write,
                                AccessFlag.REMOTE_WRITE,
                                AccessFlag.REMOTE_READ,
                                AccessFlag.REMOTE_ATOMIC,
                                AccessFlag.MW_BIND));
                regions.put("second", register(memory(HALF, ALL - HALF), MEMORY + HALF, write));
            }
            case "reg_mr:relaxed_ordering" ->
                regions.put("relaxed", register(memory(0, 4096), MEMORY, write, AccessFlag.RELAXED_ORDERING));
            case "reg_mr_iova" -> regions.put("moved", register(memory(4096, 8192), 0x9000, write));
            case "reg_mr:on_demand" ->
                regions.put("on demand", register(memory(0, 4096), MEMORY, write, AccessFlag.ON_DEMAND));
            case "rereg_mr" ->
                Objects.requireNonNull(regions.get("relaxed"))
                        .reregister(new RegionChange(
                                null, 0, false, 0, true, AccessFlag.mask(Set.of(write, AccessFlag.REMOTE_READ))));
            case "dereg_mr" -> Objects.requireNonNull(regions.remove("relaxed")).close();
            default -> throw new IllegalArgumentException(step);
        }
    }

    private Mlx5CompletionQueue completionQueue(JsonNode vector) {
        boolean extended = vector.path("extended").asBoolean();
        String name = vector.path("id").asText();
        int channel = -1;
        if (name.equals("cq_channel") || name.equals("cq_ci24")) {
            channel = ((NoEvents) context().createCompletionChannel()).descriptor();
        }
        return CompletionQueueCommands.create(
                context().device(),
                new CompletionQueueRequest(
                        vector.path("requested_cqe").asInt(),
                        extended ? 1 : 0,
                        channel,
                        1,
                        // By write() the C driver does not say so; to this driver it is then a queue without.
                        !profile.equals("writeabi") && (vector.path("wc_flags").asInt() & WITH_TIMESTAMP) != 0,
                        (vector.path("create_flags").asInt() & IGNORE_OVERRUN) != 0),
                vector.path("cqe_size").asInt());
    }

    private Mlx5SharedReceiveQueue sharedQueue(JsonNode vector) {
        return (Mlx5SharedReceiveQueue) context()
                .createSharedReceiveQueue(
                        domain,
                        vector.path("requested_max_wr").asInt(),
                        vector.path("requested_max_sge").asInt(),
                        0,
                        1);
    }

    private void queuePair(String name) {
        JsonNode vector = described(name);
        Mlx5QueuePair pair = (Mlx5QueuePair)
                context().createQueuePair(Session.request(vector, domain, completionQueues, sharedQueues));
        if (vector.path("kind").asText().equals("qp_limit")) {
            pair.close();
        } else {
            queuePairs.put(name, pair);
        }
    }

    static AddressVector address(JsonNode vector) {
        JsonNode attributes = vector.path("attr");
        MemorySegment gid = MemorySegment.ofArray(new byte[16]);
        Vectors.write(attributes.path("dgid").asText(), gid, 0);
        return new AddressVector(
                new Gid(Be.getLong(gid, 0), Be.getLong(gid, 8)),
                attributes.path("sgid_index").asInt(),
                attributes.path("flow_label").asInt(),
                attributes.path("hop_limit").asInt(),
                attributes.path("traffic_class").asInt(),
                1,
                attributes.path("sl").asInt(),
                attributes.path("dlid").asInt(),
                attributes.path("is_global").asInt() != 0,
                attributes.path("src_path_bits").asInt(),
                Rate.of(attributes.path("static_rate").asInt()));
    }

    private QueuePairAttributes attributes(String name, String state) {
        QueuePairType type = QueuePairType.valueOf(described(name).path("type").asText());
        boolean reliable = type == QueuePairType.RC;
        return switch (state) {
            case "1" -> init(type);
            case "2" -> type == QueuePairType.UD ? only(QueuePairState.RTR) : readyToReceive(reliable);
            case "3" -> readyToSend(reliable, name.endsWith("_states") ? 5 : SEND_PSN);
            default -> only(QueuePairState.ERROR);
        };
    }

    private static QueuePairAttributes only(QueuePairState state) {
        return QueuePairAttributes.builder().state(state).build();
    }

    private static QueuePairAttributes init(QueuePairType type) {
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1);
        Set<AccessFlag> access = type == QueuePairType.RC
                ? Set.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC)
                : Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        return type == QueuePairType.UD
                ? attributes.qkey(0x11111111).build()
                : attributes.access(AccessFlag.mask(access)).build();
    }

    private static QueuePairAttributes readyToReceive(boolean reliable) {
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePair(0x123456)
                .receivePsn(0x654321)
                .address(new AddressVector(
                        new Gid(0, 0xffff_c0a8_0102L), 3, 0x12345, 64, 0x20, 1, 3, 0, true, 0, Rate.of(0)));
        return reliable ? attributes.maxDestReadAtomic(16).minRnrTimer(12).build() : attributes.build();
    }

    private static QueuePairAttributes readyToSend(boolean reliable, int psn) {
        QueuePairAttributes.Builder attributes =
                QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(psn);
        return reliable
                ? attributes
                        .timeout(14)
                        .retryCount(7)
                        .rnrRetry(7)
                        .maxReadAtomic(16)
                        .build()
                : attributes.build();
    }

    private void close(String what) {
        switch (what) {
            case "destroy_qp" -> queuePairs.values().forEach(Mlx5QueuePair::close);
            case "destroy_cq" -> completionQueues.values().forEach(Mlx5CompletionQueue::close);
            case "destroy_srq" -> sharedQueues.values().forEach(Mlx5SharedReceiveQueue::close);
            case "destroy_ah" -> addresses.values().forEach(ProviderAddressHandle::close);
            case "dealloc_mw" -> windows.reversed().values().forEach(ProviderMemoryWindow::close);
            case "dereg_mr" -> regions.values().forEach(ProviderMemoryRegion::close);
            case "dealloc_pd" -> context().deallocateProtectionDomain(domain);
            case "close_device" -> {}
            default -> throw new IllegalArgumentException(profile + ' ' + what);
        }
    }
}
