package dev.doorbell.quality.misuse;

import dev.doorbell.quality.stack.Workers;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AsyncEvents;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.VerbsException;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Every kind of object once, two connected queue pairs, and for each of them a thread that uses it in every way there is, until it
 * is told to stop.
 */
final class Crowd implements AutoCloseable {
    /** What may come of using what another thread closes, resets, fills, resizes or breaks. */
    private static final Set<String> EXPECTED = Set.of("EBADF", "EBUSY", "EINVAL", "ENOMEM", "ENOSPC", "EOPNOTSUPP");

    private static final AccessFlag[] EVERYTHING = {
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.REMOTE_ATOMIC,
        AccessFlag.MW_BIND
    };
    private static final Duration MOMENT = Duration.ofMillis(3);
    private static final int BYTES = 8192;

    private final SoftNetwork network;
    private final AtomicBoolean over = new AtomicBoolean();
    private final SplittableRandom random;
    private final Context context;
    private final Context peer;
    private final ProtectionDomain domain;
    private final ProtectionDomain peerDomain;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final CompletionQueue sharedCompletions;
    private final SharedReceiveQueue shared;
    private final QueuePair queuePair;
    private final QueuePair peerPair;
    private final QueuePair datagrams;
    private final MemoryRegion region;
    private final MemoryRegion peerRegion;
    private final RegisteredArena arena;
    private final MemoryWindow window;
    private final AddressHandle handle;

    Crowd(boolean isMlx5, int devices, long seed) {
        SoftNetwork.Builder builder = SoftNetwork.builder().devices(devices);
        for (int i = 0; i < devices && isMlx5; i++) {
            builder.mlx5("soft" + i);
        }
        this.random = new SplittableRandom(seed);
        this.network = builder.build();
        List<Device> all = DeviceCatalog.of(
                        List.of(network), DeviceCatalog.installed().providers())
                .devices();
        this.context = all.getFirst().open();
        this.peer = all.getLast().open();
        this.domain = context.allocateProtectionDomain();
        this.peerDomain = peer.allocateProtectionDomain();
        this.channel = context.createCompletionChannel();
        this.completions = context.completionQueue(128).channel(channel).build();
        this.sharedCompletions = peer.createCompletionQueue(128);
        this.shared = peerDomain.sharedReceiveQueue(16).sge(2).build();
        this.queuePair =
                domain.queuePair(completions).depth(16, 16).sge(2, 2).inline(32).build();
        this.peerPair = peerDomain
                .queuePair(sharedCompletions)
                .sharedReceiveQueue(shared)
                .depth(16, 0)
                .build();
        this.datagrams =
                domain.queuePair(completions).type(QueuePairType.UD).depth(8, 8).build();
        this.region = domain.register(Arena.ofAuto().allocate(BYTES, BYTES), EVERYTHING);
        this.peerRegion = peerDomain.register(Arena.ofAuto().allocate(BYTES, BYTES), EVERYTHING);
        this.arena = domain.arena(BYTES, EVERYTHING);
        this.window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        this.handle = domain.createAddressHandle(datagrams.endpoint());
        connect();
        datagrams.activate();
    }

    private void connect() {
        ConnectOptions impatient = ConnectOptions.defaults()
                .ackTimeout(Duration.ofMillis(1))
                .retryCount(1)
                .rnrRetry(1);
        queuePair.connect(peerPair.endpoint(), impatient);
        peerPair.connect(queuePair.endpoint(), impatient);
    }

    /** All of them at once, and who closes: objects in the order that chance wants, from two threads, and the context last. */
    void meet(Duration deadline) {
        SplittableRandom first = random.split();
        SplittableRandom second = random.split();
        Workers.run(
                deadline,
                user(this::post),
                user(this::postToPeer),
                user(this::receive),
                user(this::share),
                user(this::poll),
                user(this::wait),
                user(this::hearEvents),
                user(this::resize),
                user(this::register),
                user(this::modify),
                user(this::ask),
                () -> close(first, false),
                () -> close(second, true));
    }

    /** One thing that a thread does again and again. */
    private interface Use {
        void once(SplittableRandom random);
    }

    private Workers.Work user(Use use) {
        SplittableRandom mine = random.split();
        return () -> {
            while (!over.get()) {
                tolerate(() -> use.once(mine));
            }
        };
    }

