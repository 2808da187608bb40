package dev.doorbell.tools.pingpong;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One peer over TCP: whole messages, each in one write, and a deadline for each message that is awaited. The deadline is
 * for the message and not for its next byte, so that a peer cannot stretch it.
 */
final class Conversation implements AutoCloseable {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final Duration patience;

    Conversation(Socket socket, Duration patience) throws IOException {
        this.socket = socket;
        this.patience = patience;
        // The C programs read each message with one read(2): do not hold one back to send it with the next.
        socket.setTcpNoDelay(true);
    }

    void sendAddresses(List<PortAddress> addresses) {
        for (PortAddress address : addresses) {
            send(address.toMessage());
        }
    }

    /** Waits for that many addresses, with one deadline for all. */
    List<PortAddress> receiveAddresses(int count) {
        byte[] messages =
                receive(count * PortAddress.BYTES, count == 1 ? "its address" : "its " + count + " addresses");
        List<PortAddress> addresses = new ArrayList<>();
        for (int at = 0; at < messages.length; at += PortAddress.BYTES) {
            addresses.add(PortAddress.fromMessage(Arrays.copyOfRange(messages, at, at + PortAddress.BYTES)));
        }
        return addresses;
    }

    /** Says that all addresses have come. */
    void sendDone() {
        send(DONE);
    }

    /** Waits for the client to say so. */
    void receiveDone() {
        String text = new String(receive(DONE.length, "'done'"), StandardCharsets.ISO_8859_1);
        if (!text.equals("done\0")) {
            throw new PingpongException(
                    "the peer sent " + PortAddress.quoted(text) + " where 'done' and a NUL were expected");
        }
    }

    private void send(byte[] message) {
        try {
            socket.getOutputStream().write(message);
        } catch (IOException e) {
            throw new PingpongException("the connection to the peer broke: " + e.getMessage(), e);
        }
    }

    private byte[] receive(int length, String what) {
        byte[] message = new byte[length];
        long start = System.nanoTime();
        int got = 0;
        try {
            while (got < length) {
                socket.setSoTimeout(remainingMs(start));
                int now = socket.getInputStream().read(message, got, length - got);
                if (now < 0) {
                    throw new PingpongException("the peer closed the connection " + after(got, length) + what);
                }
                got += now;
            }
            return message;
        } catch (SocketTimeoutException e) {
            throw new PingpongException(
                    "the peer fell silent " + after(got, length) + what + ": nothing came in time ("
                            + Report.seconds(patience) + ")",
                    e);
        } catch (IOException e) {
            throw new PingpongException(
                    "the connection to the peer broke " + after(got, length) + what + ": " + e.getMessage(), e);
        }
    }

    /** What is left of the patience, at least a millisecond: zero would mean for ever. */
    private int remainingMs(long startNs) throws SocketTimeoutException {
        long leftNs = patience.toNanos() - (System.nanoTime() - startNs);
        if (leftNs <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.max(1, leftNs / 1_000_000);
    }

    private static String after(int got, int length) {
        return got == 0 ? "before it sent " : "after " + got + " of " + length + " bytes of ";
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new PingpongException("cannot close the connection to the peer: " + e.getMessage(), e);
        }
    }
}
