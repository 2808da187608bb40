package dev.doorbell.quality.conversation;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import java.util.SplittableRandom;

/** One of the two programs: what it has, and its memory. */
final class Side implements AutoCloseable {
    final Context context;
    final ProtectionDomain domain;
    final CompletionQueue sent;
    final CompletionQueue received;
    final Mirror mirror;
    final MemoryRegion region;

    /** A word that all of the peer's queue pairs add to. */
    final long sum;

    Side(Device device, long bytes, int completions, SplittableRandom random) {
        context = device.open();
        domain = context.allocateProtectionDomain();
        sent = context.createCompletionQueue(completions);
        received = context.createCompletionQueue(completions);
        mirror = new Mirror(bytes, random);
        region = domain.register(
                mirror.memory(),
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
        sum = mirror.take(Long.BYTES);
        mirror.store(sum, 0);
    }

    @Override
    public void close() {
        context.close();
        mirror.close();
    }
}
