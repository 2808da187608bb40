package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.CompletionEvent;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.Loopback;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.link.UdpPlan.Carrier;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.WorkRequestOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices on the network: when they hold the port, what they do without it, and who is awake for a packet. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class UdpDeviceTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long COOKIE = 0xfeed_0000_0002L;
    private static final int PORT = 4791;

    private static SoftNetwork network(Carrier carrier, InetAddress... addresses) {
        SoftNetwork.Builder builder = SoftNetwork.builder().udp(plan -> plan.with(carrier));
        for (int i = 0; i < addresses.length; i++) {
            builder.device("soft" + i, addresses[i]);
        }
        return builder.build();
    }

    private static DatagramChannel hold(InetAddress address) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            return channel.bind(new InetSocketAddress(address, PORT));
        } catch (BindException held) {
            channel.close();
            throw held;
        }
    }

    private static boolean isFree(InetAddress address) throws IOException {
        try (DatagramChannel held = hold(address)) {
            return held.isOpen();
        } catch (BindException taken) {
            return false;
        }
    }

    private static Gid gid(SoftDevice device) {
        return device.gids(1).get(1).gid();
    }

    private static String link(SoftDevice device) {
        return device.properties().getOrDefault("link", "");
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void thePortIsHeldWhileAContextIsOpen(Carrier carrier) throws IOException {
        InetAddress address = Loopback.next();
        try (SoftNetwork network = network(carrier, address)) {
            SoftDevice device = network.device("soft0");
            assertThat(device.gids(1)).hasSize(2);
            assertThat(link(device)).isEqualTo("UDP port 4791, bound when the device is opened");
            assertThat(isFree(address)).as("a listed device holds nothing").isTrue();
            try (Program one = Program.start(device)) {
                assertThat(link(device)).startsWith("UDP " + address.getHostAddress() + " port 4791, ");
                assertThat(isFree(address)).isFalse();
                try (Program another = Program.start(device)) {
                    assertThat(another.channel.description()).isNotEqualTo(one.channel.description());
                }
                assertThat(isFree(address)).as("one context is left").isFalse();
            }
            assertThat(isFree(address)).as("none is left").isTrue();
            try (Program again = Program.start(device)) {
                assertThat(isFree(address)).isFalse();
                assertThat(again.channel.description()).contains("soft0");
            }
        }
        assertThat(isFree(address)).isTrue();
    }

    @Test
    void theNextFreeLoopbackAddressIsTaken() {
        Loopback.next();
        try (SoftNetwork first = SoftNetwork.builder()
                        .udp(UnaryOperator.identity())
                        .device("soft0")
                        .build();
                SoftNetwork second = SoftNetwork.builder()
                        .udp(UnaryOperator.identity())
                        .device("soft0")
                        .build()) {
            SoftDevice one = first.device("soft0");
            SoftDevice other = second.device("soft0");
            assertThat(gid(one)).isEqualTo(Gid.of(InetAddress.ofLiteral("127.0.0.1")));
            try (Program left = Program.start(one);
                    Program right = Program.start(other)) {
                assertThat(gid(other)).isNotEqualTo(gid(one));
                assertThat(gid(other).toString()).startsWith("::ffff:127.0.0.");
                assertThat(other.nodeGuid()).isNotEqualTo(one.nodeGuid());
                assertThat(left.channel.description()).isNotEmpty();
                assertThat(right.channel.description()).isNotEmpty();
            }
        }
    }

    /** As where rdma_rxe holds the port: at the addresses of all devices. */
    @ParameterizedTest
    @CsvSource({"LINUX", "PORTABLE"})
    void withoutThePortDevicesReachEachOtherInThisProcess(Carrier carrier) throws IOException {
        InetAddress here = Loopback.next();
        InetAddress there = Loopback.next();
        try (DatagramChannel one = hold(here);
                DatagramChannel other = hold(there);
                SoftNetwork network = network(carrier, here, there);
                Ends ends = new Ends(network)) {
            assertThat(one.isOpen() && other.isOpen()).isTrue();
            assertThat(link(ends.left.device))
                    .startsWith("local only, port 4791 held")
                    .contains(here.getHostAddress());
            ends.exchange();
            Connection self = new Connection(ends.left.program, -1, 3);
            Connection same = new Connection(ends.left.program, -1, 4);
            Connection.connect(self, gid(ends.left.device), same, gid(ends.left.device));
            same.receive(1);
            self.send(1, 8);
            assertThat(same.poll()).isEqualTo(1);
        }
    }

    @Test
    void anAddressThatNoInterfaceHasIsWaitedFor() {
        try (SoftNetwork network = network(Carrier.LINUX, InetAddress.ofLiteral("192.0.2.77"));
                Program program = Program.start(network.device("soft0"))) {
            assertThat(link(network.device("soft0")))
                    .startsWith("UDP 192.0.2.77 port 4791, down: no interface has 192.0.2.77, ");
            assertThat(program.channel.description()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void devicesExchangeAndPassiveTargetsServe(Carrier carrier) {
        try (SoftNetwork network = network(carrier, Loopback.next(), Loopback.next());
                Ends ends = new Ends(network)) {
            ends.exchange();
            for (int round = 0; round < 200; round++) {
                ends.writeToWhoNeverPolls(round);
            }
            assertThat(ends.right.device.counters()).doesNotContainKey("dropped_bad_icrc");
        }
    }

    @ParameterizedTest
    @CsvSource({"LINUX, false", "LINUX, true", "PORTABLE, false", "PORTABLE, true"})
    void waitersSleepUntilAPacketComes(Carrier carrier, boolean virtual) throws Exception {
        try (SoftNetwork network = network(carrier, Loopback.next(), Loopback.next());
                Ends ends = new Ends(network)) {
            ThreadFactory threads =
                    virtual ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
            for (int round = 0; round < 100; round++) {
                FutureTask<Integer> waiter = ends.right.waitForEvent(threads);
                ends.left.connection.send(round, 8);
                assertThat(waiter.get()).isEqualTo(CompletionEvent.SIZE);
                assertThat(ends.right.connection.poll()).isEqualTo(round);
                while (ends.left.connection.poll() < 0) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void anInterruptWakesNobodyAndClosesNothing() throws Exception {
        try (SoftNetwork network = network(Carrier.LINUX, Loopback.next(), Loopback.next());
                Ends ends = new Ends(network)) {
            Thread[] thread = new Thread[1];
            FutureTask<Integer> waiter = ends.right.waitForEvent(task -> {
                thread[0] = Thread.ofPlatform().unstarted(task);
                return thread[0];
            });
            for (int i = 0; i < 5; i++) {
                thread[0].interrupt();
            }
            ends.left.connection.send(7, 8);
            assertThat(waiter.get()).isEqualTo(CompletionEvent.SIZE);
            assertThat(ends.right.connection.poll()).isZero();
            assertThat(Ends.await(ends.left.connection)).isEqualTo(7);
            ends.exchange();
        }
    }

    /** A device and what a program has on it. */
    private static final class End implements AutoCloseable {
        final SoftDevice device;
        final Program program;
        final int channel;
        final Connection connection;

        End(SoftDevice device) {
            this.device = device;
            this.program = Program.start(device);
            this.channel = program.completionChannel();
            this.connection = new Connection(program, channel, COOKIE);
        }

        /** Posts a receive, arms, and has a thread wait for the event. */
        FutureTask<Integer> waitForEvent(ThreadFactory threads) {
            connection.receive(round++);
            assertThat(program.send(
                            UverbsCommand.REQ_NOTIFY_CQ,
                            ReqNotifyCq.SIZE,
                            0,
                            in -> ReqNotifyCq.setCqHandle(in, 0, connection.completionQueue)))
                    .isZero();
            EventFile events = program.channel.eventFile(channel);
            MemorySegment record = program.arena.allocate(CompletionEvent.SIZE);
            FutureTask<Integer> waiter = new FutureTask<>(() -> events.read(record, PATIENCE_NS));
            threads.newThread(waiter).start();
            return waiter;
        }

        private int round;

        @Override
        public void close() {
            program.close();
        }
    }

    /** Two connected devices. */
    private static final class Ends implements AutoCloseable {
        final End left;
        final End right;

        Ends(SoftNetwork network) {
            left = new End(network.device("soft0"));
            right = new End(network.device("soft1"));
            Connection.connect(left.connection, gid(left.device), right.connection, gid(right.device));
        }

        void exchange() {
            right.connection.receive(5);
            Host.setLong(left.connection.buffer, 0, 0x1122_3344_5566_7788L);
            assertThat(left.connection.send(4, 8)).isZero();
            assertThat(await(right.connection)).isEqualTo(5);
            assertThat(Host.getLong(right.connection.buffer, 0)).isEqualTo(0x1122_3344_5566_7788L);
            assertThat(await(left.connection)).isEqualTo(4);
        }

        void writeToWhoNeverPolls(long value) {
            Host.setLong(left.connection.buffer, 0, value);
            left.connection.write(value, 8, WorkRequestOpcode.RDMA_WRITE, at -> {
                RxeRdmaWr.setRemoteAddr(left.connection.sends.memory(), at, right.connection.buffer.address());
                RxeSendWqe.setIova(left.connection.sends.memory(), at, right.connection.buffer.address());
                RxeRdmaWr.setRkey(left.connection.sends.memory(), at, right.connection.key);
            });
            assertThat(left.connection.doorbell.ring()).isZero();
            assertThat(await(left.connection)).isEqualTo(value);
            assertThat(left.connection.lastStatus).isZero();
            assertThat(Host.getLong(right.connection.buffer, 0)).isEqualTo(value);
        }

        private static long await(Connection connection) {
            long id = connection.poll();
            while (id < 0 && !Thread.currentThread().isInterrupted()) {
                id = connection.poll();
            }
            return id;
        }

        @Override
        public void close() {
            left.close();
            right.close();
        }
    }
}
