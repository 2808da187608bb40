package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.GidType;
import dev.doorbell.verbs.fake.FakeDevice;
import dev.doorbell.verbs.fake.FakeKernel;
import dev.doorbell.verbs.fake.FakeProvider;
import dev.doorbell.verbs.fake.FakeQueuePair;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OpeningTest {
    private final FakeDevice fake = new FakeDevice("acme0");
    private final Device device = DeviceCatalog.of(
                    List.of(new FakeKernel("fake 1.0", 0, fake)), List.of(new FakeProvider()))
            .devices()
            .getFirst();

    @Test
    void theStepsComeInTheClassicOrder() {
        List<OpenStep> steps = new ArrayList<>();
        try (Context context = device.open(steps::add)) {
            assertThat(context.isOpen()).isTrue();
        }

        assertThat(steps)
                .extracting(OpenStep::name)
                .containsExactly(
                        "enumerate",
                        "open the node",
                        "query the context and its capabilities",
                        "match and initialise the driver",
                        "hand back");
        assertThat(steps).allSatisfy(step -> {
            assertThat(step.elapsed()).isPositive();
            assertThat(step.toString())
                    .startsWith(step.name())
                    .doesNotContain("\n")
                    .endsWith(" ms)");
        });
        assertThat(steps.get(0).detail()).contains("acme0", "fake 1.0", "/dev/fake/acme0");
        assertThat(steps.get(1).detail()).isEqualTo("fake channel");
        assertThat(steps.get(2).detail()).contains("GET_CONTEXT QUERY_DEVICE", "2 completion vectors");
        assertThat(steps.get(3).detail()).contains("acme", "kernel driver id 4711", "ABI 2 of 1 to 3");
    }

    @Test
    void aContextSaysWhoServesIt() {
        try (Context context = device.open()) {
            assertThat(context.driver()).isEqualTo("acme");
            assertThat(context.driverAbi()).isEqualTo(2);
            assertThat(context.coreAbi()).isEqualTo(6);
            assertThat(context.commandFile()).isEqualTo("fake channel");
            assertThat(context.asyncFile()).isEqualTo("fd 42");
            assertThat(context.completionVectors()).isEqualTo(2);
            assertThat(context.operations())
                    .containsEntry("POST_SEND", FakeQueuePair.class.getName())
                    .doesNotContainKey("CREATE_AH");
            assertThat(context.query().maxQueuePairs()).isEqualTo(100);
            assertThat(context.queryPort(1).maxMessageSize()).isEqualTo(1L << 31);
            assertThat(context.gids(1)).isEqualTo(fake.gids);
            assertThat(context.pkey(1, 0)).isEqualTo(0xffff);
            assertThat(context).hasToString("context of acme0 (driver acme, fake channel)");
            Refused.with(Errno.EINVAL, "port 2", "1 to 1", () -> context.queryPort(2));
            Refused.with(Errno.EINVAL, "port 0", "1 to 1", () -> context.queryPort(0));
        }
        assertThat(fake.channel.log).endsWith("close events", "close");
    }

    @Test
    void anObserverSeesWhatGoesToTheKernelFromTheFirstCommandOn() {
        KernelCounters counters = new KernelCounters();
        try (Context context = device.open(OpenOptions.plain().observer(counters));
                ProtectionDomain domain = context.allocateProtectionDomain();
                RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE);
                CompletionQueue completions = context.createCompletionQueue(16);
                QueuePair queuePair = domain.queuePair(completions).depth(2, 2).build()) {
            queuePair.connect(queuePair.endpoint());
            queuePair.postSend(1, arena.allocateSlice(8));
            fake.channel.doorbellErrno = Errno.EIO;
            assertThatThrownBy(() -> queuePair.postSend(2, arena.allocateSlice(8)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("EIO")
                    .hasMessageContaining("in the queue all the same");
            fake.channel.refusals.put(UverbsCommand.ALLOC_PD, Errno.ENOMEM);
            assertThatThrownBy(context::allocateProtectionDomain).hasMessageContaining("ENOMEM");
            queuePair.close(Duration.ZERO);
        }

        assertThat(counters.commands())
                .containsKeys("GET_CONTEXT", "CREATE_QP", "MODIFY_QP", "DESTROY_QP", "DEREG_MR", "DEALLOC_PD");
        assertThat(Objects.requireNonNull(counters.commands().get("ALLOC_PD")).count())
                .isEqualTo(2);
        assertThat(Objects.requireNonNull(counters.commands().get("ALLOC_PD")).refusals())
                .containsEntry("ENOMEM", 1L);
        assertThat(Objects.requireNonNull(counters.commands().get("REG_MR")).elapsed())
                .isPositive();
        assertThat(counters.commandCount())
                .isEqualTo(fake.channel.log.stream()
                        .filter(line -> line.equals(line.toUpperCase(java.util.Locale.ROOT)))
                        .count());
        assertThat(counters.pins()).isEqualTo(1);
        assertThat(counters.pinnedBytes()).isEqualTo(RegisteredArena.DEFAULT_SLAB_BYTES);
        assertThat(counters.doorbells()).isEqualTo(2);
        assertThat(counters.systemCallDoorbells()).isEqualTo(2);
        assertThat(counters.refusedDoorbells()).isEqualTo(1);
        assertThat(counters.maps() + counters.unmaps()).isZero();
    }

    @Test
    void aNodeThatDoesNotOpenSaysErrnoAndRemedy() {
        fake.openFailure = new KernelException(Errno.EACCES, "/dev/fake/acme0: join the group rdma");

        assertThatThrownBy(device::open)
                .isInstanceOfSatisfying(
                        DeviceUnavailableException.class,
                        e -> assertThat(e.errno()).isEqualTo(Errno.EACCES))
                .hasMessageContaining("join the group rdma")
                .hasCause(fake.openFailure);
    }

    @Test
    void aDriverThatDoesNotStartLeavesNothingOpen() {
        fake.channel.refusals.put(UverbsCommand.GET_CONTEXT, Errno.ENOMEM);

        assertThatThrownBy(device::open)
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageContaining("ENOMEM")
                .hasMessageContaining("acme could not start");
        assertThat(fake.channel.log).endsWith("close");
    }

    @Test
    void aListenerThatThrowsLeavesNothingOpen() {
        assertThatThrownBy(() -> device.open(step -> {
                    if (step.name().equals("hand back")) {
                        throw new IllegalStateException("no thanks");
                    }
                }))
                .hasMessage("no thanks");
        assertThat(fake.channel.log).endsWith("close");
    }

    @Test
    void whatADriverLacksAnswersNotSupported() {
        fake.channel.refusals.put(UverbsCommand.ALLOC_PD, Errno.EOPNOTSUPP);
        try (Context context = device.open()) {
            assertThatThrownBy(context::allocateProtectionDomain)
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("EOPNOTSUPP");
        }
    }

    @Test
    void theGidIsChosenWithAReason() {
        try (Context context = device.open()) {
            GidChoice choice = context.chooseGid(1);
            assertThat(choice.entry().index()).isEqualTo(1);
            assertThat(choice.reason())
                    .isEqualTo("index 1 ::ffff:192.0.2.7: RoCE v2 over IPv4 on eth0; passed over index 0"
                            + " fe80::1 (link-local, which reaches one link only)");

            fake.gids = List.of(FakeDevice.gid(4, "192.0.2.1", GidType.ROCE_V2, ""));
            assertThatThrownBy(() -> context.chooseGid(1))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ENODATA")
                    .hasMessageContaining("index 4 ::ffff:192.0.2.1 (its net device is not in this network namespace)");
            fake.gids = List.of();
            assertThatThrownBy(() -> context.chooseGid(1)).hasMessageContaining("its GID table is empty");
        }
    }
}
