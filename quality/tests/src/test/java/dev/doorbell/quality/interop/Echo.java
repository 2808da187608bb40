package dev.doorbell.quality.interop;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.WorkCompletion;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * rdma_server(1) and rdma_client(1): the client sends a message of 16 bytes, the server answers with one, and both end the
 * connection.
 */
final class Echo {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int BYTES = 16;
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private @Nullable RegisteredArena arena;
    private int received;
    private int sent;

    private Echo() {}

    /** Plays it: the words are "server" or "client", the server's address, its port, and the device. */
    static void play(List<String> words, PrintStream out) {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.ofLiteral(words.get(1)), Integer.parseInt(words.get(2)));
        Echo echo = new Echo();
        ConnectionSettings settings =
                ConnectionSettings.defaults().withDepth(1, 1).withPreparation(echo::prepare);
        try (Connector connector = Connector.open(Device.named(words.get(3)))) {
            if (words.getFirst().equals("server")) {
                try (Listener listener = connector.listen(address, settings)) {
                    out.println("listening at " + listener.localAddress());
                    out.flush();
                    try (CmConnection connection = listener.accept(PATIENCE)) {
                        echo.hear(connection);
                        echo.say(connection);
                        Check.that(connection.disconnect(PATIENCE), "the client did not agree to end the connection");
                    }
                }
            } else {
                try (CmConnection connection = connector.connect(address, settings, PATIENCE)) {
                    echo.say(connection);
                    echo.hear(connection);
                    Check.that(connection.disconnect(PATIENCE), "the server did not agree to end the connection");
                }
            }
            echo.close();
        }
        out.println("a message went each way");
    }

    /** Posts the receive before the peer can send. */
    private void prepare(QueuePair queuePair) {
        RegisteredArena made = queuePair.protectionDomain().arena(AccessFlag.LOCAL_WRITE);
        arena = made;
        queuePair.postReceive(RECEIVE, made.allocateSlice(BYTES));
    }

    private void say(CmConnection connection) {
        RegisteredArena made = arena;
        if (made == null) {
            throw new AssertionError("prepared first");
        }
        MemorySlice message = made.allocateSlice(BYTES);
        connection.queuePair().postSend(SEND, message);
        Check.that(
                connection.completions().await(() -> sent == 1, PATIENCE, this::completed), "the send took too long");
    }

    private void hear(CmConnection connection) {
        Check.that(connection.completions().await(() -> received == 1, PATIENCE, this::completed), "no message came");
    }

    private void completed(WorkCompletion completion) {
        completion.requireSuccess();
        if (completion.id() == SEND) {
            sent++;
        } else {
            Check.equal("length of the message", BYTES, (int) completion.byteLength());
            received++;
        }
    }

    private void close() {
        if (arena != null) {
            arena.close();
        }
    }
}
