import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.RemoteMemory;
import java.time.Duration;

/**
 * RDMA WRITE: into memory that the other side has described to us, while its program does nothing. Immediate data tell it
 * that the bytes are there. Argument: the device's name.
 */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            var completions = context.createCompletionQueue(8);
            var writer = domain.queuePair(completions).depth(2, 2).build();
            var owner = domain.queuePair(completions).depth(2, 2).build()) {
        writer.connect(owner.endpoint());
        owner.connect(writer.endpoint());

        // The owner describes 4 KiB of its memory; the description is a value that travels by any means.
        var table = arena.allocateSlice(4096);
        String descriptor = table.remote().toText();
        try (var receives = owner.receives()) {
            receives.receive(1);
            receives.submit();
        }

        // The writer needs the descriptor and nothing else; what does not fit in it is refused before it is posted.
        var remote = RemoteMemory.fromText(descriptor);
        var row = arena.slice(arena.allocateFrom("row 7: written from afar"));
        try (var batch = writer.batch()) {
            batch.write(2, remote, 7 * 64).sge(row);
            batch.writeWithImmediate(3, remote, 0, 7).signaled();
            batch.submit();
        }

        completions.await(2, Duration.ofSeconds(5), done -> {
            if (done.requireSuccess().hasImmediate()) {
                int index = done.immediate();
                IO.println(table.segment().getString(index * 64L));
            }
        });
    }
}
