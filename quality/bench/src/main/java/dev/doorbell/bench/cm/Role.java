package dev.doorbell.bench.cm;

import java.util.Locale;

/** The two ends. */
enum Role {
    CLIENT,
    SERVER;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Role of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
