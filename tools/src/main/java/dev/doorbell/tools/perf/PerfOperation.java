package dev.doorbell.tools.perf;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is measured. The order is that of the codes on the wire. */
public enum PerfOperation {
    /** Half of the time that a SEND and the one that answers it take. */
    SEND_LAT("send-lat", false),
    /** An RDMA WRITE until its completion. */
    WRITE_LAT("write-lat", false),
    /** An RDMA READ until its completion. */
    READ_LAT("read-lat", false),
    /** A fetch and add until its completion. */
    ATOMIC_LAT("atomic-lat", false),
    /** SENDs one behind the other. */
    SEND_BW("send-bw", true),
    /** RDMA WRITEs one behind the other. */
    WRITE_BW("write-bw", true),
    /** RDMA READs one behind the other. */
    READ_BW("read-bw", true),
    /** Fetch and adds one behind the other. */
    ATOMIC_BW("atomic-bw", true);

    private final String word;
    private final boolean throughput;

    PerfOperation(String word, boolean throughput) {
        this.word = word;
        this.throughput = throughput;
    }

    /** The word on the command line. */
    public String word() {
        return word;
    }

    /** Whether it is throughput that is measured, rather than latency. */
    boolean isThroughput() {
        return throughput;
    }

    /** Whether the server's program takes part, by receiving. */
    boolean isSend() {
        return this == SEND_LAT || this == SEND_BW;
    }

    /** Whether it works on eight bytes, whatever size is asked for. */
    boolean isAtomic() {
        return this == ATOMIC_LAT || this == ATOMIC_BW;
    }

    static Optional<PerfOperation> of(String word) {
        return Arrays.stream(values())
                .filter(operation -> operation.word.equals(word))
                .findFirst();
    }

    /** All words, for help. */
    static String words() {
        return Arrays.stream(values()).map(PerfOperation::word).collect(Collectors.joining(", "));
    }
}
