package dev.doorbell.bench.udp;

import java.util.Locale;

/** What two ends do with each other. */
enum Play {
    BARE_PINGPONG,
    BARE_STREAM,
    SEND,
    WRITE,
    STREAM,
    PASSIVE;

    /** Whether the two ends are Doorbell's, which have to exchange how they are reached. */
    boolean isDoorbell() {
        return this != BARE_PINGPONG && this != BARE_STREAM;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Play of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
