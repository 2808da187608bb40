package dev.doorbell.quality.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.quality.rings.Mlx5Attacker.Target;
import dev.doorbell.quality.stack.TappedKernel;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.spi.DeviceCatalog;
import dev.doorbell.verbs.spi.Provider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program that writes garbage into everything which it shares with an mlx5 device, while it posts and polls: it harms itself alone. The
 * device does not fail, another program's queue pairs on it deliver as before, memory that was not granted stays as it was, and
 * nothing is left when the program closes. The driver answers with completions and verbs exceptions, whatever it reads.
 */
@Timeout(120)
final class Mlx5TamperingTest {
    private static final int SEEDS = 100;
    private static final int ROUNDS = 12;
    private static final int BYTES = 4096;
    private static final byte SECRET = 0x5a;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * Two connected queue pairs of one context, of which one takes its receives from a shared queue, or has no send queue, with a region that
     * peers may reach, and one that they may not.
     */
    private record Program(
            Context context,
            CompletionQueue completions,
            QueuePair left,
            QueuePair right,
            Optional<SharedReceiveQueue> shared,
            MemoryRegion region,
            MemoryRegion secret) {
        static Program on(Device device, boolean isShared) {
            Context context = device.open();
            ProtectionDomain domain = context.allocateProtectionDomain();
            CompletionQueue completions = context.createCompletionQueue(64);
            Optional<SharedReceiveQueue> shared =
                    isShared ? Optional.of(domain.sharedReceiveQueue(8).build()) : Optional.empty();
            QueuePair left = queuePair(domain, completions).depth(8, 8).build();
            QueuePair right = shared.map(
                            queue -> queuePair(domain, completions).depth(8, 0).sharedReceiveQueue(queue))
                    .orElseGet(() -> queuePair(domain, completions).depth(0, 8))
                    .build();
            left.connect(right.endpoint());
            right.connect(left.endpoint());
            MemorySegment secret = Arena.ofAuto().allocate(BYTES, BYTES).fill(SECRET);
            return new Program(
                    context,
                    completions,
                    left,
                    right,
                    shared,
                    domain.register(
                            Arena.ofAuto().allocate(BYTES, BYTES),
                            AccessFlag.LOCAL_WRITE,
                            AccessFlag.REMOTE_WRITE,
                            AccessFlag.REMOTE_READ),
                    domain.register(secret));
        }

        private static QueuePair.Builder queuePair(ProtectionDomain domain, CompletionQueue completions) {
            return domain.queuePair(completions).sge(2, 2).inline(64);
        }

        void post(int round) {
            try (ReceiveBatch batch = shared.map(SharedReceiveQueue::receives).orElseGet(right::receives)) {
                batch.receive(round).sge(region, 1024, 64);
                batch.submit();
            }
            try (SendBatch batch = left.batch()) {
                batch.send(round).sge(region, 0, 64).signaled();
                batch.write(round, region.address(), region.rkey())
                        .inline(region.segment(), 0, 48)
                        .signaled();
                batch.read(round, region.address(), region.rkey())
                        .sge(region, 2048, 64)
                        .signaled();
                batch.submit();
            }
        }

        /** Everything is delivered, and says so. */
        void exchange(int round) {
            Host.setInt(region.segment(), 0, round);
            post(round);
            int completed = completions.await(4, PATIENCE, completion -> {
                completion.requireSuccess();
                assertThat(completion.id()).isEqualTo(round);
            });
            assertThat(completed).isEqualTo(4);
            assertThat(Host.getInt(region.segment(), 1024)).isEqualTo(round);
            assertThat(Host.getInt(region.segment(), 2048)).isEqualTo(round);
        }

        /** Posts and polls whatever may come of it. */
        void struggle(int round) {
            try {
                post(round);
            } catch (VerbsException expected) {
                // The queue is full of what never completes, or the queue pair has failed.
            }
            try {
                completions.poll(8, completion -> {});
                completions.arm();
                completions.poll(8, completion -> {});
            } catch (VerbsException expected) {
                // Nothing in there need make sense.
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void whoeverWritesGarbageHarmsItselfAlone(Target target) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Mlx5Attacker attacker = new Mlx5Attacker();
            SoftNetwork network =
                    SoftNetwork.builder().devices(1).mlx5("soft0").seed(seed).build();
            try (Context other = attack(network, attacker, target, random)) {
                assertThat(other.device().name()).isEqualTo("soft0");
            }
            assertThat(network.census())
                    .allSatisfy((device, left) -> assertThat(left.isEmpty())
                            .as("left on %s: %s", device, left)
                            .isTrue());
            network.close();
        }
    }

    private static Context attack(SoftNetwork network, Mlx5Attacker attacker, Target target, Random random) {
        boolean isShared = random.nextBoolean();
        Program bystander = Program.on(device(DeviceCatalog.of(List.of(network), providers())), isShared);
        Program program = Program.on(
                device(DeviceCatalog.of(List.of(new TappedKernel(network, attacker::on)), providers())), isShared);
        attacker.spare(program.region().segment());
        attacker.spare(program.secret().segment());
        assertThat(attacker.places()).isGreaterThanOrEqualTo(5);
        for (int round = 1; round <= ROUNDS; round++) {
            program.struggle(round);
            attacker.spoil(target, random);
            program.struggle(round);
            bystander.exchange(round);
        }
        for (Program each : List.of(bystander, program)) {
            for (int at = 0; at < BYTES; at++) {
                assertThat(Host.getUnsignedByte(each.secret().segment(), at)).isEqualTo(SECRET);
            }
        }
        program.context().close();
        bystander.exchange(ROUNDS + 1);
        return bystander.context();
    }

    private static List<Provider> providers() {
        return DeviceCatalog.installed().providers();
    }

    private static Device device(DeviceCatalog catalog) {
        return catalog.devices().getFirst().withDriver("mlx5");
    }
}
