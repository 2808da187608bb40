package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.TappedKernel;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A kernel whose answers cannot be relied on: numbers, sizes, offsets, states and keys that make no sense. Whatever it says, a
 * program gets an exception of the API or goes on, and everything closes.
 */
@Timeout(120)
final class LyingKernelTest {
    /** System property: how many kernels there are, for those who look for what is rare. */
    private static final String ROUNDS = "doorbell.lies.rounds";

    private static final AccessFlag[] EVERYTHING = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.MW_BIND
    };
    private static final Duration MOMENT = Duration.ofMillis(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyCallEndsInAnExceptionOfTheApiOrAtAll(boolean isMlx5) {
        int rounds = Integer.getInteger(ROUNDS, 300);
        Map<String, Throwable> surprises = new TreeMap<>();
        for (int seed = 0; seed < rounds; seed++) {
            try {
                live(isMlx5, new SplittableRandom(seed));
            } catch (RuntimeException | Error e) {
                surprises.putIfAbsent(
                        e.getClass() + " at " + e.getStackTrace()[0], new AssertionError("seed " + seed, e));
            }
        }
        assertThat(surprises).isEmpty();
    }

    private static void live(boolean isMlx5, SplittableRandom chance) {
        SoftNetwork.Builder builder = SoftNetwork.builder().devices(1).seed(1);
        if (isMlx5) {
            builder.mlx5("soft0");
        }
        try (SoftNetwork network = builder.build()) {
            SplittableRandom lies = chance.split();
            int truths = chance.nextInt(2, 40);
            Device device = DeviceCatalog.of(
                            List.of(new TappedKernel(network, channel -> new LyingChannel(channel, lies, truths))),
                            DeviceCatalog.installed().providers())
                    .devices()
                    .getFirst();
            tolerate(() -> {
                Context context = device.open();
                try {
                    tolerate(() -> use(context));
                } finally {
                    tolerate(context::close);
                }
            });
            network.census().forEach((name, left) -> {
                if (!left.isEmpty()) {
                    throw new AssertionError("left on " + name + ": " + left);
                }
            });
        }
    }

    private static void tolerate(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            // As it should be.
        }
    }

    private static void use(Context context) {
        tolerate(context::query);
        tolerate(context::queryExtended);
        tolerate(context::capabilities);
        tolerate(() -> context.queryPort(1));
        tolerate(() -> context.gids(1));
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue completions = context.createCompletionQueue(64);
        MemoryRegion region = domain.register(Arena.ofAuto().allocate(4096, 4096), EVERYTHING);
        tolerate(() -> share(domain, completions, region));
        QueuePair one = domain.queuePair(completions).depth(8, 8).inline(32).build();
        QueuePair other = domain.queuePair(completions).depth(8, 8).sge(2, 2).build();
        tolerate(() -> completions.resize(100));
        tolerate(() -> one.connect(other.endpoint()));
        tolerate(() -> other.connect(one.endpoint()));
        tolerate(one::query);
        tolerate(() -> other.postReceive(1, region.slice(0, 64)));
        tolerate(() -> post(one, region));
        tolerate(() -> completions.await(
                2,
                MOMENT,
                completion -> assertThat(completion.copy().toString()).isNotEmpty()));
        tolerate(
                () -> region.reregister().access(Set.of(AccessFlag.LOCAL_WRITE)).apply());
        tolerate(() -> domain.createAddressHandle(one.endpoint()).close());
        tolerate(() -> domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2).close());
        tolerate(() -> one.modify(
                QueuePairAttributes.builder().state(QueuePairState.RESET).build()));
        tolerate(() -> other.close(MOMENT));
        tolerate(() -> one.close(MOMENT));
        tolerate(region::close);
        tolerate(completions::close);
        tolerate(domain::close);
    }

    private static void share(ProtectionDomain domain, CompletionQueue completions, MemoryRegion region) {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(8).sge(2).build();
        QueuePair taker = domain.queuePair(completions)
                .depth(4, 0)
                .sharedReceiveQueue(shared)
                .build();
        tolerate(() -> shared.postReceive(1, region.slice(0, 64)));
        tolerate(() -> shared.resize(12));
        tolerate(() -> shared.armLimit(1));
        tolerate(shared::query);
        tolerate(() -> taker.close(MOMENT));
        tolerate(shared::close);
    }

    private static void post(QueuePair queuePair, MemoryRegion region) {
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(region, 0, 8).signaled();
            batch.write(2, region.remote(), 64)
                    .inline(
                            region.segment(),
                            0,
                            Math.min(32, queuePair.capacity().maxInline()));
            batch.submit();
        }
    }
}
