import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Device;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Atomics: a counter in the other side's memory. Fetch-and-add hands out numbers; compare-and-swap takes a lock word.
 * Argument: the device's name.
 */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
            var completions = context.createCompletionQueue(8);
            var client = domain.queuePair(completions).depth(4, 0).build();
            var owner = domain.queuePair(completions).depth(0, 0).build()) {
        client.connect(owner.endpoint());
        owner.connect(client.endpoint());

        // Two words that are shared: a ticket counter and a lock. They must be aligned to eight bytes.
        var shared = arena.allocateSlice(2 * Long.BYTES, Long.BYTES);
        var counter = shared.slice(0, Long.BYTES).remote();
        var lock = shared.slice(Long.BYTES, Long.BYTES).remote();

        // What was there before comes back into memory of ours.
        var before = arena.allocateSlice(Long.BYTES, Long.BYTES);
        for (int i = 0; i < 3; i++) {
            try (var batch = client.batch()) {
                batch.fetchAndAdd(i, counter, 0, 10).sge(before).signaled();
                batch.submit();
            }
            completions.awaitSuccess(1, Duration.ofSeconds(5));
            IO.println("ticket " + before.segment().get(ValueLayout.JAVA_LONG, 0));
        }

        for (String attempt : new String[] {"first", "second"}) {
            try (var batch = client.batch()) {
                batch.compareAndSwap(9, lock, 0, 0, 42).sge(before).signaled();
                batch.submit();
            }
            completions.awaitSuccess(1, Duration.ofSeconds(5));
            long holder = before.segment().get(ValueLayout.JAVA_LONG, 0);
            IO.println(attempt + " attempt: " + (holder == 0 ? "locked" : "held by " + holder));
        }
    }
}
