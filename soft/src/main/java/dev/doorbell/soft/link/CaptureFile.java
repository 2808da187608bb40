package dev.doorbell.soft.link;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A file of packets in the pcapng format, which Wireshark and tshark read. Below the packets stand IP and UDP headers as a
 * network has them, with the ICRC behind the pad.
 *
 * <pre>
 *   section header │ interface: raw IP, nanoseconds │ packet │ packet …
 *   packet   0 type 6 │ 4 length │ 8 interface │ 12 time, high and low │ 20 captured │ 24 original │ 28 IP … │ length
 * </pre>
 *
 * <p>Thread rules: any thread; packets are written one at a time. It allocates, and it writes: nothing for a device whose
 * speed matters.
 */
public final class CaptureFile implements Closeable {
    private static final int SECTION = 0x0a0d_0d0a;
    private static final int INTERFACE = 1;
    private static final int PACKET = 6;
    private static final int BYTE_ORDER = 0x1a2b_3c4d;
    private static final int LINK_TYPE_RAW_IP = 101;
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int PACKET_HEADER = 28;
    private static final int UDP = 8;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int PROTOCOL_UDP = 17;
    private static final int HOPS = 64;
    private static final int MOST_FLOWS = 1024;

    /** What the longest UDP datagram leaves, which a device need not be able to take. */
    private static final int LONGEST_PACKET = 65_507 - Icrc.SIZE;

    private static final int LONGEST = (1 << 16) + 256;
    private static final System.Logger LOG = System.getLogger(CaptureFile.class.getName());

    private record Flow(Gid source, Gid destination) {}

    private final Path path;
    private final OutputStream file;
    private final long toWallClockNs;

    // Guarded by this.
    private final MemorySegment block = Arena.ofAuto().allocate(LONGEST, Long.BYTES);
    private final ByteBuffer view = block.asByteBuffer();
    private final byte[] bytes = new byte[LONGEST];
    private final Map<Flow, Icrc> flows = new HashMap<>();
    private boolean ended;

    /**
     * Begins a file; one that exists is replaced.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public CaptureFile(Path path) {
        this.path = path;
        try {
            // A stream, since a channel would be closed when somebody interrupts the thread that sends or receives.
            file = Files.newOutputStream(path);
            toWallClockNs = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
            begin();
        } catch (IOException e) {
            throw new UncheckedIOException("capture file " + path, e);
        }
    }

    private synchronized void begin() throws IOException {
        Host.setInt(block, 0, SECTION);
        Host.setInt(block, 4, 28);
        Host.setInt(block, 8, BYTE_ORDER);
        Host.setShort(block, 12, 1);
        Host.setShort(block, 14, 0);
        Host.setLong(block, 16, -1);
        Host.setInt(block, 24, 28);
        Host.setInt(block, 28, INTERFACE);
        Host.setInt(block, 32, 32);
        Host.setShort(block, 36, LINK_TYPE_RAW_IP);
        Host.setShort(block, 38, 0);
        Host.setInt(block, 40, 0);
        Host.setShort(block, 44, OPTION_TIME_RESOLUTION);
        Host.setShort(block, 46, 1);
        Host.setInt(block, 48, NANOSECONDS);
        Host.setInt(block, 52, 0);
        Host.setInt(block, 56, 32);
        write(60);
    }

    /**
     * Writes a packet. What cannot be written ends the capture, and leaves the device alone.
     *
     * @param at where the base transport header starts
     * @param length bytes from there to the end of the pad
     */
    synchronized void write(MemorySegment packet, long at, int length, Gid source, Gid destination) {
        boolean ipv4 = destination.isIpv4Mapped();
        if (ended || length > LONGEST_PACKET || ipv4 != source.isIpv4Mapped()) {
            return;
        }
        int headers = (ipv4 ? IPV4 : IPV6) + UDP;
        int size = headers + length + Icrc.SIZE;
        int body = PACKET_HEADER + headers;
        MemorySegment.copy(packet, at, block, body, length);
        if (flows.size() == MOST_FLOWS) {
            // Who sends to ever new addresses gets no memory for it.
            flows.clear();
        }
        Icrc icrc = flows.computeIfAbsent(
                new Flow(source, destination), flow -> new Icrc(flow.source(), flow.destination(), Icrc.PORT));
        Icrc.store(view, body + length, icrc.compute(view, body, length));
        if (ipv4) {
            ipv4(size, source, destination);
        } else {
            ipv6(size, source, destination);
        }
        long udp = (long) body - UDP;
        Be.setShort(block, udp, Icrc.PORT);
        Be.setShort(block, udp + 2, Icrc.PORT);
        Be.setShort(block, udp + 4, UDP + length + Icrc.SIZE);
        Be.setShort(block, udp + 6, 0);
        int padded = size + 3 & ~3;
        Host.setInt(block, PACKET_HEADER + size, 0);
        int total = PACKET_HEADER + padded + Integer.BYTES;
        long time = System.nanoTime() + toWallClockNs;
        Host.setInt(block, 0, PACKET);
        Host.setInt(block, 4, total);
        Host.setInt(block, 8, 0);
        Host.setInt(block, 12, (int) (time >>> Integer.SIZE));
        Host.setInt(block, 16, (int) time);
        Host.setInt(block, 20, size);
        Host.setInt(block, 24, size);
        Host.setInt(block, total - Integer.BYTES, total);
        try {
            write(total);
        } catch (IOException e) {
            ended = true;
            LOG.log(System.Logger.Level.WARNING, "capture file " + path + " ends here", e);
        }
    }

    private void ipv4(int size, Gid source, Gid destination) {
        long at = PACKET_HEADER;
        Be.setInt(block, at, 0x4500_0000 | size);
        Be.setInt(block, at + 4, Icrc.DONT_FRAGMENT);
        Be.setInt(block, at + 8, HOPS << 24 | PROTOCOL_UDP << 16);
        Be.setInt(block, at + 12, (int) source.low());
        Be.setInt(block, at + 16, (int) destination.low());
        int sum = 0;
        for (int offset = 0; offset < IPV4; offset += Short.BYTES) {
            sum += Be.getUnsignedShort(block, at + offset);
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        Be.setShort(block, at + 10, ~(sum + (sum >>> 16)));
    }

    private void ipv6(int size, Gid source, Gid destination) {
        long at = PACKET_HEADER;
        Be.setInt(block, at, 0x6000_0000);
        Be.setInt(block, at + 4, size - IPV6 << 16 | PROTOCOL_UDP << 8 | HOPS);
        Be.setLong(block, at + 8, source.high());
        Be.setLong(block, at + 16, source.low());
        Be.setLong(block, at + 24, destination.high());
        Be.setLong(block, at + 32, destination.low());
    }

    private void write(int length) throws IOException {
        view.get(0, bytes, 0, length);
        file.write(bytes, 0, length);
    }

    @Override
    public synchronized void close() throws IOException {
        ended = true;
        file.close();
    }
}
