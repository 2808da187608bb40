package dev.doorbell.quality.interop;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a program prints, each line with the time at which it began, in milliseconds since the program was started.
 *
 * <p>Thread rules: any thread.
 */
final class Printout extends OutputStream {
    private final long start = System.nanoTime();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean inLine;

    @Override
    public synchronized void write(int b) {
        if (!inLine) {
            bytes.writeBytes("%7d ms  "
                    .formatted((System.nanoTime() - start) / 1_000_000)
                    .getBytes(StandardCharsets.US_ASCII));
        }
        bytes.write(b);
        inLine = b != '\n';
    }

    @Override
    public synchronized void write(byte[] text, int offset, int length) {
        for (int i = 0; i < length; i++) {
            write(text[offset + i]);
        }
    }

    @Override
    public synchronized String toString() {
        return bytes.toString(StandardCharsets.US_ASCII);
    }
}
