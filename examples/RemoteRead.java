import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Device;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** RDMA READ: many pieces of the other side's memory with one doorbell. Argument: the device's name. */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
            var completions = context.createCompletionQueue(64);
            var reader = domain.queuePair(completions).depth(16, 0).build();
            var owner = domain.queuePair(completions).depth(0, 0).build()) {
        reader.connect(owner.endpoint());
        owner.connect(reader.endpoint());

        var table = arena.allocateSlice(1024 * Long.BYTES, Long.BYTES);
        for (int row = 0; row < 1024; row++) {
            table.segment().setAtIndex(ValueLayout.JAVA_LONG, row, (long) row * row);
        }
        var remote = table.remote();

        // Eight rows from eight places. The last one is signaled: work requests complete in order.
        var rows = arena.allocateSlice(8 * Long.BYTES, Long.BYTES);
        try (var batch = reader.batch()) {
            for (int i = 0; i < 8; i++) {
                batch.read(i, remote, (long) i * 100 * Long.BYTES).sge(rows.slice((long) i * Long.BYTES, Long.BYTES));
            }
            batch.signaled();
            batch.submit();
        }
        completions.awaitSuccess(1, Duration.ofSeconds(5));

        for (int i = 0; i < 8; i++) {
            IO.println(i * 100 + " squared is " + rows.segment().getAtIndex(ValueLayout.JAVA_LONG, i));
        }
    }
}
