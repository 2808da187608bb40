package dev.doorbell.quality.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.link.HostAddresses.Place;
import dev.doorbell.soft.link.UdpPlan.Carrier;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortState;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.testkit.Loopback;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device whose address or interface goes and comes back, by the word of a scripted host. */
@Timeout(120)
final class PortEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** For what shall fail; what shall succeed must not depend on how busy the machine is. */
    private static final ConnectOptions HASTY =
            ConnectOptions.defaults().ackTimeout(Duration.ofMillis(1)).retryCount(3);

    private static final ConnectOptions PATIENT =
            ConnectOptions.defaults().ackTimeout(Duration.ofSeconds(1)).retryCount(7);
    private static final Place DOWN = new Place("lo", 1, false, 65_536);

    /** Two devices on the network; that on the left is the one to which things happen. */
    private static final class Hosts implements AutoCloseable {
        final ScriptedHost host = new ScriptedHost();
        final InetAddress here = address();
        final InetAddress there = address();
        final SoftNetwork network;
        final Context left;
        final Context right;
        final CompletionQueue completions;
        final ProtectionDomain domain;
        final ProtectionDomain otherDomain;
        final MemoryRegion memory;
        final MemoryRegion otherMemory;

        Hosts(Carrier carrier) {
            host.have(here, ScriptedHost.LOOPBACK);
            host.have(there, ScriptedHost.LOOPBACK);
            network = SoftNetwork.builder()
                    .udp(plan -> plan.withHost(host).with(carrier))
                    .device("soft0", here)
                    .device("soft1", there)
                    .build();
            List<Device> devices = DeviceCatalog.of(
                            List.of(network), DeviceCatalog.installed().providers())
                    .devices();
            left = devices.getFirst().open();
            right = devices.getLast().open();
            domain = left.allocateProtectionDomain();
            otherDomain = right.allocateProtectionDomain();
            memory = domain.register(Arena.ofAuto().allocate(8), AccessFlag.LOCAL_WRITE);
            otherMemory = otherDomain.register(Arena.ofAuto().allocate(8), AccessFlag.LOCAL_WRITE);
            completions = left.createCompletionQueue(32);
        }

        private static InetAddress address() {
            Assumptions.assumeTrue(
                    System.getProperty("os.name", "").equals("Linux"),
                    "needs the loopback addresses 127.0.0.0/8 of Linux");
            return Loopback.next();
        }

        /** A queue pair on the left that is connected to one on the right, which has a receive. */
        QueuePair connect(ConnectOptions options) {
            QueuePair sender = domain.queuePair(completions).depth(4, 4).build();
            QueuePair receiver = otherDomain
                    .queuePair(right.createCompletionQueue(8))
                    .depth(4, 4)
                    .build();
            sender.connect(receiver.endpoint(), options);
            receiver.connect(sender.endpoint(), options);
            receiver.postReceive(1, otherMemory.slice(0, 8));
            return sender;
        }

        void post(QueuePair sender) {
            sender.postSend(1, memory.slice(0, 8));
        }

        WorkCompletionStatus complete() {
            List<WorkCompletionStatus> status = new ArrayList<>();
            assertThat(completions.await(1, PATIENCE, completion -> status.add(completion.status())))
                    .isEqualTo(1);
            return status.getFirst();
        }

        WorkCompletionStatus send(QueuePair sender) {
            post(sender);
            return complete();
        }

        List<Gid> gids() {
            return left.gids(1).stream().map(GidEntry::gid).toList();
        }

        PortState state() {
            return left.queryPort(1).state();
        }

        String link() {
            return left.device().properties().getOrDefault("link", "");
        }

        /** The events are these, in this order, and no more. */
        void told(AsyncEventType... types) {
            for (AsyncEventType type : types) {
                Optional<AsyncEvent> event = left.events().await(PATIENCE);
                assertThat(event).contains(new AsyncEvent.OfPort(type, left.device(), 1));
            }
            assertThat(left.events().poll()).isEmpty();
            assertThat(right.events().poll()).as("the other port is as it was").isEmpty();
        }

        @Override
        public void close() {
            left.close();
            right.close();
            network.close();
            assertThat(host.listeners()).as("who still listens").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void anAddressThatGoesAndComesBack(Carrier carrier) {
        try (Hosts hosts = new Hosts(carrier)) {
            QueuePair before = hosts.connect(HASTY);
            assertThat(hosts.send(hosts.connect(PATIENT))).isEqualTo(WorkCompletionStatus.SUCCESS);
            Gid own = Gid.of(hosts.here);
            assertThat(hosts.gids()).hasSize(2).contains(own);

            hosts.host.lose(hosts.here);
            hosts.told(AsyncEventType.GID_CHANGE, AsyncEventType.PORT_ERR);
            assertThat(hosts.state()).isEqualTo(PortState.DOWN);
            assertThat(hosts.left.device().counters(1)).containsEntry("link_downed", 1L);
            assertThat(hosts.gids()).hasSize(1).doesNotContain(own);
            assertThat(hosts.link()).contains("down: no interface has " + hosts.here.getHostAddress());
            assertThat(hosts.send(before)).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(hosts.left.device().counters(1)).containsKey("dropped_link_down");

            hosts.host.have(hosts.here, ScriptedHost.LOOPBACK);
            hosts.told(AsyncEventType.GID_CHANGE, AsyncEventType.PORT_ACTIVE);
            assertThat(hosts.state()).isEqualTo(PortState.ACTIVE);
            assertThat(hosts.gids()).contains(own);
            assertThat(hosts.send(hosts.connect(PATIENT))).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void whatIsUnderWaySurvivesAShortAbsence(Carrier carrier) {
        try (Hosts hosts = new Hosts(carrier)) {
            QueuePair sender = hosts.connect(PATIENT);
            hosts.host.lose(hosts.here);
            hosts.post(sender);
            hosts.host.have(hosts.here, ScriptedHost.LOOPBACK);
            assertThat(hosts.complete()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void anInterfaceThatGoesDownAndUp(Carrier carrier) {
        try (Hosts hosts = new Hosts(carrier)) {
            hosts.host.have(hosts.here, DOWN);
            hosts.told(AsyncEventType.PORT_ERR);
            hosts.host.have(hosts.here, DOWN);
            hosts.told();
            assertThat(hosts.state()).isEqualTo(PortState.DOWN);
            assertThat(hosts.link()).contains("down: lo is down");
            assertThat(hosts.gids()).as("it has its address").hasSize(2);
            assertThat(hosts.send(hosts.connect(HASTY))).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);

            hosts.host.have(hosts.here, ScriptedHost.LOOPBACK);
            hosts.told(AsyncEventType.PORT_ACTIVE);
            assertThat(hosts.send(hosts.connect(PATIENT))).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    /** The sockets are bound anew, and queue pairs that were connected before use the new ones. */
    @ParameterizedTest
    @EnumSource(Carrier.class)
    void anInterfaceThatIsMadeAnew(Carrier carrier) {
        try (Hosts hosts = new Hosts(carrier)) {
            QueuePair sender = hosts.connect(PATIENT);
            hosts.host.lose(hosts.here);
            hosts.told(AsyncEventType.GID_CHANGE, AsyncEventType.PORT_ERR);
            hosts.post(sender);
            hosts.host.have(hosts.here, new Place("lo", 7, true, 65_536));
            hosts.told(AsyncEventType.GID_CHANGE, AsyncEventType.PORT_ACTIVE);
            assertThat(hosts.complete()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void theMtuFollowsTheInterface(Carrier carrier) {
        try (Hosts hosts = new Hosts(carrier)) {
            assertThat(hosts.left.queryPort(1).activeMtu()).isEqualTo(Mtu.MTU_4096);
            hosts.host.have(hosts.here, new Place("lo", 1, true, 1500));
            assertThat(hosts.left.queryPort(1).activeMtu()).isEqualTo(Mtu.MTU_1024);
            hosts.told();
            hosts.host.lose(hosts.here);
            assertThat(hosts.left.queryPort(1).activeMtu()).isEqualTo(Mtu.MTU_1024);
        }
    }

    /** A device whose port is down when it is opened says so without an event, and comes up. */
    @ParameterizedTest
    @EnumSource(Carrier.class)
    void opensWhileItsInterfaceIsDown(Carrier carrier) {
        try (Hosts hosts = new Hosts(carrier)) {
            Device device = hosts.left.device();
            hosts.left.close();
            hosts.host.have(hosts.here, DOWN);
            try (Context again = device.open()) {
                assertThat(again.queryPort(1).state()).isEqualTo(PortState.DOWN);
                assertThat(again.events().poll()).isEmpty();
                hosts.host.have(hosts.here, ScriptedHost.LOOPBACK);
                assertThat(again.events().await(PATIENCE))
                        .contains(new AsyncEvent.OfPort(AsyncEventType.PORT_ACTIVE, device, 1));
            }
        }
    }

    /** The waiter parks when there is nothing yet to wait for at the link, and holds nobody up afterwards. */
    @ParameterizedTest
    @EnumSource(Carrier.class)
    void aTargetServesThoughSomebodyHasWaitedForEventsSinceBefore(Carrier carrier) throws InterruptedException {
        try (Hosts hosts = new Hosts(carrier)) {
            Thread waiter = Thread.ofPlatform().start(() -> hosts.right.events().await(PATIENCE));
            while (waiter.getState() == Thread.State.RUNNABLE || waiter.getState() == Thread.State.NEW) {
                Thread.onSpinWait();
            }
            assertThat(hosts.send(hosts.connect(PATIENT))).isEqualTo(WorkCompletionStatus.SUCCESS);
            hosts.host.have(hosts.there, DOWN);
            waiter.join();
        }
    }
}
