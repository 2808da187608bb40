package dev.doorbell.kernel.abi;

/** Numbers of the connection manager's commands, as {@code rdma/rdma_user_cm.h} and {@code rdma/ib_user_sa.h} have them. */
public final class CmIds {
    /** The version of this interface. */
    public static final int ABI_VERSION = 4;

    /** Bytes of every field for private data in commands; on the wire there is room for fewer. */
    public static final int MAX_PRIVATE_DATA = 256;

    /** Bytes of every field for an address in the newer commands. */
    public static final int ADDRESS_BYTES = 128;

    /** Family of {@link SockaddrIn}. */
    public static final int AF_INET = 2;

    /** Family of {@link SockaddrIn6}. */
    public static final int AF_INET6 = 10;

    /** Family of {@link SockaddrIb}. */
    public static final int AF_IB = 27;

    /** QUERY for addresses and device. */
    public static final int QUERY_ADDR = 0;

    /** QUERY for paths. */
    public static final int QUERY_PATH = 1;

    /** QUERY for GIDs. */
    public static final int QUERY_GID = 2;

    /** Options of an identifier. */
    public static final int LEVEL_ID = 0;

    /** Options of the transport. */
    public static final int LEVEL_IB = 1;

    /** Type of service: u8. */
    public static final int OPTION_TOS = 0;

    /** Whether an address in use may be bound: int. */
    public static final int OPTION_REUSEADDR = 1;

    /** Whether an IPv6 listener leaves IPv4 to others: int. */
    public static final int OPTION_AFONLY = 2;

    /** Code of the acknowledgement timeout: u8. */
    public static final int OPTION_ACK_TIMEOUT = 3;

    /** A path, of {@link #LEVEL_IB}: {@link CmPathRecordData}. */
    public static final int OPTION_PATH = 1;

    /** Sends and receives datagrams of the group. */
    public static final int JOIN_FULL_MEMBER = 0;

    /** Sends only. */
    public static final int JOIN_SEND_ONLY = 1;

    /** The path carries management datagrams. */
    public static final int PATH_GMP = 1;

    /** The primary path. */
    public static final int PATH_PRIMARY = 2;

    /** The path works both ways. */
    public static final int PATH_BIDIRECTIONAL = 40;

    private CmIds() {}
}
