package dev.doorbell.soft.link;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file of packets in the pcapng format, which Wireshark and tshark read. Below the packets stand IP and UDP headers as a
 * network has them, with the ICRC behind the pad.
 *
 * <pre>
 *   section header │ interface: raw IP, nanoseconds │ packet │ packet … │ statistics
 *   packet      0 type 6 │ 4 length │ 8 interface │ 12 time, high and low │ 20 captured │ 24 original │ 28 IP … │ length
 *   statistics  0 type 5 │ 4 length │ 8 interface │ 12 time │ 20 packets that came │ 32 of them left out │ 44 end │ length
 * </pre>
 *
 * <p>Each block is written as a whole, and one that the system takes only a part of is taken back: whenever the process
 * ends, and however, the file is right up to its last block. Statistics follow when a packet was left out, and at the end.
 *
 * <p>Time is that of the wall clock when the file was begun, and goes on from there by {@link System#nanoTime}: it never goes
 * back.
 *
 * <p>Thread rules: any thread; packets are written one at a time. It allocates, and it writes: nothing for a device whose
 * speed matters.
 *
 * {@snippet :
 * try (CaptureFile file = new CaptureFile(Path.of("all.pcapng"));
 *         SoftNetwork network = SoftNetwork.builder().devices(2).capture(file).build()) {
 *     // whatever its devices send to each other is in the file
 * }
 * }
 */
public final class CaptureFile implements Closeable {
    private static final int SECTION = 0x0a0d_0d0a;
    private static final int INTERFACE = 1;
    private static final int PACKET = 6;
    private static final int STATISTICS = 5;
    private static final int STATISTICS_BYTES = 52;
    private static final int OPTION_RECEIVED = 4;
    private static final int OPTION_DROPPED = 5;
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
    private final LongSupplier clock;

    // Guarded by this.
    private @Nullable RandomAccessFile file;

    /** Not so: a pipe, which a program reads meanwhile. */
    private boolean regular;

    private final MemorySegment block = Arena.ofAuto().allocate(LONGEST, Long.BYTES);
    private final ByteBuffer view = block.asByteBuffer();
    private final byte[] bytes = new byte[LONGEST];
    private final Map<Flow, Icrc> flows = new HashMap<>();
    private long end;
    private long packets;
    private long dropped;
    private boolean failed;
    private boolean closed;

    /**
     * Begins a file; one that exists is replaced.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public CaptureFile(Path path) {
        this(path, wallClock());
    }

    /**
     * The same with another clock.
     *
     * @param clock nanoseconds since 1970, such as a device's virtual time
     * @throws UncheckedIOException if it cannot be written
     */
    public CaptureFile(Path path, LongSupplier clock) {
        this(clock, path);
        begin();
    }

    private CaptureFile(LongSupplier clock, Path path) {
        this.path = path;
        this.clock = clock;
    }

    /**
     * A file that begins when a device is opened whose packets it is for, and not before: listing devices leaves what is there
     * from the last run alone. Where it cannot be written, opening the device is refused.
     */
    public static CaptureFile fromWhenADeviceIsOpened(Path path) {
        return new CaptureFile(wallClock(), path);
    }

    /** Begins the file, unless it has begun. */
    synchronized void begin() {
        if (file != null || closed) {
            return;
        }
        try {
            // No channel: it would be closed when somebody interrupts the thread that sends or receives.
            RandomAccessFile opened = new RandomAccessFile(path.toFile(), "rw");
            file = opened;
            regular = Files.isRegularFile(path);
            if (regular) {
                opened.setLength(0);
            }
            writeHead();
        } catch (IOException e) {
            throw new UncheckedIOException("capture file " + path, e);
        }
    }

    private static LongSupplier wallClock() {
        long toWallClockNs = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
        return () -> System.nanoTime() + toWallClockNs;
    }

    private void writeHead() throws IOException {
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

    /** Packets in the file. */
    public synchronized long packets() {
        return packets;
    }

    /**
     * Packets that came and are not in the file: longer than any datagram, between addresses of two kinds, or after the system
     * refused to write.
     */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * Writes a packet. What cannot be written ends the capture, and leaves the device alone.
     *
     * @param at where the base transport header starts
     * @param length bytes from there to the end of the pad
     */
    synchronized void write(MemorySegment packet, long at, int length, Gid source, Gid destination) {
        boolean ipv4 = destination.isIpv4Mapped();
        if (closed || file == null) {
            return;
        }
        if (failed || length > LONGEST_PACKET || ipv4 != source.isIpv4Mapped()) {
            dropped++;
            statistics();
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
        if (!ipv4) {
            Be.setShort(block, udp + 6, checksum(udp, UDP + length + Icrc.SIZE));
        }
        int padded = size + 3 & ~3;
        Host.setInt(block, PACKET_HEADER + size, 0);
        int total = PACKET_HEADER + padded + Integer.BYTES;
        Host.setInt(block, 20, size);
        Host.setInt(block, 24, size);
        if (append(PACKET, total)) {
            packets++;
        } else {
            dropped++;
        }
    }

    private void statistics() {
        Host.setInt(block, 20, OPTION_RECEIVED | Long.BYTES << 16);
        Host.setLong(block, 24, packets + dropped);
        Host.setInt(block, 32, OPTION_DROPPED | Long.BYTES << 16);
        Host.setLong(block, 36, dropped);
        Host.setInt(block, 44, 0);
        append(STATISTICS, STATISTICS_BYTES);
    }

    /** Completes a block of the one interface, and writes it. Answers whether it did. */
    private boolean append(int type, int total) {
        if (failed) {
            return false;
        }
        long time = clock.getAsLong();
        Host.setInt(block, 0, type);
        Host.setInt(block, 4, total);
        Host.setInt(block, 8, 0);
        Host.setInt(block, 12, (int) (time >>> Integer.SIZE));
        Host.setInt(block, 16, (int) time);
        Host.setInt(block, total - Integer.BYTES, total);
        try {
            write(total);
            return true;
        } catch (IOException e) {
            failed = true;
            LOG.log(System.Logger.Level.WARNING, "capture file " + path + " ends here", e);
            return false;
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

    /** The checksum that IPv6 demands; 0 would say that there is none. */
    private int checksum(long udp, int length) {
        long sum = (long) PROTOCOL_UDP + length;
        for (long offset = udp - 32; offset < udp + (length & ~1); offset += Short.BYTES) {
            sum += Be.getUnsignedShort(block, offset);
        }
        if ((length & 1) != 0) {
            sum += (long) Host.getUnsignedByte(block, udp + length - 1) << Byte.SIZE;
        }
        while (sum >>> Short.SIZE != 0) {
            sum = (sum & 0xffff) + (sum >>> Short.SIZE);
        }
        return sum == 0xffff ? 0xffff : (int) ~sum & 0xffff;
    }

    private void write(int length) throws IOException {
        RandomAccessFile to = Objects.requireNonNull(file, "begun");
        view.get(0, bytes, 0, length);
        try {
            to.write(bytes, 0, length);
        } catch (IOException e) {
            takeBack(to, e);
            throw e;
        }
        end += length;
    }

    private void takeBack(RandomAccessFile from, IOException because) {
        try {
            if (regular) {
                from.setLength(end);
            }
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** Writes the statistics and ends the file. Idempotent; what comes later is neither written nor counted. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        if (file == null) {
            closed = true;
            return;
        }
        statistics();
        closed = true;
        file.close();
    }
}
