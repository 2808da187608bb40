package dev.doorbell.quality.interop;

import java.util.Objects;

/** Expectations of a half. */
final class Check {
    private Check() {}

    static void that(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    static void equal(String what, Object expected, Object found) {
        that(Objects.equals(expected, found), what + ": " + found + " instead of " + expected);
    }
}
