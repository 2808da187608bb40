package dev.doorbell.quality.forgery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.testkit.Fabric;
import dev.doorbell.testkit.Loopback;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import dev.doorbell.wire.Icrc;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets that nobody should send, against devices in use. Nothing throws, no thread ends, no byte is written beside registered memory, what is not
 * aimed at goes on, and every packet is counted. A failure says its seed.
 */
@Timeout(240)
final class ForgedPacketsTest {
    private static final int PACKETS = 20_000;
    private static final int SALVO = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void inMemory(long seed) {
        try (Fabric fabric = Fabric.builder().seed(seed).build();
                Besieged besieged = new Besieged(fabric.device(0), fabric.device(1), seed);
                PacketLink stranger = fabric.join(Gid.ofIpv4(0x7f00_0909))) {
            Gid target = Gid.of(InetAddress.ofLiteral("127.0.0.2"));
            Gid[] sources = {Gid.of(InetAddress.ofLiteral("127.0.0.1")), Gid.ofIpv4(0x7f00_0909)};
            PacketForge forge = new PacketForge(seed);
            Transmitter transmitter = stranger.newTransmitter();
            for (int salvo = 0; salvo < PACKETS / SALVO; salvo++) {
                long before = taken(fabric.counters(1));
                for (int count = 0; count < SALVO; count++) {
                    int length = forge.next(besieged.target());
                    long at = transmitter.claim();
                    MemorySegment.copy(forge.packet(), 0, transmitter.memory(), at, length);
                    transmitter.send(length, sources[forge.chance(8) ? 1 : 0], target);
                    fabric.settle();
                }
                assertThat(taken(fabric.counters(1)) - before)
                        .as("packets taken or dropped for a reason, seed %d, salvo %d", seed, salvo)
                        .isBetween((long) SALVO, SALVO + SALVO / 4L);
                besieged.repair();
                besieged.exchange();
            }
            besieged.assertNothingElseWasWritten();
            assertThat(fabric.device(1).obstacle()).as("seed %d", seed).isEmpty();
        }
    }

    /** What the engine took, or dropped before it knew whose it was. Some that were taken count as malformed, too. */
    private static long taken(Map<String, Long> counters) {
        return sum(
                counters,
                "rcvd_pkts",
                "dropped_malformed",
                "dropped_unknown_qp",
                "dropped_transport_mismatch",
                "dropped_address_mismatch",
                "dropped_pkey_mismatch",
                "dropped_cnp");
    }

    private static long sum(Map<String, Long> counters, String... names) {
        long sum = 0;
        for (String name : names) {
            sum += counters.getOrDefault(name, 0L);
        }
        return sum;
    }

    /** The same through the operating system, to a device with a thread of its own. */
    @Test
    void throughSockets() throws IOException {
        long seed = 4;
        Assumptions.assumeTrue(
                System.getProperty("os.name", "").equals("Linux"), "needs the loopback addresses 127.0.0.0/8 of Linux");
        InetAddress left = Loopback.next();
        InetAddress right = Loopback.next();
        try (SoftNetwork network = SoftNetwork.builder()
                .udp(UnaryOperator.identity())
                .device("left", left)
                .device("right", right)
                .build()) {
            List<Device> devices = DeviceCatalog.of(
                            List.of(network), DeviceCatalog.installed().providers())
                    .devices();
            try (Besieged besieged = new Besieged(devices.get(0), devices.get(1), seed);
                    Forger forger = new Forger(left, right);
                    Forger third = new Forger(Loopback.next(), right)) {
                assertThat(devices.get(1).properties().get("link")).startsWith("UDP ");
                besieged.exchange();
                PacketForge forge = new PacketForge(seed);
                LongSupplier arrived = () -> sum(
                        network.device("right").counters(),
                        "link_received_packets",
                        "dropped_bad_icrc",
                        "dropped_too_short",
                        "dropped_truncated",
                        "dropped_receive_buffer_full");
                for (int salvo = 0; salvo < PACKETS / SALVO; salvo++) {
                    long before = arrived.getAsLong();
                    for (int count = 0; count < SALVO; count++) {
                        (forge.chance(8) ? third : forger).send(forge, besieged.target());
                    }
                    await(() -> arrived.getAsLong() - before >= SALVO);
                    // The left device may ask once more what it has asked before, on a busy machine.
                    assertThat(arrived.getAsLong() - before)
                            .as(
                                    "packets counted, seed %d, salvo %d, %s",
                                    seed, salvo, network.device("right").counters())
                            .isBetween((long) SALVO, SALVO + SALVO / 4L);
                    besieged.repair();
                    besieged.exchange();
                }
                besieged.assertNothingElseWasWritten();
                assertThat(devices.get(1).obstacle()).isEmpty();
                assertThat(network.device("right").counters().get("dropped_bad_icrc"))
                        .isPositive();
                assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .contains("doorbell-left", "doorbell-right");
            }
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Sends datagrams with its own address as the source, and the ICRC of a real sender, mostly. */
    private static final class Forger implements AutoCloseable {
        private final DatagramChannel channel;
        private final InetSocketAddress target;
        private final Icrc icrc;
        private final ByteBuffer datagram = ByteBuffer.allocateDirect(PacketForge.ROOM + Icrc.SIZE);

        Forger(InetAddress source, InetAddress target) throws IOException {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            for (SocketOption<?> option : channel.supportedOptions()) {
                if (option.name().equals("IP_DONTFRAGMENT") && option.type() == Boolean.class) {
                    dontFragment(option);
                }
            }
            channel.bind(new InetSocketAddress(source, 0));
            this.target = new InetSocketAddress(target, Icrc.PORT);
            this.icrc =
                    new Icrc(Gid.of(source), Gid.of(target), ((InetSocketAddress) channel.getLocalAddress()).getPort());
        }

        @SuppressWarnings("unchecked")
        private void dontFragment(SocketOption<?> option) throws IOException {
            channel.setOption((SocketOption<Boolean>) option, true);
        }

        void send(PacketForge forge, PacketForge.Target aim) throws IOException {
            int length = forge.next(aim);
            datagram.clear().limit(length);
            datagram.put(forge.packet().asSlice(0, length).asByteBuffer());
            int end = length;
            if (length >= 12) {
                datagram.clear();
                int right = icrc.compute(datagram, 0, length);
                datagram.clear();
                Icrc.store(datagram, length, forge.chance(16) ? ~right : right);
                end += Icrc.SIZE;
            }
            datagram.clear().limit(end);
            channel.send(datagram, target);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
