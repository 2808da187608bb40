package dev.doorbell.soft.kernel;

import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The objects of one context. Guarded by the context's lock. */
final class Objects {
    final Handles<Domain> domains;
    final Handles<Region> regions;
    final Handles<Window> windows;
    final Handles<CompletionQueue> completionQueues;
    final Handles<SharedReceiveQueue> sharedQueues;
    final Handles<QueuePair> queuePairs;
    final Handles<AddressHandle> addressHandles;
    final Handles<EventQueue> files;

    Objects(RandomGenerator random) {
        Set<Integer> taken = new HashSet<>();
        domains = new Handles<>(random, taken);
        regions = new Handles<>(random, taken);
        windows = new Handles<>(random, taken);
        completionQueues = new Handles<>(random, taken);
        sharedQueues = new Handles<>(random, taken);
        queuePairs = new Handles<>(random, taken);
        addressHandles = new Handles<>(random, taken);
        files = new Handles<>(random, new HashSet<>());
    }

    /** Frees everything that a closing context leaves behind, users before what they use. */
    void destroyAll(SoftContext context) {
        for (QueuePair queuePair : queuePairs.drain()) {
            QueuePairCommands.destroy(queuePair, context);
        }
        for (AddressHandle handle : addressHandles.drain()) {
            AddressHandleCommands.destroy(handle, context.device());
        }
        for (CompletionQueue queue : completionQueues.drain()) {
            CompletionCommands.destroy(queue, context);
        }
        for (SharedReceiveQueue queue : sharedQueues.drain()) {
            SharedReceiveCommands.destroy(queue, context);
        }
        for (Window window : windows.drain()) {
            WindowCommands.destroy(window, context.device());
        }
        for (Region region : regions.drain()) {
            RegionCommands.destroy(region, context.device());
        }
        context.device().quotas().domains.give(domains.drain().size());
    }
}
