import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Device;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;

/**
 * Sleeping instead of polling, in a loop that may also serve sockets: the events of any number of completion queues come
 * through one channel, and the channel through a selector. Argument: the device's name.
 */
void main(String... args) throws IOException, InterruptedException {
    int messages = 5;
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE);
            var channel = context.createCompletionChannel();
            var requests = context.completionQueue(16).channel(channel).build();
            var replies = context.createCompletionQueue(16);
            var server = domain.queuePair(requests).depth(0, messages).build();
            var client = domain.queuePair(replies).depth(messages, 0).build();
            var selector = Selector.open()) {
        server.connect(client.endpoint());
        client.connect(server.endpoint());
        var inbox = arena.allocateSlice(messages * 64L);
        for (int i = 0; i < messages; i++) {
            server.postReceive(i, inbox.slice(i * 64L, 64));
        }

        // Armed before anybody sends: what came before makes no event.
        channel.selectable().register(selector, SelectionKey.OP_READ);
        requests.arm();

        // Somebody else's thread sends now and then.
        var sender = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < messages; i++) {
                client.postSend(i, arena.slice(arena.allocateFrom("request " + i)));
                replies.awaitSuccess(1, Duration.ofSeconds(5));
            }
        });

        int served = 0;
        while (served < messages && selector.select(5000) > 0) {
            selector.selectedKeys().clear();
            // Readable until poll() has nothing left. drain() polls, arms, and polls again, so that nothing is missed.
            for (var ready = channel.poll(); ready.isPresent(); ready = channel.poll()) {
                CompletionQueue queue = ready.get();
                served += queue.drain(done ->
                        IO.println("served " + inbox.segment().getString(done.requireSuccess().id() * 64)));
            }
        }
        IO.println(served + " requests, " + (requests.acknowledgedEvents() > 0 ? "woken by events" : "never woken"));
        sender.join();
    }
}
