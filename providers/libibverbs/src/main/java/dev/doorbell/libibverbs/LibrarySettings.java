package dev.doorbell.libibverbs;

import org.jspecify.annotations.Nullable;

/**
 * Which library is loaded: the system property {@code doorbell.libibverbs}, or else the environment variable
 * {@code DOORBELL_LIBIBVERBS}: a path or a name for the dynamic linker, or {@code off}.
 *
 * @param name what the dynamic linker is asked for
 * @param isForced whether a user named it
 * @param isOff whether it is not to be used at all
 */
record LibrarySettings(String name, boolean isForced, boolean isOff) {
    static final String PROPERTY = "doorbell.libibverbs";
    static final String VARIABLE = "DOORBELL_LIBIBVERBS";
    /** The name of its binary interface, which has not changed since 2006. */
    static final String USUAL = "libibverbs.so.1";

    static LibrarySettings current() {
        String property = System.getProperty(PROPERTY);
        return of(property == null ? System.getenv(VARIABLE) : property);
    }

    static LibrarySettings of(@Nullable String value) {
        if (value == null || value.isBlank()) {
            return new LibrarySettings(USUAL, false, false);
        }
        String name = value.strip();
        return new LibrarySettings(name, true, "off".equals(name));
    }
}
