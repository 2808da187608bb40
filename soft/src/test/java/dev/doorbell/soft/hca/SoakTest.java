package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random conversations over links that lose, duplicate and reorder: every byte and every completion, in order. */
@Timeout(300)
class SoakTest {
    private static final int BYTES = 20_000;
    private static final int ROUNDS = 60;

    @ParameterizedTest
    @CsvSource({"0.01", "0.05", "0.10"})
    void conversationsSurviveFaults(double probability) {
        for (long seed = 0; seed < 12; seed++) {
            new Conversation(seed, probability).run();
        }
    }

    private static final class Conversation {
        private final SplittableRandom random;
        private final Wire wire;
        private final Endpoint one;
        private final Endpoint other;
        private final Device.Buffer source;
        private final Device.Buffer local;
        private final Device.Buffer inbox;
        private final Device.Buffer remote;
        private final Device.Buffer counter;
        private final Device.Buffer result;
        private final String what;
        private long added;

        Conversation(long seed, double probability) {
            what = "seed " + seed + " at " + probability;
            random = new SplittableRandom(seed);
            wire = new Wire(faults(seed * 2 + 1, probability), faults(seed * 2 + 2, probability));
            Endpoint.Options options = new Endpoint.Options();
            options.mtu = 1 + random.nextInt(5);
            options.sendPsn = random.nextInt(1 << 24);
            options.receivePsn = options.sendPsn;
            options.depth = 1 + random.nextInt(8);
            one = wire.left.endpoint(options);
            other = wire.right.endpoint(options);
            Endpoint.connect(one, other);
            source = wire.left.buffer(BYTES).fill(seed);
            local = wire.left.buffer(BYTES);
            inbox = wire.right.buffer(BYTES);
            remote = wire.right.buffer(BYTES);
            counter = wire.right.buffer(8);
            result = wire.left.buffer(8);
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
                round(round);
            }
            assertThat(Host.getLong(counter.memory(), 0)).as(what).isEqualTo(added);
        }

        private void round(int round) {
            long first = 1000L * round;
            int size = size();
            int offset = random.nextInt(BYTES - size + 1);
            local.memory().fill((byte) round);
            inbox.memory().fill((byte) ~round);
            long delta = random.nextLong();
            other.receive(first, sge(inbox, 0, size));
            one.write(first, remote, offset, sge(source, offset, size));
            one.fetchAdd(first + 1, counter.address(), counter.key(), delta, sge(result));
            one.read(first + 2, remote, offset, sge(local, offset, size));
            one.send(first + 3, sge(source, offset, size));
            boolean late = random.nextInt(4) == 0;
            if (late) {
                one.send(first + 4, sge(source, 0, 16));
                wire.settle();
                other.receive(first + 4, sge(remote, 0, 16));
            }
            wire.finish();
            check(first, late ? 5 : 4, offset, size);
            assertThat(Host.getLong(result.memory(), 0)).as(what).isEqualTo(added);
            added += delta;
        }

        private void check(long first, int count, int offset, int size) {
            List<Long> ids = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                ids.add(first + index);
            }
            List<Endpoint.Done> sent = one.sent();
            assertThat(sent).as(what).extracting(Endpoint.Done::status).containsOnly(WorkCompletionStatus.SUCCESS);
            assertThat(sent).as(what).extracting(Endpoint.Done::id).isEqualTo(ids);
            assertThat(other.received())
                    .as(what)
                    .extracting(Endpoint.Done::id)
                    .isEqualTo(count == 5 ? List.of(first, first + 4) : List.of(first));
            long end = (long) offset + size;
            assertThat(MemorySegment.mismatch(source.memory(), offset, end, local.memory(), offset, end))
                    .as(what)
                    .isEqualTo(-1);
            assertThat(MemorySegment.mismatch(source.memory(), offset, end, inbox.memory(), 0, size))
                    .as(what)
                    .isEqualTo(-1);
        }

        private int size() {
            return switch (random.nextInt(4)) {
                case 0 -> random.nextInt(20);
                case 1 -> (256 << random.nextInt(4)) + random.nextInt(-1, 2);
                default -> random.nextInt(BYTES);
            };
        }
    }
}
