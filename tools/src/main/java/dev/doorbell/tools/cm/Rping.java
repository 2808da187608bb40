package dev.doorbell.tools.cm;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.cm.ConnectionParameters;
import dev.doorbell.cm.ConnectionSettings;
import dev.doorbell.cm.Connector;
import dev.doorbell.cm.Listener;
import dev.doorbell.kernel.AddressText;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** rping(1): a client's data go to the server by READ and come back by WRITE. */
public final class Rping {
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.defaults().withDepths(1, 1).withRetries(7, ConnectionParameters.RETRY_FOR_EVER);
    private static final int DEPTH = 16;
    private static final int LARGEST = 65_536;
    private static final int FIRST = 'A';
    private static final int LAST = 'z';

    private final RpingSettings settings;
    private final PrintStream out;

    private Rping(RpingSettings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /**
     * Plays it.
     *
     * @throws CmToolException with a sentence if the peer does not play along, or data were wrong
     */
    public static void play(RpingSettings settings, PrintStream out) {
        try (Connector connector =
                settings.device() == null ? Connector.open() : Connector.open(Device.named(settings.device()))) {
            Rping rping = new Rping(settings, out);
            if (settings.server()) {
                rping.serve(connector);
            } else {
                rping.connect(connector);
            }
        }
    }

    private ConnectionSettings connectionSettings(AtomicReference<@Nullable RpingEnd> end) {
        return ConnectionSettings.defaults()
                .withParameters(PARAMETERS)
                .withDepth(DEPTH, DEPTH)
                .withPreparation((QueuePair made) -> end.set(new RpingEnd(made, settings.patience())));
    }

    private void serve(Connector connector) {
        AtomicReference<@Nullable RpingEnd> end = new AtomicReference<>();
        try (Listener listener = connector.listen(settings.address(), connectionSettings(end))) {
            Listening.tell(out, listener.localAddress());
            do {
                try (CmConnection connection = listener.accept(settings.welcome())) {
                    debug("connected to " + AddressText.of(connection.peerAddress()));
                    serve(connection, Objects.requireNonNull(end.get()));
                } catch (CmToolException e) {
                    if (!settings.persistent()) {
                        throw e;
                    }
                    out.println(e.getMessage());
                } finally {
                    closeIfMade(end);
                }
            } while (settings.persistent());
        }
    }

    private void serve(CmConnection connection, RpingEnd end) {
        end.connected(connection);
        MemorySlice data = end.allocate(LARGEST);
        long pings = 0;
        while (ping(end, data)) {
            pings++;
        }
        out.println("server DISCONNECT EVENT after " + pings + " pings");
    }

    /** One ping of a client; false if it has gone. */
    private boolean ping(RpingEnd end, MemorySlice data) {
        if (!end.hear()) {
            return false;
        }
        int size = end.peerSize();
        if (size < 1 || size > LARGEST) {
            throw new CmToolException("the client wants " + size + " bytes read; there is room for " + LARGEST);
        }
        debug("server received sink adv of " + size + " bytes");
        end.read(data.slice(0, size));
        end.listen();
        String text = text(data.segment(), size);
        if (settings.verbose()) {
            out.println("server ping data: " + text);
        }
        end.goAhead();
        if (!end.hear()) {
            return false;
        }
        end.write(data.slice(0, Math.min(size, text.length() + 1)));
        end.listen();
        end.finish();
        return true;
    }

    private void connect(Connector connector) {
        AtomicReference<@Nullable RpingEnd> end = new AtomicReference<>();
        ConnectionSettings base = connectionSettings(end);
        ConnectionSettings from = settings.source() == null ? base : base.withLocalAddress(settings.source());
        try (CmConnection connection = connector.connect(settings.address(), from, settings.patience())) {
            debug("connected to " + AddressText.of(connection.peerAddress()));
            ping(connection, Objects.requireNonNull(end.get()));
            connection.disconnect(settings.patience());
        } finally {
            closeIfMade(end);
        }
    }

    /** Memory is registered before it is known whether there will be a connection. */
    private static void closeIfMade(AtomicReference<@Nullable RpingEnd> end) {
        RpingEnd made = end.getAndSet(null);
        if (made != null) {
            made.close();
        }
    }

    private void ping(CmConnection connection, RpingEnd end) {
        end.connected(connection);
        MemorySlice source = end.allocate(settings.size());
        MemorySlice sink = end.allocate(settings.size());
        for (long ping = 0; settings.count() == 0 || ping < settings.count(); ping++) {
            fill(source.segment(), ping);
            end.tell(source, settings.size());
            requireGoAhead(end);
            end.tell(sink, settings.size());
            requireGoAhead(end);
            compare(source.segment(), sink.segment(), ping);
            if (settings.verbose()) {
                out.println("ping data: " + text(sink.segment(), settings.size()));
            }
        }
        out.println("client did " + settings.count() + " pings");
    }

    private static void requireGoAhead(RpingEnd end) {
        if (!end.hear()) {
            throw new CmToolException("the server ended the connection in the middle of a ping");
        }
        end.listen();
    }

    /** "rdma-ping-N: " and letters that begin one further each time, with the end of a text in the last byte. */
    private static void fill(MemorySegment data, long ping) {
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        int size = (int) data.byteSize();
        int letters = LAST - FIRST + 1;
        for (int i = 0; i < size; i++) {
            int letter = (int) (FIRST + (ping + i - head.length) % letters);
            data.set(ValueLayout.JAVA_BYTE, i, i < head.length ? head[i] : (byte) letter);
        }
        data.set(ValueLayout.JAVA_BYTE, size - 1, (byte) 0);
    }

    private void compare(MemorySegment source, MemorySegment sink, long ping) {
        if (settings.validate() && source.mismatch(sink) >= 0) {
            throw new CmToolException("data mismatch in ping " + ping + " at byte " + source.mismatch(sink));
        }
    }

    private static String text(MemorySegment data, int size) {
        byte[] bytes = data.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        int end = 0;
        while (end < size && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }

    private void debug(String text) {
        if (settings.debug()) {
            out.println(text);
        }
    }
}
