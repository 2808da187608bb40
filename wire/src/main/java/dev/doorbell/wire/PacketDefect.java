package dev.doorbell.wire;

/** Why bytes are not a packet. */
public enum PacketDefect {
    /** They are one. */
    NONE,
    /** Too few bytes for the base transport header. */
    TOO_SHORT,
    /** A version of the transport that nobody knows. */
    WRONG_VERSION,
    /** An operation code without a meaning. */
    UNKNOWN_OPCODE,
    /** Too few bytes for the headers that the operation code asks for. */
    HEADERS_CUT_OFF,
    /** The pad is longer than what follows the headers. */
    PAD_TOO_LONG
}
