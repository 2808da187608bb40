package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Devices, ports and their tables, as pyverbs' test_device looks at them. */
final class DeviceCases {
    private DeviceCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("device.identity")
                        .from("test_device.dev_list; ibv_get_device_list(3)")
                        .runs(DeviceCases::identity),
                ConformanceCase.named("device.open")
                        .from("test_device.open_dev; ibv_open_device(3)")
                        .runs(DeviceCases::open),
                ConformanceCase.named("device.open-many")
                        .from("ibv_open_device(3): contexts are independent")
                        .runs(DeviceCases::openMany),
                ConformanceCase.named("device.close-twice")
                        .from("ibv_close_device(3)")
                        .runs(DeviceCases::closeTwice),
                ConformanceCase.named("device.use-after-close")
                        .from("ibv_close_device(3)")
                        .runs(DeviceCases::useAfterClose),
                ConformanceCase.named("device.query")
                        .from("test_device.query_device; ibv_query_device(3)")
                        .runs(DeviceCases::query),
                ConformanceCase.named("device.query-extended")
                        .from("test_device.query_device_ex; ibv_query_device_ex(3)")
                        .runs(DeviceCases::queryExtended),
                ConformanceCase.named("device.ports")
                        .from("test_device.phys_port_cnt_ex")
                        .runs(DeviceCases::ports),
                ConformanceCase.named("device.operations")
                        .from("ibv_open_device(3): what the driver offers is visible")
                        .runs(DeviceCases::operations),
                ConformanceCase.named("port.query")
                        .from("test_device.query_port; ibv_query_port(3)")
                        .runs(DeviceCases::queryPort),
                ConformanceCase.named("port.out-of-range")
                        .from("test_device.query_port_bad_flow: EINVAL")
                        .runs(DeviceCases::portOutOfRange),
                ConformanceCase.named("port.pkey-table")
                        .from("test_device.query_pkey; ibv_query_pkey(3)")
                        .runs(DeviceCases::pkeys),
                ConformanceCase.named("port.pkey-index")
                        .from("test_device.get_pkey_index; ibv_get_pkey_index(3)")
                        .runs(DeviceCases::pkeyIndex),
                ConformanceCase.named("port.gid-at-0")
                        .from("test_device.query_gid, query_gid_ex; ibv_query_gid(3)")
                        .runs(DeviceCases::gidAtZero),
                ConformanceCase.named("port.gid-table")
                        .from("test_device.query_gid_table; ibv_query_gid_table(3)")
                        .runs(DeviceCases::gidTable),
                ConformanceCase.named("port.gid-choice")
                        .from("ibv_query_gid_table(3): one that can be used")
                        .runs(DeviceCases::gidChoice));
    }

    private static void identity(Bench bench) {
        Device device = bench.a().device();
        bench.check().that("it has a name", !device.name().isBlank());
        bench.check().that("its node GUID is not zero", device.nodeGuid().value() != 0);
        bench.check().that("it has a driver", device.driver().isPresent());
        bench.check().that("it can be used", device.isUsable());
        bench.check().that("its node has a name", !device.node().isBlank());
        bench.check().atLeast("ports", 1, device.ports());
    }

    private static void open(Bench bench) {
        Context context = bench.a().context();
        bench.check().that("it is open", context.isOpen());
        bench.check().equal("the device", bench.a().device(), context.device());
        bench.check().equal("the driver", bench.a().device().driver().orElse(""), context.driver());
        bench.check().atLeast("driver ABI", 1, context.driverAbi());
        bench.check().atLeast("core ABI", 6, context.coreAbi());
        bench.check()
                .that(
                        "the command file has a description",
                        !context.commandFile().isBlank());
        bench.check()
                .that("the async file has a description", !context.asyncFile().isBlank());
        bench.check().atLeast("completion vectors", 1, context.completionVectors());
    }

    private static void openMany(Bench bench) {
        Context first = bench.a().open();
        for (int i = 0; i < 20; i++) {
            Context next = bench.a().open();
            bench.check().atLeast("a limit", 1, next.query().maxQueuePairs());
            next.close();
            bench.check().that("the first is still open", first.isOpen());
        }
        bench.check().atLeast("a limit", 1, first.query().maxQueuePairs());
    }

    private static void closeTwice(Bench bench) {
        Context context = bench.a().open();
        context.close();
        context.close();
        bench.check().that("it is closed", !context.isOpen());
    }

    private static void useAfterClose(Bench bench) {
        Context context = bench.a().open();
        context.close();
        bench.check().thrown("query", ClosedException.class, context::query);
        bench.check().thrown("query port", ClosedException.class, () -> context.queryPort(1));
        bench.check().thrown("allocate a domain", ClosedException.class, context::allocateProtectionDomain);
        bench.check().thrown("create a queue", ClosedException.class, () -> context.createCompletionQueue(1));
    }

    private static void query(Bench bench) {
        DeviceAttributes attributes = bench.a().context().query();
        bench.check().that("node GUID", attributes.nodeGuid().value() != 0);
        bench.check().that("system image GUID", attributes.systemImageGuid().value() != 0);
        bench.check().equal("node GUID", bench.a().device().nodeGuid(), attributes.nodeGuid());
        bench.check().that("vendor", attributes.vendorId() != 0);
        bench.check().atLeast("queue pairs", 1, attributes.maxQueuePairs());
        bench.check().atLeast("work requests", 1, attributes.maxWorkRequests());
        bench.check().atLeast("elements", 1, attributes.maxSge());
        bench.check().atLeast("completion queues", 1, attributes.maxCompletionQueues());
        bench.check().atLeast("completions", 1, attributes.maxCompletions());
        bench.check().atLeast("regions", 1, attributes.maxRegions());
        bench.check().atLeast("domains", 1, attributes.maxProtectionDomains());
        bench.check().atLeast("READs and atomics of a queue pair", 1, attributes.maxReadAtomicPerQueuePair());
        bench.check().atLeast("READs and atomics it starts", 1, attributes.maxInitiatedReadAtomicPerQueuePair());
        bench.check().atLeast("P_Keys", 1, attributes.maxPkeys());
        bench.check().that("regions larger than a page", Long.compareUnsigned(attributes.maxRegionSize(), 4096) > 0);
        bench.check().that("pages of 4 KiB", (attributes.pageSizes() & 4096) != 0);
        bench.check().equal("ports", bench.a().device().ports(), attributes.ports());
    }

    private static void queryExtended(Bench bench) {
        DeviceAttributes attributes = bench.a().context().query();
        bench.check().equal("the same twice", attributes, bench.a().context().query());
        Set<DeviceCapability> capabilities = DeviceCapability.set(attributes.capabilities());
        bench.check().that("RC answers receiver-not-ready", capabilities.contains(DeviceCapability.RC_RNR_NAK_GEN));
    }

    private static void ports(Bench bench) {
        bench.check().atLeast("ports", 1, bench.a().device().ports());
        bench.check().atMost("ports", 255, bench.a().device().ports());
    }

    private static void operations(Bench bench) {
        bench.check()
                .that("operations are listed", !bench.a().context().operations().isEmpty());
    }

    private static void queryPort(Bench bench) {
        for (int port = 1; port <= bench.a().device().ports(); port++) {
            PortAttributes attributes = bench.a().context().queryPort(port);
            bench.check().equal("state", PortState.ACTIVE, attributes.state());
            bench.check().equal("link layer", LinkLayer.ETHERNET, attributes.linkLayer());
            bench.check()
                    .that(
                            "active MTU within the largest",
                            attributes.activeMtu().code() <= attributes.maxMtu().code());
            bench.check()
                    .that("messages of more than 4 KiB", Long.compareUnsigned(attributes.maxMessageSize(), 4096) > 0);
            bench.check().atLeast("GID table", 1, attributes.gidTableLength());
            bench.check().atLeast("P_Key table", 1, attributes.pkeyTableLength());
            bench.check().that("width code", Set.of(1, 2, 4, 8, 16).contains(attributes.activeWidth()));
            bench.check().atLeast("speed code", 1, attributes.activeSpeed());
            bench.check().atLeast("physical state", 1, attributes.physicalState());
            bench.check().equal("LID on Ethernet", 0, attributes.lid());
        }
    }

    private static void portOutOfRange(Bench bench) {
        int ports = bench.a().device().ports();
        for (int port : new int[] {-1, 0, ports + 1, 255, Integer.MAX_VALUE}) {
            bench.check()
                    .refused(
                            "query port " + port,
                            "EINVAL",
                            () -> bench.a().context().queryPort(port));
            bench.check()
                    .refused(
                            "GIDs of port " + port,
                            "EINVAL",
                            () -> bench.a().device().gids(port));
        }
    }

    private static void pkeys(Bench bench) {
        bench.check().equal("the default P_Key", 0xffff, bench.a().device().pkey(1, 0));
        bench.check()
                .equal(
                        "the same through the context",
                        0xffff,
                        bench.a().context().pkey(1, 0));
    }

    private static void pkeyIndex(Bench bench) {
        int slots = bench.a().context().queryPort(1).pkeyTableLength();
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < slots; i++) {
            int key = bench.a().device().pkey(1, i);
            bench.check().that("P_Key " + i + " stands in one slot only", key == 0 || keys.add(key));
        }
        bench.check().that("the default P_Key is there", keys.contains(0xffff));
    }

    private static void gidAtZero(Bench bench) {
        List<GidEntry> gids = bench.a().device().gids(1);
        bench.check().that("the table is not empty", !gids.isEmpty());
        bench.check().equal("the first slot", 0, gids.getFirst().index());
        bench.check().that("its GID is not zero", !gids.getFirst().gid().isZero());
    }

    private static void gidTable(Bench bench) {
        List<GidEntry> gids = bench.a().context().gids(1);
        int slots = bench.a().context().queryPort(1).gidTableLength();
        Set<Integer> indexes = new HashSet<>();
        for (GidEntry entry : gids) {
            bench.check().that("slot " + entry.index() + " stands once", indexes.add(entry.index()));
            bench.check().that("slot inside the table", entry.index() >= 0 && entry.index() < slots);
            bench.check().that("only used slots are listed", !entry.gid().isZero());
        }
        bench.check()
                .equal("the same from device and context", bench.a().device().gids(1), gids);
        bench.check()
                .equal("port 1 of all ports", gids, bench.a().device().gids().subList(0, gids.size()));
    }

    private static void gidChoice(Bench bench) {
        GidEntry chosen = bench.a().context().chooseGid(1).entry();
        bench.check()
                .that(
                        "the chosen one is in the table",
                        bench.a().device().gids(1).contains(chosen));
        bench.check()
                .that(
                        "with a reason",
                        !bench.a().context().chooseGid(1).reason().isBlank());
    }
}
