package dev.doorbell.verbs;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.fake.FakeCompletionQueue;
import dev.doorbell.verbs.fake.FakeContext;
import dev.doorbell.verbs.fake.FakeDevice;
import dev.doorbell.verbs.fake.FakeKernel;
import dev.doorbell.verbs.fake.FakeProvider;
import dev.doorbell.verbs.fake.FakeQueuePair;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;

/** An open fake device with the objects that most tests need. */
final class Fixture implements AutoCloseable {
    final FakeDevice device = new FakeDevice("acme0");
    final DeviceCatalog catalog =
            DeviceCatalog.of(List.of(new FakeKernel("fake 1.0", 0, device)), List.of(new FakeProvider()));
    final Context context = catalog.devices().getFirst().open();
    final FakeContext provider = Objects.requireNonNull(FakeProvider.contextOf(device));
    final ProtectionDomain domain = context.allocateProtectionDomain();
    final CompletionQueue completions = context.createCompletionQueue(256);
    final MemoryRegion region = domain.register(
            Arena.ofAuto().allocate(4096, 4096),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_ATOMIC);

    QueuePair.Builder builder() {
        return domain.queuePair(completions).depth(8, 8).sge(2, 2).inline(64);
    }

    /** A queue pair that is connected to itself. */
    QueuePair connected() {
        return connect(builder().build());
    }

    static QueuePair connect(QueuePair queuePair) {
        queuePair.connect(queuePair.endpoint());
        return queuePair;
    }

    /** What the driver has for the queue pair that was created last. */
    FakeQueuePair fake() {
        return provider.queuePairs.getLast();
    }

    /** What the driver has for the completion queue. */
    FakeCompletionQueue fakeCompletions() {
        return (FakeCompletionQueue) completions.provider();
    }

    @Override
    public void close() {
        context.close();
    }
}
