import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.ConnectionRequest;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.verbs.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

static final int CLIENTS = 3;
static final Duration PATIENCE = Duration.ofSeconds(10);

/**
 * Connections by IP address and port, through the connection manager: a server with a thread for each client, which waits
 * where it likes, and clients that ask it something. Argument: the device's name.
 */
void main(String... args) throws InterruptedException {
    var device = args.length > 0 ? Device.named(args[0]) : Device.preferred();
    try (var server = Connector.open(device);
            var listener = server.listen(new InetSocketAddress(0));
            var clients = Connector.open(device)) {
        var acceptor = Thread.ofVirtual().start(() -> serve(listener));
        var address = new InetSocketAddress(addressOf(device), listener.localAddress().getPort());
        for (int client = 0; client < CLIENTS; client++) {
            ask(clients, address, "client " + client);
        }
        acceptor.join();
    }
}

/** One of the device's addresses; the embedded device has it when something of it is open. */
InetAddress addressOf(Device device) {
    return device.gids().stream()
            .map(GidEntry::gid)
            .filter(gid -> !gid.isLinkLocal())
            .findFirst()
            .orElseThrow()
            .toInetAddress();
}

void serve(Listener listener) {
    for (int client = 0; client < CLIENTS; client++) {
        var request = listener.await(PATIENCE).orElseThrow();
        Thread.ofVirtual().start(() -> answer(request));
    }
}

void answer(ConnectionRequest request) {
    try (var arena = request.queuePair().protectionDomain().arena(AccessFlag.LOCAL_WRITE)) {
        // A receive that stands there before the peer can send: what came too early would have to be sent again.
        var inbox = arena.allocateSlice(64);
        request.queuePair().postReceive(1, inbox);
        try (var connection = request.accept(ConnectionParameters.defaults(), PATIENCE)) {
            connection.completions().awaitSuccess(1, PATIENCE);
            var reply = arena.allocateFrom("hello " + inbox.segment().getString(0));
            connection.queuePair().postSend(2, arena.slice(reply));
            connection.completions().awaitSuccess(1, PATIENCE);
            connection.awaitDisconnect(PATIENCE);
        }
    }
}

void ask(Connector connector, InetSocketAddress address, String name) {
    try (var connection = connector.connect(address, PATIENCE);
            var arena = connection.protectionDomain().arena(AccessFlag.LOCAL_WRITE)) {
        var inbox = arena.allocateSlice(64);
        connection.queuePair().postReceive(1, inbox);
        connection.queuePair().postSend(2, arena.slice(arena.allocateFrom(name)));
        connection.completions().awaitSuccess(2, PATIENCE);
        IO.println("the server says: " + inbox.segment().getString(0));
        connection.disconnect(PATIENCE);
    }
}
