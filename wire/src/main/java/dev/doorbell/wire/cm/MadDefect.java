package dev.doorbell.wire.cm;

/** Why bytes are not a message of the connection manager. */
public enum MadDefect {
    /** They are one. */
    NONE,
    /** Fewer than 256 bytes. */
    TOO_SHORT,
    /** A version of management datagrams that nobody knows. */
    WRONG_VERSION,
    /** For another class than the connection manager: subnet administration, performance, … */
    OTHER_CLASS,
    /** A version of the connection manager that nobody knows. */
    WRONG_CLASS_VERSION,
    /** Anything but Send. */
    OTHER_METHOD,
    /** A message without a meaning. */
    UNKNOWN_ATTRIBUTE
}
