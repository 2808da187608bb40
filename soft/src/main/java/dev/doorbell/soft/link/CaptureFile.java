package dev.doorbell.soft.link;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    private static final int LONGEST = 1 << 16;

    private record Flow(Gid source, Gid destination) {}

    private final FileChannel file;
    private final long toWallClockNs;

    // Guarded by this.
    private final MemorySegment block = Arena.ofAuto().allocate(LONGEST, Long.BYTES);
    private final ByteBuffer view = block.asByteBuffer();
    private final Map<Flow, Icrc> flows = new HashMap<>();

    /**
     * Begins a file; one that exists is replaced.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public CaptureFile(Path path) {
        try {
            file = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            toWallClockNs = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
            begin();
        } catch (IOException e) {
            throw new UncheckedIOException("capture file " + path, e);
        }
    }

    private synchronized void begin() {
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
     * Writes a packet.
     *
     * @param at where the base transport header starts
     * @param length bytes from there to the end of the pad
     */
    synchronized void write(MemorySegment packet, long at, int length, Gid source, Gid destination) {
        boolean ipv4 = destination.isIpv4Mapped();
        if (ipv4 != source.isIpv4Mapped()) {
            return;
        }
        int headers = (ipv4 ? IPV4 : IPV6) + UDP;
        int bytes = headers + length + Icrc.SIZE;
        int body = PACKET_HEADER + headers;
        MemorySegment.copy(packet, at, block, body, length);
        Icrc icrc = flows.computeIfAbsent(
                new Flow(source, destination), flow -> new Icrc(flow.source(), flow.destination(), Icrc.PORT));
        Icrc.store(view, body + length, icrc.compute(view, body, length));
        if (ipv4) {
            ipv4(bytes, source, destination);
        } else {
            ipv6(bytes, source, destination);
        }
        long udp = (long) body - UDP;
        Be.setShort(block, udp, Icrc.PORT);
        Be.setShort(block, udp + 2, Icrc.PORT);
        Be.setShort(block, udp + 4, UDP + length + Icrc.SIZE);
        Be.setShort(block, udp + 6, 0);
        int padded = bytes + 3 & ~3;
        Host.setInt(block, PACKET_HEADER + bytes, 0);
        int total = PACKET_HEADER + padded + Integer.BYTES;
        long time = System.nanoTime() + toWallClockNs;
        Host.setInt(block, 0, PACKET);
        Host.setInt(block, 4, total);
        Host.setInt(block, 8, 0);
        Host.setInt(block, 12, (int) (time >>> Integer.SIZE));
        Host.setInt(block, 16, (int) time);
        Host.setInt(block, 20, bytes);
        Host.setInt(block, 24, bytes);
        Host.setInt(block, total - Integer.BYTES, total);
        write(total);
    }

    private void ipv4(int bytes, Gid source, Gid destination) {
        long at = PACKET_HEADER;
        Be.setInt(block, at, 0x4500_0000 | bytes);
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

    private void ipv6(int bytes, Gid source, Gid destination) {
        long at = PACKET_HEADER;
        Be.setInt(block, at, 0x6000_0000);
        Be.setInt(block, at + 4, bytes - IPV6 << 16 | PROTOCOL_UDP << 8 | HOPS);
        Be.setLong(block, at + 8, source.high());
        Be.setLong(block, at + 16, source.low());
        Be.setLong(block, at + 24, destination.high());
        Be.setLong(block, at + 32, destination.low());
    }

    private void write(int length) {
        try {
            file.write(view.clear().limit(length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            view.clear();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
