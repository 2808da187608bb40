package dev.doorbell.bench.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doorbell.bench.Duel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Notices when messages over UDP have become much dearer than bare UDP. What else the machine does spoils rounds of
 * either, so the best round of each decides, and the limits are generous: docs/perf/udp.md has the figures.
 */
@Tag("perf")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class UdpGuardTest {
    private static final double MOST_BARE_ROUND_TRIPS = 4.0;
    private static final double LEAST_OF_BARE_THROUGHPUT = 0.25;
    private static final InetAddress CLIENT = InetAddress.ofLiteral("127.0.76.1");
    private static final InetAddress SERVER = InetAddress.ofLiteral("127.0.76.2");
    private static final long CHUNKS = 20;
    private static final long STREAM_BYTES = 32 << 20;
    private static final int ROUNDS = 60;
    private static final int FEWEST_ROUNDS = 6;
    private static final long PATIENCE_NS = 40_000_000_000L;

    private final Duel duel = new Duel(Optional.empty());

    @BeforeEach
    void needs() {
        assumeTrue(
                Runtime.getRuntime().availableProcessors() >= 2,
                "needs two processors: on one, two threads that wait for each other measure the scheduler");
        assumeTrue(System.getProperty("os.name").equals("Linux"), "the bare peers use the system calls of Linux");
    }

    @Test
    void aMessageThereAndBackCostsAFewBareRoundTrips() {
        try (Players bare = bare(BarePingPong::new);
                Connected connected = new Connected();
                Players messages = connected.players((role, end) -> new DoorbellPingPong(role, end, false))) {
            double floor = Double.MAX_VALUE;
            double best = Double.MAX_VALUE;
            Rounds rounds = new Rounds();
            while (rounds.goOn(best <= MOST_BARE_ROUND_TRIPS * floor)) {
                floor = Math.min(floor, bare.play(CHUNKS));
                best = Math.min(best, messages.play(CHUNKS));
            }
            needsQuiet(best <= MOST_BARE_ROUND_TRIPS * floor);
            assertThat(best / floor)
                    .as("SEND ping-pong in bare UDP ping-pongs, the best of each of up to %d rounds", ROUNDS)
                    .isLessThanOrEqualTo(MOST_BARE_ROUND_TRIPS);
        }
    }

    @Test
    void aStreamOfWritesIsNotMuchSlowerThanABareOne() {
        try (Players bare = bare(BareStream::new);
                Connected connected = new Connected();
                Players writes = connected.players((role, end) -> new DoorbellStream(role, end, false))) {
            double floor = 0;
            double best = 0;
            Rounds rounds = new Rounds();
            while (rounds.goOn(best >= LEAST_OF_BARE_THROUGHPUT * floor)) {
                floor = Math.max(floor, bare.play(STREAM_BYTES));
                best = Math.max(best, writes.play(STREAM_BYTES));
            }
            needsQuiet(best >= LEAST_OF_BARE_THROUGHPUT * floor);
            assertThat(best / floor)
                    .as("WRITEs of 1 MiB, of the throughput of bare UDP, the best of each of up to %d rounds", ROUNDS)
                    .isGreaterThanOrEqualTo(LEAST_OF_BARE_THROUGHPUT);
        }
    }

    /** A figure that is not well says nothing where others want the processors too. */
    private static void needsQuiet(boolean well) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int processors = Runtime.getRuntime().availableProcessors();
        if (!well && load > 2 * processors) {
            abort("the machine is too busy to measure: a load of " + load + " on " + processors + " processors");
        }
    }

    /** Counts rounds, and gives up where they take too long to mean anything. */
    private static final class Rounds {
        private final long start = System.nanoTime();
        private int played;

        /** A round of either may be spoilt, so that a few must have been played before anything is well. */
        boolean goOn(boolean well) {
            if (well && played >= FEWEST_ROUNDS) {
                return false;
            }
            if (System.nanoTime() - start > PATIENCE_NS) {
                if (played < FEWEST_ROUNDS) {
                    abort("the machine is too busy to measure: " + played + " rounds took 40 seconds");
                }
                return false;
            }
            return played++ < ROUNDS;
        }
    }

    private interface Maker<T> {
        Player make(Role role, T with);
    }

    private Players bare(Maker<BareSocket> maker) {
        return new Players(
                maker.make(Role.CLIENT, new BareSocket(CLIENT, Role.CLIENT.port(), SERVER, Role.SERVER.port())),
                maker.make(Role.SERVER, new BareSocket(SERVER, Role.SERVER.port(), CLIENT, Role.CLIENT.port())));
    }

    /** Two ends in two threads. */
    private final class Players implements AutoCloseable {
        private final Player client;
        private final Player server;

        Players(Player client, Player server) {
            this.client = client;
            this.server = server;
        }

        double play(long amount) {
            return duel.run(() -> client.play(amount), () -> {
                double _ = server.play(amount);
            });
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    /** Two devices of this process that reach each other through sockets. */
    private final class Connected implements AutoCloseable {
        private final SoftNetwork network = SoftNetwork.builder()
                .udp(UnaryOperator.identity())
                .device("soft0", CLIENT)
                .device("soft1", SERVER)
                .build();

        Players players(Maker<DoorbellEnd> maker) {
            List<Device> devices = DeviceCatalog.of(
                            List.of(network), DeviceCatalog.installed().providers())
                    .devices();
            DoorbellEnd client = new DoorbellEnd(devices.getFirst().open());
            DoorbellEnd server = new DoorbellEnd(devices.getLast().open());
            for (KernelDevice device : network.devices()) {
                String link = device.properties().getOrDefault("link", "");
                assumeTrue(link.startsWith("UDP"), "rdma_rxe holds UDP port 4791: " + link);
            }
            client.connect(server.describe());
            server.connect(client.describe());
            return new Players(maker.make(Role.CLIENT, client), maker.make(Role.SERVER, server));
        }

        @Override
        public void close() {
            network.close();
        }
    }
}
