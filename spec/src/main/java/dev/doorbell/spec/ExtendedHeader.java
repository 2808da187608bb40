package dev.doorbell.spec;

/**
 * Headers that may follow the base transport header of a packet, in the order in which they then stand.
 *
 * <p>Follows the InfiniBand Architecture Specification, volume 1, chapter 9 (transport layer).
 *
 * <p>Thread rules: immutable.
 */
public enum ExtendedHeader {
    /** Datagram: Q_Key and source queue pair. */
    DETH,
    /** FLUSH: placement and selectivity. */
    FETH,
    /** RDMA: address, key and length. */
    RETH,
    /** Atomic request: address, key and operands. */
    ATOMIC_ETH,
    /** Acknowledgement: syndrome and message number. */
    AETH,
    /** Atomic answer: what the memory held. */
    ATOMIC_ACK_ETH,
    /** Immediate data. */
    IMM_DT,
    /** Key to invalidate. */
    IETH;

    int bit() {
        return 1 << ordinal();
    }
}
