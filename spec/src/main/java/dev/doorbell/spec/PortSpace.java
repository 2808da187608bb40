package dev.doorbell.spec;

/**
 * Where port numbers of connections live; the numbers are bytes 4 and 5 of a service identifier, and port spaces are
 * independent of each other and of the host's TCP and UDP ports.
 *
 * <p>Follows rdma_create_id(3) and annex A11 of the InfiniBand Architecture Specification.
 *
 * <p>Thread rules: immutable.
 */
public enum PortSpace {
    /** Datagrams as IP over InfiniBand uses them: queue pairs of type UD that share the network's Q_Key. */
    IPOIB(0x0002, QueuePairType.UD),
    /** Reliable connections. */
    TCP(0x0106, QueuePairType.RC),
    /** Datagrams: the peer's queue pair number and Q_Key are looked up, then both sides may send. */
    UDP(0x0111, QueuePairType.UD),
    /** Any transport, for programs that name InfiniBand services themselves. */
    IB(0x013f, QueuePairType.RC);

    private final int code;
    private final QueuePairType type;

    PortSpace(int code, QueuePairType type) {
        this.code = code;
        this.type = type;
    }

    /** The number that kernel commands and service identifiers use. */
    public int code() {
        return code;
    }

    /** The type of queue pair that it is for, if a program says nothing else. */
    public QueuePairType defaultType() {
        return type;
    }

    /** Whether it connects nobody, but says where datagrams go. */
    public boolean isDatagram() {
        return type == QueuePairType.UD;
    }

    /** The service identifier of a port. */
    public long serviceId(int port) {
        return (long) code << 16 | port & 0xffff;
    }
}
