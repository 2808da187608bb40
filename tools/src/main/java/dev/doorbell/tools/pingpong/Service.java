package dev.doorbell.tools.pingpong;

import dev.doorbell.spec.QueuePairType;

/** The transport services that a ping-pong can go over: a program each. */
public enum Service {
    /** Reliable connection. */
    RC(QueuePairType.RC, 4096),
    /** Unreliable connection. */
    UC(QueuePairType.UC, 4096),
    /** Unreliable datagram. */
    UD(QueuePairType.UD, 2048),
    /** Several reliable connections that share a receive queue. */
    SRQ(QueuePairType.RC, 4096);

    private final QueuePairType type;
    private final int defaultSize;

    Service(QueuePairType type, int defaultSize) {
        this.type = type;
        this.defaultSize = defaultSize;
    }

    /** The type of its queue pairs. */
    QueuePairType type() {
        return type;
    }

    /** Bytes of a message unless the command line says otherwise. */
    int defaultSize() {
        return defaultSize;
    }

    /**
     * How many addresses each end tells the other, and so the most queue pairs: as the C program for shared receive queues
     * always tells 256, with zeros for those that it does not use.
     */
    int addresses() {
        return this == SRQ ? 256 : 1;
    }

    /** Whether messages go in packets of a path MTU that both ends have to agree on. */
    boolean hasPathMtu() {
        return this != UD;
    }
}
