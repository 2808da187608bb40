package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.RegisteredArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Memory regions, as pyverbs' test_mr registers them. */
final class RegionCases {
    private RegionCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("mr.every-allowed-access")
                        .from("ibv_reg_mr(3)")
                        .runs(RegionCases::allowed),
                ConformanceCase.named("mr.remote-write-needs-local-write")
                        .from("test_mr.reg_mr_bad_flags, reg_mrex_bad_flags; ibv_reg_mr(3): EINVAL")
                        .runs(RegionCases::badFlags),
                ConformanceCase.named("mr.relaxed-ordering-accepted")
                        .from("test_relaxed_ordering.ro_rc; ibv_reg_mr(3): optional access flags")
                        .runs(RegionCases::relaxedOrdering),
                ConformanceCase.named("mr.deregister").from("ibv_dereg_mr(3)").runs(RegionCases::deregister),
                ConformanceCase.named("mr.close-twice").from("ibv_dereg_mr(3)").runs(RegionCases::closeTwice),
                ConformanceCase.named("mr.empty-refused")
                        .from("ibv_reg_mr(3): EINVAL")
                        .runs(RegionCases::empty),
                ConformanceCase.named("mr.memory-that-cannot-be-registered")
                        .from("ibv_reg_mr(3): EFAULT")
                        .runs(RegionCases::unreachable),
                ConformanceCase.named("mr.read-only-memory")
                        .from("ibv_reg_mr(3): EACCES")
                        .runs(RegionCases::readOnly),
                ConformanceCase.named("mr.unaligned")
                        .from("ibv_reg_mr(3): any address and length")
                        .runs(RegionCases::unaligned),
                ConformanceCase.named("mr.overlapping")
                        .from("ibv_reg_mr(3): memory can be registered more than once")
                        .runs(RegionCases::overlapping),
                ConformanceCase.named("mr.keys-are-different")
                        .from("ibv_reg_mr(3)")
                        .runs(RegionCases::keys),
                ConformanceCase.named("mr.direct-buffer").from("ibv_reg_mr(3)").runs(RegionCases::buffer),
                ConformanceCase.named("mr.large").from("ibv_reg_mr(3)").runs(RegionCases::large),
                ConformanceCase.named("mr.many").from("ibv_reg_mr(3)").runs(RegionCases::many),
                ConformanceCase.named("mr.arena")
                        .from("test_buf.rc_send_plain_pd_reg_buf_mr; ibv_alloc_buf(3)")
                        .runs(RegionCases::arena));
    }

    private static void allowed(Bench bench) {
        AccessFlag[] flags = Reach.everything();
        for (int mask = 0; mask < 1 << flags.length; mask++) {
            Set<AccessFlag> access = new HashSet<>();
            for (int i = 0; i < flags.length; i++) {
                if ((mask & 1 << i) != 0) {
                    access.add(flags[i]);
                }
            }
            boolean writes = access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC);
            if (!writes || access.contains(AccessFlag.LOCAL_WRITE)) {
                MemoryRegion region = bench.a().domain().register(bench.memory(100), access);
                bench.check().equal("access", AccessFlag.mask(access), region.access());
                bench.check().equal("length", 100, region.length());
                region.close();
            }
        }
    }

    private static void badFlags(Bench bench) {
        MemorySegment memory = bench.memory(64);
        ProtectionDomain domain = bench.a().domain();
        bench.check().refused("REMOTE_WRITE alone", "EINVAL", () -> domain.register(memory, AccessFlag.REMOTE_WRITE));
        bench.check().refused("REMOTE_ATOMIC alone", "EINVAL", () -> domain.register(memory, AccessFlag.REMOTE_ATOMIC));
        bench.check()
                .refused(
                        "both and REMOTE_READ",
                        "EINVAL",
                        () -> domain.register(
                                memory, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC, AccessFlag.REMOTE_READ));
    }

    private static void relaxedOrdering(Bench bench) {
        Pair pair = bench.pair();
        MemoryRegion region =
                bench.b().register(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.RELAXED_ORDERING);
        pair.a().memory().fill((byte) 3);
        pair.a()
                .post(batch -> batch.write(1, region.remote(), 0)
                        .sge(pair.a().region(), 0, 64)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("the last byte", 3, Bytes.at(region.segment(), 63));
    }

    private static void deregister(Bench bench) {
        MemoryRegion region = bench.a().register(64);
        bench.check().that("open", region.isOpen());
        region.close();
        bench.check().that("closed", !region.isOpen());
        Bytes.set(region.segment(), 0, 1);
        bench.check().equal("the memory is the program's", 1, Bytes.at(region.segment(), 0));
    }

    private static void closeTwice(Bench bench) {
        MemoryRegion region = bench.a().register(64);
        region.close();
        region.close();
        bench.check().that("closed", !region.isOpen());
    }

    private static void empty(Bench bench) {
        MemorySegment memory = bench.memory(64).asSlice(0, 0);
        bench.check().refused("no bytes", "EINVAL", () -> bench.a().domain().register(memory, AccessFlag.LOCAL_WRITE));
    }

    private static void unreachable(Bench bench) {
        MemorySegment heap = MemorySegment.ofArray(new byte[64]);
        bench.check()
                .refused(
                        "memory on the heap",
                        "EFAULT",
                        () -> bench.a().domain().register(heap, AccessFlag.LOCAL_WRITE));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(64);
            bench.check()
                    .refused(
                            "memory of a confined arena",
                            "EFAULT",
                            () -> bench.a().domain().register(confined, AccessFlag.LOCAL_WRITE));
        }
    }

    private static void readOnly(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment memory = bench.drawnBytes(64);
        bench.check()
                .refused(
                        "read-only memory to write to",
                        "EACCES",
                        () -> bench.a().domain().register(memory.asReadOnly(), AccessFlag.LOCAL_WRITE));
        MemoryRegion region = bench.a().domain().register(memory.asReadOnly(), AccessFlag.REMOTE_READ);
        pair.a()
                .post(batch ->
                        batch.write(1, pair.b().remote(), 0).sge(region, 0, 64).signaled());
        pair.a().sent(1);
        bench.check().bytes("what was sent", memory, pair.b().memory().asSlice(0, 64));
    }

    private static void unaligned(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment memory = bench.memory(20_000);
        for (int[] part : new int[][] {{1, 1}, {4095, 2}, {4097, 8191}, {3, 12_345}}) {
            memory.fill((byte) 0);
            MemoryRegion region = bench.b()
                    .domain()
                    .register(memory.asSlice(part[0], part[1]), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            MemorySegment bytes = pair.a().memory().asSlice(0, part[1]);
            bytes.copyFrom(bench.drawnBytes(part[1]));
            pair.a()
                    .post(batch -> batch.write(1, region.remote(), 0)
                            .sge(pair.a().region(), 0, part[1])
                            .signaled());
            pair.a().sent(1);
            bench.check().bytes("the region", bytes, region.segment());
            bench.check().equal("the byte before it", 0, Bytes.at(memory, part[0] - 1));
            bench.check().equal("the byte behind it", 0, Bytes.at(memory, part[0] + part[1]));
            region.close();
        }
    }

    private static void overlapping(Bench bench) {
        Pair pair = bench.pair();
        MemorySegment memory = bench.memory(128);
        MemoryRegion first = bench.b().domain().register(memory, Reach.everything());
        MemoryRegion second = bench.b().domain().register(memory.asSlice(64), Reach.everything());
        first.close();
        pair.a().memory().fill((byte) 9);
        pair.a()
                .post(batch -> batch.write(1, second.remote(), 0)
                        .sge(pair.a().region(), 0, 64)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("written through the second", 9, Bytes.at(memory, 127));
        bench.check().equal("not written", 0, Bytes.at(memory, 63));
    }

    private static void keys(Bench bench) {
        Set<Integer> lkeys = new HashSet<>();
        Set<Integer> rkeys = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            MemoryRegion region = bench.a().register(64);
            bench.check().that("lkey is new", lkeys.add(region.lkey()));
            bench.check().that("rkey is new", rkeys.add(region.rkey()));
        }
    }

    private static void buffer(Bench bench) {
        Pair pair = bench.pair();
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(10).limit(74);
        MemoryRegion region = bench.b().domain().register(buffer, Reach.everything());
        bench.check().equal("length", 64, region.length());
        pair.a().memory().fill((byte) 5);
        pair.a()
                .post(batch -> batch.write(1, region.remote(), 0)
                        .sge(pair.a().region(), 0, 64)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("before", 0, buffer.clear().get(9));
        bench.check().equal("first", 5, buffer.get(10));
        bench.check().equal("last", 5, buffer.get(73));
        bench.check().equal("behind", 0, buffer.get(74));
    }

    private static void large(Bench bench) {
        Pair pair = bench.pair();
        long bytes = 32L << 20;
        MemoryRegion region = bench.b().register(bytes);
        pair.a().memory().fill((byte) 5);
        pair.a()
                .post(batch -> batch.write(1, region.remote(), bytes - 8)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        bench.check().equal("the last byte", 5, Bytes.at(region.segment(), bytes - 1));
        bench.check().equal("the byte before", 0, Bytes.at(region.segment(), bytes - 9));
    }

    private static void many(Bench bench) {
        for (int i = 0; i < 200; i++) {
            bench.a().register(64).close();
        }
        bench.check().that("one more", bench.a().register(64).isOpen());
    }

    private static void arena(Bench bench) {
        Pair pair = bench.pair();
        try (RegisteredArena arena = bench.b().domain().arena(Reach.everything())) {
            MemorySlice small = arena.allocateSlice(100);
            MemorySlice large = arena.allocateSlice(2 << 20);
            pair.a().memory().fill((byte) 6);
            pair.a().post(batch -> {
                batch.write(1, small.remote(), 0).sge(pair.a().region(), 0, 100).signaled();
                batch.write(2, large.remote(), (2 << 20) - 100)
                        .sge(pair.a().region(), 0, 100)
                        .signaled();
            });
            pair.a().sent(1);
            pair.a().sent(2);
            bench.check().equal("small", 6, Bytes.at(small.segment(), 99));
            bench.check().equal("large", 6, Bytes.at(large.segment(), (2 << 20) - 1));
        }
    }
}
