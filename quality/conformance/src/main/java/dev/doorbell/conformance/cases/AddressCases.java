package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** Address handles: made from addresses that lead somewhere, and kept apart by protection domain. */
final class AddressCases {
    private AddressCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ah("ah.create", "test_addr.create_ah; ibv_create_ah(3)", AddressCases::create),
                ah("ah.without-global-route", "test_addr.create_ah_roce: EINVAL", AddressCases::withoutRoute),
                ah("ah.empty-slot", "ibv_create_ah(3)", AddressCases::emptySlot),
                ah("ah.port-out-of-range", "ibv_create_ah(3): EINVAL", AddressCases::wrongPort),
                ah("ah.close-twice", "test_addr.destroy_ah; ibv_destroy_ah(3)", AddressCases::closeTwice),
                ah("ah.domain-busy", "ibv_dealloc_pd(3): EBUSY", AddressCases::domainBusy),
                ah("ah.many", "ibv_create_ah(3)", AddressCases::many),
                ah("ah.use-after-close", "ibv_destroy_ah(3)", AddressCases::useAfterClose),
                ah("ah.of-another-domain", "ibv_create_ah(3), ibv_post_send(3)", AddressCases::anotherDomain));
    }

    private static ConformanceCase ah(String name, String origin, CaseBody body) {
        return ConformanceCase.named(name).from(origin).needs(Capability.UD).runs(body);
    }

    private static AddressVector vector(Bench bench) {
        GidEntry entry = bench.a().context().chooseGid(1).entry();
        return AddressVector.roce(entry.gid(), 1, entry.index());
    }

    private static void create(Bench bench) {
        try (AddressHandle handle = bench.a().domain().createAddressHandle(vector(bench))) {
            bench.check().equal("address", vector(bench), handle.address());
            bench.check()
                    .equal(
                            "most bytes",
                            bench.a().context().queryPort(1).activeMtu().bytes(),
                            handle.maxBytes());
        }
    }

    private static void withoutRoute(Bench bench) {
        AddressVector local = new AddressVector(Gid.ZERO, 0, 0, 0, 0, 1, 0, 1, false, 0, Rate.MAX);
        bench.check()
                .refused(
                        "an address without a GID",
                        "EINVAL",
                        () -> bench.a().domain().createAddressHandle(local));
    }

    private static void emptySlot(Bench bench) {
        AddressVector empty = AddressVector.roce(vector(bench).destination(), 1, 250);
        bench.check()
                .refused(
                        "an empty slot",
                        List.of("ENODATA", "EINVAL"),
                        () -> bench.a().domain().createAddressHandle(empty));
    }

    private static void wrongPort(Bench bench) {
        AddressVector vector = vector(bench);
        AddressVector wrong = AddressVector.roce(vector.destination(), 3, vector.sourceGidIndex());
        bench.check().refused("port 3", "EINVAL", () -> bench.a().domain().createAddressHandle(wrong));
    }

    private static void closeTwice(Bench bench) {
        AddressHandle handle = bench.a().domain().createAddressHandle(vector(bench));
        handle.close();
        handle.close();
        bench.check().that("it is closed", !handle.isOpen());
    }

    private static void domainBusy(Bench bench) {
        ProtectionDomain domain = bench.a().context().allocateProtectionDomain();
        AddressHandle handle = domain.createAddressHandle(vector(bench));
        bench.check().refused("a domain in use", "EBUSY", domain::close);
        handle.close();
        domain.close();
    }

    private static void many(Bench bench) {
        List<AddressHandle> handles = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            handles.add(bench.a().domain().createAddressHandle(vector(bench)));
        }
        handles.forEach(AddressHandle::close);
        bench.check().equal("handles", 300, handles.size());
    }

    private static void useAfterClose(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        AddressHandle handle = bench.a().domain().createAddressHandle(vector(bench));
        handle.close();
        bench.check()
                .thrown(
                        "a closed address handle",
                        ClosedException.class,
                        () -> pair.a().post(batch -> batch.send(1).to(handle, 1, 1)));
    }

    private static void anotherDomain(Bench bench) {
        Pair pair = bench.pair(QueuePairType.UD).build();
        ProtectionDomain other = bench.a().context().allocateProtectionDomain();
        AddressHandle handle = other.createAddressHandle(vector(bench));
        bench.check()
                .refused(
                        "a foreign address handle",
                        "EINVAL",
                        () -> pair.a().post(batch -> batch.send(1).to(handle, 1, 1)));
    }
}
