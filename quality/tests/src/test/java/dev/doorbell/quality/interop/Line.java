package dev.doorbell.quality.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Lines of text between the two JVMs. Lines that are not ours, such as a JVM's warnings, go to standard error. */
final class Line {
    private static final String MARK = "@";
    private static final String END = "";

    private final PrintStream out;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    Line(InputStream in, OutputStream out) {
        this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("line").start(() -> read(in));
    }

    private void read(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MARK)) {
                    heard.add(line);
                } else {
                    System.err.println(line);
                }
            }
        } catch (IOException e) {
            System.err.println("the line broke: " + e);
        }
        heard.add(END);
    }

    void say(String text) {
        out.println(MARK + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", ""));
    }

    /** The next line; fails when none comes in time, or none will. */
    String hear(Duration patience) {
        String text;
        try {
            text = heard.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        if (text == null) {
            throw new AssertionError("the other JVM said nothing for " + patience.toSeconds() + " s");
        }
        if (text.equals(END)) {
            heard.add(END);
            throw new AssertionError("the other JVM has ended");
        }
        return text.substring(1).replace("\\n", "\n").replace("\\\\", "\\");
    }
}
