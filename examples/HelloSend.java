import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Device;
import java.time.Duration;

/** SEND and receive: a message into a buffer that the other side has posted. Argument: the device's name. */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE);
            var completions = context.createCompletionQueue(8);
            var alice = domain.queuePair(completions).depth(2, 2).build();
            var bob = domain.queuePair(completions).depth(2, 2).build()) {
        // In two programs each side sends its endpoint to the other: endpoint().toText() fits in a line.
        alice.connect(bob.endpoint());
        bob.connect(alice.endpoint());

        // A SEND consumes a receive: post it first, or the sender is told to wait.
        var inbox = arena.allocateSlice(64);
        bob.postReceive(1, inbox);

        alice.postSend(2, arena.slice(arena.allocateFrom("hello over " + device.name())));
        completions.await(2, Duration.ofSeconds(5), done -> IO.println(done.requireSuccess().opcode() + " " + done.id()));

        IO.println(inbox.segment().getString(0));
    }
}
