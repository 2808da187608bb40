package dev.doorbell.bench.udp;

import java.util.Locale;

/** The two ends of a contest. */
enum Role {
    /** Begins, and measures. */
    CLIENT,
    /** Answers. */
    SERVER;

    static final int CLIENT_PORT = 19_001;
    static final int SERVER_PORT = 19_002;

    /** The UDP port of a bare peer. */
    int port() {
        return this == CLIENT ? CLIENT_PORT : SERVER_PORT;
    }

    Role other() {
        return this == CLIENT ? SERVER : CLIENT;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Role of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
