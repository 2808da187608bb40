import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.QueuePair;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server with many connections and one stock of buffers: a shared receive queue. When the stock runs low the device says
 * so, once, and the server posts more. Argument: the device's name.
 */
void main(String... args) {
    int clients = 4;
    int buffers = 16;
    int low = 6;
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var context = device.open();
            var domain = context.allocateProtectionDomain();
            var arena = domain.arena(AccessFlag.LOCAL_WRITE);
            var sent = context.createCompletionQueue(64);
            var received = context.createCompletionQueue(64);
            var stock = domain.sharedReceiveQueue(buffers).build()) {
        var inbox = arena.allocateSlice((long) buffers * Long.BYTES, Long.BYTES);
        List<QueuePair> ends = new ArrayList<>();
        Map<Integer, Integer> clientOf = new TreeMap<>();
        for (int client = 0; client < clients; client++) {
            var near = domain.queuePair(sent).depth(8, 0).build();
            var far = domain.queuePair(received).depth(1, 0).sharedReceiveQueue(stock).build();
            near.connect(far.endpoint());
            far.connect(near.endpoint());
            clientOf.put(far.number(), client);
            ends.addAll(List.of(near, far));
        }

        for (int buffer = 0; buffer < buffers; buffer++) {
            stock.postReceive(buffer, inbox.slice((long) buffer * Long.BYTES, Long.BYTES));
        }
        stock.armLimit(low);

        // Sixteen buffers, eleven messages: five are left, which is below the limit.
        var outbox = arena.allocateSlice(Long.BYTES, Long.BYTES);
        for (int message = 0; message < 11; message++) {
            outbox.segment().set(ValueLayout.JAVA_LONG, 0, message * 100L);
            ends.get(message % clients * 2).postSend(message, outbox);
            sent.awaitSuccess(1, Duration.ofSeconds(5));
        }
        received.await(11, Duration.ofSeconds(5), done -> {
            // The completion names the buffer by its id, and the connection by its queue pair.
            long value = inbox.segment().getAtIndex(ValueLayout.JAVA_LONG, done.requireSuccess().id());
            IO.println("client " + clientOf.get(done.queuePairNumber()) + " sent " + value);
        });

        var event = context.events().await(Duration.ofSeconds(5)).orElseThrow();
        if (event.type() == AsyncEventType.SRQ_LIMIT_REACHED && event instanceof AsyncEvent.OfSharedReceiveQueue of) {
            IO.println("fewer than " + low + " buffers left: " + of.sharedReceiveQueue().receiveCredit());
        }
        ends.forEach(QueuePair::close);
    }
}
