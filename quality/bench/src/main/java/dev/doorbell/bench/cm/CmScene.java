package dev.doorbell.bench.cm;

import dev.doorbell.soft.SoftNetwork;
import java.net.InetAddress;
import java.util.function.UnaryOperator;

/** Two devices, a program that listens at one, and a program that connects from the other, one connection after the other. */
abstract class CmScene implements AutoCloseable {
    static final int PORT = 7471;
    static final String CLIENT = "127.74.0.1";
    static final String SERVER = "127.74.0.2";

    private static final double NS_PER_SECOND = 1e9;

    /** What joins the devices. */
    enum Network {
        MEMORY("in memory"),
        UDP("UDP on loopback");

        private final String label;

        Network(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        private SoftNetwork open() {
            SoftNetwork.Builder builder = SoftNetwork.builder()
                    .device("client", InetAddress.ofLiteral(CLIENT))
                    .device("server", InetAddress.ofLiteral(SERVER));
            return this == UDP ? builder.udp(UnaryOperator.identity()).build() : builder.build();
        }
    }

    /** Who connects. */
    enum Layer {
        COMMANDS("commands alone, no queue pairs"),
        LIBRARY("the library, with queue pairs");

        private final String label;

        Layer(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /**
     * What a round took.
     *
     * @param count connections
     * @param setUpNs until all of them were established
     * @param wholeNs until all of them were ended
     * @param bytes heap that they all took while they were idle, both sides together
     */
    record Round(int count, long setUpNs, long wholeNs, long bytes) {
        double setUpRate() {
            return count * NS_PER_SECOND / setUpNs;
        }

        double wholeRate() {
            return count * NS_PER_SECOND / wholeNs;
        }

        double idleBytes() {
            return (double) bytes / count;
        }
    }

    private final SoftNetwork network;

    CmScene(SoftNetwork network) {
        this.network = network;
    }

    static CmScene open(Network network, Layer layer) {
        SoftNetwork devices = network.open();
        return layer == Layer.COMMANDS ? new CommandScene(devices) : new LibraryScene(devices);
    }

    /** Waits until nobody waits for late messages of earlier connections any more. */
    void settle() {
        while (network.connections().endpoints() > 0) {
            Thread.onSpinWait();
        }
    }

    /** Makes so many connections, looks at them, and ends them. */
    abstract Round play(int count) throws Exception;

    /** Heap in use, after what is not in use any more was collected. */
    static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public void close() {
        network.close();
    }
}
