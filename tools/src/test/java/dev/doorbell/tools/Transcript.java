package dev.doorbell.tools;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a command prints, readable while it runs. */
final class Transcript extends OutputStream {
    private final StringBuilder text = new StringBuilder();

    PrintStream stream() {
        return new PrintStream(this, true, StandardCharsets.US_ASCII);
    }

    @Override
    public synchronized void write(int character) {
        text.append((char) (character & 0xff));
        notifyAll();
    }

    /** Waits for a text to be printed; returns its first group. */
    synchronized String await(String pattern, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        while (!matcher.find()) {
            long leftMs = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new AssertionError("no " + pattern + " in time in:\n" + text);
            }
            wait(leftMs);
            matcher.reset();
        }
        return matcher.group(1);
    }

    @Override
    public synchronized String toString() {
        return text.toString();
    }
}
