package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random traffic over links that lose, duplicate and reorder: without acknowledgements a message arrives whole or not at
 * all, and never mixed with another.
 */
@Timeout(300)
class UnreliableSoakTest {
    private static final int BYTES = 6000;
    private static final int SLOTS = 32;
    private static final int ROUNDS = 40;

    @ParameterizedTest
    @CsvSource({"UC, 0.0", "UC, 0.01", "UC, 0.15", "UD, 0.0", "UD, 0.01", "UD, 0.15"})
    void messagesArriveWholeOrNotAtAll(QueuePairType type, double probability) {
        int arrived = 0;
        int sent = 0;
        for (long seed = 0; seed < 10; seed++) {
            Traffic traffic = new Traffic(type, seed, probability);
            traffic.run();
            arrived += traffic.arrived;
            sent += traffic.sent;
        }
        if (probability == 0) {
            assertThat(arrived).as("without faults").isEqualTo(sent);
        } else {
            assertThat(arrived).as("with faults, of %d", sent).isBetween(sent / 5, 2 * sent);
        }
    }

    private static final class Traffic {
        private final QueuePairType type;
        private final SplittableRandom random;
        private final Wire wire;
        private final Endpoint one;
        private final Endpoint other;
        private final Device.Buffer source;
        private final Device.Buffer inbox;
        private final int largest;
        private final String what;
        private int posted;
        private int sent;
        private int arrived;

        Traffic(QueuePairType type, long seed, double probability) {
            this.type = type;
            what = type + ", seed " + seed + " at " + probability;
            random = new SplittableRandom(seed);
            wire = new Wire(FaultInjector.seeded(seed), faults(seed + 77, probability));
            Endpoint.Options options = Endpoint.Options.of(type);
            options.mtu = 1 + random.nextInt(5);
            options.sendPsn = random.nextInt(1 << 24);
            options.receivePsn = options.sendPsn;
            one = wire.left.endpoint(options);
            other = wire.right.endpoint(options);
            Endpoint.connect(one, other);
            largest = type == QueuePairType.UD ? 4096 : BYTES;
            source = wire.left.buffer(largest + 256L).fill(seed);
            inbox = wire.right.buffer((long) SLOTS * (BYTES + GrhArea.SIZE));
        }

        private static FaultInjector faults(long seed, double probability) {
            return FaultInjector.seeded(seed)
                    .loss(probability)
                    .duplication(probability)
                    .reordering(probability)
                    .hold(Duration.ofNanos(20_000));
        }

        void run() {
            for (int round = 0; round < ROUNDS; round++) {
                while (posted - arrived < SLOTS) {
                    post(posted++);
                }
                int burst = 1 + random.nextInt(4);
                for (int message = 0; message < burst; message++) {
                    send();
                }
                wire.finish();
                check(burst);
            }
            assertThat(one.queuePair.state()).as(what).isEqualTo(QueuePairState.RTS);
            assertThat(other.queuePair.state()).as(what).isEqualTo(QueuePairState.RTS);
        }

        private void post(int id) {
            long at = (long) (id % SLOTS) * (BYTES + GrhArea.SIZE);
            inbox.memory().asSlice(at, BYTES + GrhArea.SIZE).fill((byte) 0);
            other.receive(id, sge(inbox, at, BYTES + GrhArea.SIZE));
        }

        /** The first eight bytes say where in the source the message lies, and how long it is. */
        private void send() {
            int size = Math.max(8, size());
            int at = random.nextInt(256);
            long saved = Host.getLong(source.memory(), at);
            Host.setLong(source.memory(), at, (long) at << 32 | size);
            Endpoint.Sge data = sge(source, at, size);
            if (type == QueuePairType.UD) {
                one.datagram(sent, handle(), other.queuePair.number(), one.options.qkey, data);
            } else {
                one.send(sent, data);
            }
            Host.setLong(source.memory(), at, saved);
            sent++;
        }

        private HcaAddressHandle handle() {
            return one.address(wire.right.gid);
        }

        private int size() {
            return switch (random.nextInt(3)) {
                case 0 -> random.nextInt(20);
                case 1 -> Math.min(largest, (256 << random.nextInt(5)) + random.nextInt(-1, 2));
                default -> random.nextInt(largest);
            };
        }

        private void check(int burst) {
            assertThat(one.sent()).as(what).hasSize(burst);
            for (Endpoint.Done done : other.received()) {
                assertThat(done.status()).as(what).isEqualTo(WorkCompletionStatus.SUCCESS);
                assertThat(done.id()).as(what).isEqualTo(arrived);
                int header = type == QueuePairType.UD ? GrhArea.SIZE : 0;
                long start = done.id() % SLOTS * (BYTES + GrhArea.SIZE) + header;
                long label = Host.getLong(inbox.memory(), start);
                int at = (int) (label >>> 32);
                int size = (int) label;
                assertThat(done.bytes()).as(what).isEqualTo(size + (long) header);
                MemorySegment whole = source.memory().asSlice(at + 8L, size - 8L);
                assertThat(whole.mismatch(inbox.memory().asSlice(start + 8, size - 8L)))
                        .as("%s, message %d", what, done.id())
                        .isEqualTo(-1);
                arrived++;
            }
        }
    }
}