    private static void tolerate(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            if (!EXPECTED.contains(e.errnoName())) {
                throw e;
            }
            Thread.onSpinWait();
        }
    }

    private void post(SplittableRandom chance) {
        try (SendBatch batch = queuePair.batch()) {
            for (int i = chance.nextInt(4); i >= 0; i--) {
                switch (chance.nextInt(6)) {
                    case 0 ->
                        batch.send(i).sge(region, 0, chance.nextInt(BYTES)).signaled();
                    case 1 -> batch.write(i, peerRegion.remote(), 0).sge(region, 0, chance.nextInt(BYTES));
                    case 2 ->
                        batch.read(i, peerRegion.remote(), 0)
                                .sge(region, 64, 4096)
                                .signaled();
                    case 3 -> batch.fetchAndAdd(i, peerRegion.remote(), 0, 1).sge(region, 0, 8);
                    case 4 ->
                        batch.bind(i, window, region.slice(0, 64), EnumSet.of(AccessFlag.REMOTE_READ))
                                .signaled();
                    default -> batch.send(i).inline(peerRegion.segment(), 0, 8).signaled();
                }
            }
            if (chance.nextInt(8) > 0) {
                batch.submit();
            }
        }
    }

    private void postToPeer(SplittableRandom chance) {
        try (SendBatch batch = chance.nextBoolean() ? peerPair.batch() : datagrams.batch()) {
            batch.send(1);
            if (chance.nextBoolean()) {
                batch.to(handle, datagrams.endpoint()).sge(region, 0, 64);
            } else {
                batch.sge(peerRegion, 0, 2048);
            }
            batch.signaled();
            batch.submit();
        }
    }

    /** With the send queue's batch opened inside of the receive queue's, now and then. */
    private void receive(SplittableRandom chance) {
        try (ReceiveBatch batch = queuePair.receives()) {
            batch.receive(1).sge(region, 0, 4096);
            if (chance.nextInt(4) == 0) {
                tolerate(() -> post(chance));
            }
            batch.submit();
        }
        tolerate(() -> datagrams.postReceive(2, region.slice(0, 256)));
    }

    private void share(SplittableRandom chance) {
        switch (chance.nextInt(6)) {
            case 0 -> shared.armLimit(chance.nextInt(8));
            case 1 -> shared.query();
            case 2 -> shared.resize(chance.nextInt(8, 24));
            default -> shared.postReceive(1, peerRegion.slice(0, 4096));
        }
    }

    private void poll(SplittableRandom chance) {
        CompletionQueue queue = chance.nextBoolean() ? completions : sharedCompletions;
        queue.poll(chance.nextInt(1, 16), completion -> completion.status().name());
        if (chance.nextInt(4) == 0) {
            completions.arm();
        }
    }

    private void wait(SplittableRandom chance) {
        switch (chance.nextInt(3)) {
            case 0 -> completions.await(chance.nextInt(1, 4), MOMENT, completion -> {});
            case 1 -> sharedCompletions.await(() -> false, MOMENT, completion -> {});
            default -> channel.await(MOMENT).ifPresent(ready -> ready.drain(completion -> {}));
        }
    }

    private void hearEvents(SplittableRandom chance) {
        AsyncEvents events = chance.nextBoolean() ? context.events() : peer.events();
        if (chance.nextBoolean()) {
            events.await(MOMENT);
        } else {
            events.poll();
        }
    }

    private void resize(SplittableRandom chance) {
        (chance.nextBoolean() ? completions : sharedCompletions).resize(chance.nextInt(1, 300));
    }

    private void register(SplittableRandom chance) {
        switch (chance.nextInt(4)) {
            case 0 -> arena.allocate(chance.nextInt(1, BYTES));
            case 1 -> domain.register(Arena.ofAuto().allocate(4096), EVERYTHING).close();
            case 2 -> domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2).close();
            default -> domain.createAddressHandle(datagrams.endpoint()).close();
        }
    }

    private void modify(SplittableRandom chance) {
        QueuePair victim = chance.nextBoolean() ? queuePair : peerPair;
        switch (chance.nextInt(4)) {
            case 0 ->
                victim.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.ERROR)
                        .build());
            case 1 ->
                victim.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RESET)
                        .build());
            default -> connect();
        }
    }

    private void ask(SplittableRandom chance) {
        switch (chance.nextInt(6)) {
            case 0 -> queuePair.query();
            case 1 -> queuePair.sendSlots();
            case 2 -> queuePair.receiveCredit();
            case 3 -> context.query();
            case 4 -> shared.receiveCredit();
            default -> context.queryPort(1);
        }
    }

    private void close(SplittableRandom chance, boolean isLast) {
        List<AutoCloseable> objects = List.of(
                queuePair,
                peerPair,
                datagrams,
                shared,
                completions,
                sharedCompletions,
                channel,
                region,
                peerRegion,
                arena,
                window,
                handle,
                domain,
                peerDomain,
                context,
                peer);
        try {
            for (int i = 0; i < 12; i++) {
                for (int spins = chance.nextInt(200_000); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                AutoCloseable victim = objects.get(chance.nextInt(objects.size() - (i < 10 ? 2 : 0)));
                tolerate(() -> close(victim));
            }
        } finally {
            if (isLast) {
                over.set(true);
            }
        }
    }

    private static void close(AutoCloseable victim) {
        try {
            victim.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Closes what is still open; nothing may be left. */
    @Override
    public void close() {
        context.close();
        peer.close();
        network.census().forEach((device, left) -> {
            if (!left.isEmpty()) {
                throw new AssertionError("left on " + device + ": " + left);
            }
        });
        network.close();
    }
}
