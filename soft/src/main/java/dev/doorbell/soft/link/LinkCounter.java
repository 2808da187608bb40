package dev.doorbell.soft.link;

import java.util.Locale;

/** What a network link counts: its work, and why packets were dropped. */
enum LinkCounter {
    LINK_SENDS,
    LINK_SENT_PACKETS,
    /** Connected sockets that were opened for busy routes. */
    LINK_LANES,
    LINK_RECEIVES,
    LINK_RECEIVED_PACKETS,
    /** Packets whose IPv4 identification had to be found by means of their ICRC. */
    LINK_RECOVERED_IDENTIFICATIONS,
    DROPPED_BAD_ICRC,
    DROPPED_TOO_SHORT,
    DROPPED_TRUNCATED,
    /** The operating system's receive buffer was full. */
    DROPPED_RECEIVE_BUFFER_FULL,
    DROPPED_SEND_BUFFER_FULL,
    DROPPED_LONGER_THAN_PATH_MTU,
    DROPPED_UNREACHABLE,
    DROPPED_NO_BUFFER,
    DROPPED_LINK_DOWN;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
