package dev.doorbell.quality.connections;

import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.testkit.Loopback;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two embedded devices of one kernel, joined in memory or by sockets on loopback addresses; {@code soft0} connects. */
final class Hosts implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    /** What joins them. */
    enum Medium {
        MEMORY,
        UDP
    }

    private final InetAddress client = Loopback.next();
    private final InetAddress server = Loopback.next();
    private final InetAddress nobody = Loopback.next();
    private final SoftNetwork network;
    private final DeviceCatalog catalog;

    Hosts(Medium medium) {
        SoftNetwork.Builder builder =
                SoftNetwork.builder().device("soft0", client).device("soft1", server);
        this.network =
                medium == Medium.UDP ? builder.udp(UnaryOperator.identity()).build() : builder.build();
        this.catalog =
                DeviceCatalog.of(List.of(network), DeviceCatalog.installed().providers());
    }

    SoftNetwork network() {
        return network;
    }

    DeviceCatalog catalog() {
        return catalog;
    }

    /** Where who connects is. */
    InetSocketAddress client() {
        return new InetSocketAddress(client, 0);
    }

    /** Where who listens is. */
    InetSocketAddress server(int port) {
        return new InetSocketAddress(server, port);
    }

    /** Where nobody is. */
    InetSocketAddress nobody(int port) {
        return new InetSocketAddress(nobody, port);
    }

    /** Whether something comes true in time. */
    static boolean eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Nothing of any program is left, in the connection manager or on the devices. */
    boolean areEmpty() {
        return network.connections().isEmpty()
                && network.census().values().stream().allMatch(census -> census.isEmpty());
    }

    @Override
    public void close() {
        network.close();
    }
}
