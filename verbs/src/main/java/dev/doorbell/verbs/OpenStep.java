package dev.doorbell.verbs;

import java.time.Duration;

/**
 * One step of opening a device.
 *
 * @param name what was done, such as {@code open the node}
 * @param detail what came of it, one line
 * @param elapsed how long it took
 */
public record OpenStep(String name, String detail, Duration elapsed) {
    @Override
    public String toString() {
        return "%s: %s (%.3f ms)".formatted(name, detail, elapsed.toNanos() / 1e6);
    }
}
