package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** Protection domains, as pyverbs' test_pd uses them, and who keeps whom alive. */
final class DomainCases {
    private DomainCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("pd.allocate")
                        .from("test_pd.alloc_pd; ibv_alloc_pd(3)")
                        .runs(bench -> bench.check()
                                .equal(
                                        "context",
                                        bench.a().context(),
                                        bench.a().domain().context())),
                ConformanceCase.named("pd.deallocate")
                        .from("test_pd.dealloc_pd; ibv_dealloc_pd(3)")
                        .runs(DomainCases::deallocate),
                ConformanceCase.named("pd.many")
                        .from("test_pd.multiple_pd_creation")
                        .runs(DomainCases::many),
                ConformanceCase.named("pd.close-twice")
                        .from("test_pd.destroy_pd_twice")
                        .runs(DomainCases::closeTwice),
                ConformanceCase.named("pd.busy-with-region")
                        .from("ibv_dealloc_pd(3): EBUSY")
                        .runs(DomainCases::busyWithRegion),
                ConformanceCase.named("pd.busy-with-queue-pair")
                        .from("ibv_dealloc_pd(3): EBUSY")
                        .runs(DomainCases::busyWithQueuePair),
                ConformanceCase.named("pd.use-after-close")
                        .from("ibv_dealloc_pd(3)")
                        .runs(DomainCases::useAfterClose));
    }

    private static void deallocate(Bench bench) {
        ProtectionDomain domain = bench.a().context().allocateProtectionDomain();
        domain.close();
        MemoryRegion region = bench.a().register(64);
        bench.check().that("others work on", region.isOpen());
    }

    private static void many(Bench bench) {
        List<ProtectionDomain> domains = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            domains.add(bench.a().context().allocateProtectionDomain());
        }
        long handles = domains.stream().map(ProtectionDomain::handle).distinct().count();
        bench.check().equal("handles", 100, handles);
        domains.forEach(ProtectionDomain::close);
    }

    private static void closeTwice(Bench bench) {
        ProtectionDomain domain = bench.a().context().allocateProtectionDomain();
        domain.close();
        domain.close();
        bench.check()
                .thrown(
                        "register",
                        ClosedException.class,
                        () -> bench.a().register(domain, 64, AccessFlag.LOCAL_WRITE));
    }

    private static void busyWithRegion(Bench bench) {
        ProtectionDomain domain = bench.a().context().allocateProtectionDomain();
        MemoryRegion region = bench.a().register(domain, 64, AccessFlag.LOCAL_WRITE);
        bench.check().refused("close with a region", "EBUSY", domain::close);
        bench.check().that("the region is open", region.isOpen());
        region.close();
        domain.close();
    }

    private static void busyWithQueuePair(Bench bench) {
        ProtectionDomain domain = bench.a().context().allocateProtectionDomain();
        CompletionQueue completions = bench.a().completionQueue(256);
        QueuePair queuePair = domain.queuePair(completions).build();
        bench.check().refused("close with a queue pair", "EBUSY", domain::close);
        bench.check().refused("close the completion queue", "EBUSY", completions::close);
        queuePair.close();
        completions.close();
        domain.close();
    }

    private static void useAfterClose(Bench bench) {
        ProtectionDomain domain = bench.a().context().allocateProtectionDomain();
        CompletionQueue completions = bench.a().completionQueue(256);
        domain.close();
        bench.check()
                .thrown(
                        "register",
                        ClosedException.class,
                        () -> bench.a().register(domain, 64, AccessFlag.LOCAL_WRITE));
        bench.check()
                .thrown(
                        "create a queue pair",
                        ClosedException.class,
                        () -> domain.queuePair(completions).build());
        bench.check().thrown("open an arena", ClosedException.class, () -> domain.arena(AccessFlag.LOCAL_WRITE));
    }
}
