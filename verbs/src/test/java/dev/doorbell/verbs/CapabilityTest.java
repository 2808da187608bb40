package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.fake.FakeContext;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a driver without anything special says when it is asked for something special. */
@Timeout(30)
class CapabilityTest {
    private final Fixture fixture = new Fixture();
    private final QueuePair queuePair = fixture.connected();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static void unsupported(ThrowingCallable call) {
        assertThat(Refused.with(Errno.EOPNOTSUPP, call)).isInstanceOf(NotSupportedException.class);
    }

    @Test
    void everythingThatADriverLacksIsRefusedTheSameWay() {
        Context context = fixture.context;
        ProtectionDomain domain = fixture.domain;
        MemoryRegion region = fixture.region;
        Stream.<ThrowingCallable>of(
                        () -> domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1),
                        () -> region.reregister()
                                .access(Set.of(AccessFlag.LOCAL_WRITE))
                                .apply(),
                        () -> context.completionQueue(8).timestamps().build(),
                        () -> context.completionQueue(8).ignoreOverrun().build(),
                        () -> fixture.completions.moderate(8, Duration.ofMillis(1)),
                        context::queryClock,
                        () -> context.allocateDeviceMemory(64, 3),
                        () -> context.openXrcDomain(-1, 0),
                        () -> context.createIndirectionTable(List.of()),
                        context::createCounters,
                        domain::nullRegion,
                        () -> domain.registerDmaBuffer(3, 0, 64, 0, Set.of(AccessFlag.LOCAL_WRITE)),
                        () -> domain.prefetch(List.of(region.slice()), true, true),
                        domain::threadDomain,
                        () -> domain.receiveWorkQueue(fixture.completions, 8, 1),
                        () -> new RateLimit(1000, 0, 0).applyTo(queuePair),
                        () -> VendorConnectionOptions.of(queuePair),
                        () -> new VendorConnectionOptions(1, 2, 0).applyTo(queuePair),
                        () -> new FlowRule(0, 1, List.of(new FlowRule.Match.Ports(true, 0, 0, 4791, 0xffff)))
                                .attachTo(queuePair))
                .forEach(CapabilityTest::unsupported);
        assertThat(region.access()).as("the region is what it was").isEqualTo(0xf);
    }

    @Test
    void aDeviceThatSaysNothingOfItselfHasNothingSpecial() {
        assertThat(fixture.context.capabilities()).isEmpty();
        for (Capability capability : Capability.values()) {
            assertThat(fixture.context.supports(capability))
                    .as("%s", capability)
                    .isFalse();
        }
        ExtendedDeviceAttributes attributes = fixture.context.queryExtended();
        assertThat(attributes.base().maxQueuePairs()).isEqualTo(100);
        assertThat(attributes.timestampMask()).isZero();
    }

    @Test
    void whatADeviceSaysOfItselfCounts() {
        ExtendedDeviceAttributes plain = fixture.context.queryExtended();
        ExtendedDeviceAttributes paging = new ExtendedDeviceAttributes(
                plain.base(),
                new ExtendedDeviceAttributes.OnDemandPaging(1, 0, 0, 0, 0),
                -1,
                1_000_000,
                plain.receiveScaling(),
                4,
                0,
                plain.tagMatching(),
                16,
                16,
                1 << 16);
        Set<Capability> offered = EnumSet.noneOf(Capability.class);
        for (Capability capability : Capability.values()) {
            if (new Offer(paging, fixture.provider).has(capability)) {
                offered.add(capability);
            }
        }
        assertThat(offered).as("the driver has none of the others").containsExactly(Capability.ON_DEMAND_PAGING);
    }

    @Test
    void aFieldThatIsNotThereCannotBeRead() {
        queuePair.postSend(1, fixture.region.slice());
        fixture.fake().sends.execute();
        try (CompletionCursor poll = fixture.completions.poll()) {
            assertThat(poll.next()).isTrue();
            for (ThrowingCallable field : List.<ThrowingCallable>of(poll::timestamp, poll::wallclockNs)) {
                assertThat(catchThrowable(field))
                        .isInstanceOf(InvalidFieldException.class)
                        .hasMessageContaining("timestamp");
            }
        }
    }

    @Test
    void aPlainQueueNeedsNoExtendedCommand() {
        FakeContext provider = fixture.provider;
        assertThat(provider.createCompletionQueue(new CompletionQueueRequest(8, 0, -1, 0, false, false)))
                .isNotNull();
    }

    @Test
    void tablesOfAPort() {
        Context context = fixture.context;
        assertThat(context.pkeyIndex(1, context.pkey(1, 0))).isZero();
        Refused.with(Errno.ENOENT, () -> context.pkeyIndex(1, 0x1234));
        assertThat(context.gid(1, context.gids(1).getFirst().index()))
                .isEqualTo(context.gids(1).getFirst());
        Refused.with(Errno.ENODATA, () -> context.gid(1, 1000));
        Refused.with(Errno.EINVAL, () -> context.gid(2, 0));
    }

    @Test
    void aClockConvertsItsTicks() {
        DeviceClock nanoseconds = new DeviceClock(1_000, 1_000_000, -1, 5_000_000);
        assertThat(nanoseconds.wallclockNs(1_500)).isEqualTo(5_000_500);
        assertThat(nanoseconds.wallclockNs(500)).isEqualTo(4_999_500);
        DeviceClock slow = new DeviceClock(0xffff_fff0L, 156_250, 0xffff_ffffL, 0);
        assertThat(slow.wallclockNs(0x10)).isEqualTo(204);
        assertThat(new DeviceClock(0, 156_250, -1, 0).wallclockNs(156_250_000L * 86_400))
                .isEqualTo(86_400_000_000_000L);
    }

    @Test
    void regionsHaveAddressesOfTheProgramsChoice() {
        MemoryRegion region =
                fixture.domain.register(Arena.ofAuto().allocate(64, 4096), 0x7000, Set.of(AccessFlag.LOCAL_WRITE));
        assertThat(region.address()).isEqualTo(0x7000);
        assertThat(region.slice(8, 8).remote().address()).isEqualTo(0x7008);
    }

    @Test
    void aChangeOfARegionIsCheckedFirst() {
        MemoryRegion region = fixture.region;
        Refused.with(Errno.EINVAL, () -> region.reregister().apply());
        Refused.with(
                Errno.EFAULT,
                () -> region.reregister()
                        .memory(java.lang.foreign.MemorySegment.ofArray(new byte[8]))
                        .apply());
        try (RegisteredArena arena = fixture.domain.arena(AccessFlag.LOCAL_WRITE)) {
            MemoryRegion slab = arena.allocateSlice(8).region();
            Refused.with(Errno.EINVAL, () -> slab.reregister().access(Set.of()).apply());
        }
    }
}
