import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import java.time.Duration;
import java.util.Set;

/**
 * A memory window: access to a part of a region that is granted for a while and then revoked, without registering anything
 * anew. Argument: the device's name.
 */
void main(String... args) {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
            var done = context.createCompletionQueue(16);
            var owner = domain.queuePair(done).depth(4, 1).build();
            var guest = domain.queuePair(done).depth(4, 0).build();
            var window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2)) {
        owner.connect(guest.endpoint());
        guest.connect(owner.endpoint());

        // Nobody can write to the region by its own key. The window opens 64 of its bytes to this connection.
        var page = arena.allocateSlice(4096);
        window.bind(owner, 1, page.slice(128, 64), Set.of(AccessFlag.REMOTE_WRITE));
        done.awaitSuccess(1, Duration.ofSeconds(5));
        var granted = window.remote();

        var note = arena.slice(arena.allocateFrom("written while it was open"));
        try (var batch = guest.batch()) {
            batch.write(2, granted, 0).sge(note).signaled();
            batch.submit();
        }
        done.awaitSuccess(1, Duration.ofSeconds(5));
        IO.println(page.segment().getString(128));

        // Revoked: by the owner with invalidate, or by the guest itself, which gives it back with its last message.
        owner.postReceive(3, page.slice(0, 64));
        try (var batch = guest.batch()) {
            batch.sendWithInvalidate(4, granted.rkey()).sge(note).signaled();
            batch.submit();
        }
        done.await(2, Duration.ofSeconds(5), completion -> {
            if (completion.requireSuccess().opcode().isReceive()) {
                IO.println("given back: " + (completion.invalidatedRkey() == granted.rkey()));
            }
        });

        // The key that the guest has kept opens nothing any more.
        try (var batch = guest.batch()) {
            batch.write(5, granted, 0).sge(note).signaled();
            batch.submit();
        }
        done.await(1, Duration.ofSeconds(5), refused -> IO.println("afterwards: " + refused.status()));

        // Each bind gives another key. Connections that failed start again from RESET.
        for (var end : new QueuePair[] {owner, guest}) {
            end.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        }
        owner.connect(guest.endpoint());
        guest.connect(owner.endpoint());
        window.bind(owner, 6, page.slice(0, 64), Set.of(AccessFlag.REMOTE_WRITE));
        done.awaitSuccess(1, Duration.ofSeconds(5));
        IO.println("another key: " + (window.rkey() != granted.rkey()));
    }
}
