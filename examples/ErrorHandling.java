import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.VerbsException;
import java.time.Duration;

/**
 * What goes wrong, and how a program learns of it: refused calls, failed work requests, flushed ones, and starting again.
 * Argument: the device's name.
 */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            var completions = context.createCompletionQueue(16);
            var client = domain.queuePair(completions).depth(4, 4).build();
            var server = domain.queuePair(completions).depth(4, 4).build()) {
        // A call that cannot work throws, and says what was asked, what is allowed, and what to do.
        try {
            domain.queuePair(completions).depth(4, 4).sge(1000, 1).build();
        } catch (VerbsException refused) {
            IO.println("refused with " + refused.errnoName() + ": asked " + refused.asked() + ", allowed "
                    + refused.allowed());
        }

        client.connect(server.endpoint());
        server.connect(client.endpoint());
        var data = arena.allocateSlice(256);
        server.postReceive(1, data);

        // What only the device can find out comes as a completion: this key opens nothing. The second work request is
        // behind the failed one and is flushed; so is the receive of the other side, whose queue pair is in error too.
        var forged = new RemoteMemory(data.remote().address(), 256, ~data.rkey(), AccessFlag.REMOTE_WRITE.bit());
        try (var batch = client.batch()) {
            batch.write(2, forged, 0).sge(data).signaled();
            batch.send(3).sge(data).signaled();
            batch.submit();
        }
        completions.await(3, Duration.ofSeconds(5), failed -> IO.println(failed.describe()));
        IO.println("client: " + client.query().state() + ", server: " + server.query().state());

        // A queue pair in error starts again from RESET.
        for (var queuePair : new QueuePair[] {client, server}) {
            queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        }
        client.connect(server.endpoint());
        server.connect(client.endpoint());
        server.postReceive(4, data.slice(0, 128));
        client.postSend(5, data.slice(128, 128));
        completions.awaitSuccess(2, Duration.ofSeconds(5));
        IO.println("connected again");
    }
}
