package dev.doorbell.verbs;

import java.time.Duration;

/**
 * One step of opening a device.
 *
 * <p>The steps are those of ibv_open_device(3), which the C library does in silence.
 *
 * <p>Thread rules: immutable.
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
