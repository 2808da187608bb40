package dev.doorbell.bench.udp;

import dev.doorbell.bench.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Bytes one way by bare datagrams, with what RoCE asks of both ends: they are copied out of a region of a mebibyte next to
 * a header, a CRC32 over each datagram follows; it is checked, and the bytes are copied into such a region. As many
 * datagrams in one call as fit. At most half a mebibyte is unacknowledged, so that nothing is lost; should it be all
 * the same, the round fails.
 *
 * <pre>
 *   0 number │ 8 offset in the region │ 16 unused │ 28 payload 4096 │ CRC32
 * </pre>
 */
final class BareStream implements Player {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private static final int REGION = 1 << 20;
    private static final int ROOM = 1 << 16;
    private static final int PAGE = 4096;
    private static final int HEADER = 28;
    private static final int PAYLOAD = 4096;
    private static final int SEGMENT = HEADER + PAYLOAD + Integer.BYTES;
    private static final int SEGMENTS = 15;
    private static final int WINDOW = 512 << 10;
    private static final int ACKNOWLEDGE_EVERY = 128 << 10;

    private final Role role;
    private final BareSocket socket;
    private final Patience patience = new Patience();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment region = arena.allocate(REGION, PAGE);
    private final MemorySegment packets = arena.allocate(ROOM, PAGE);
    private final ByteBuffer view = packets.asByteBuffer();
    private final MemorySegment acknowledgement = arena.allocate(ROOM, PAGE);
    private final CRC32 crc = new CRC32();

    BareStream(Role role, BareSocket socket) {
        this.role = role;
        this.socket = socket;
        region.fill((byte) 7);
        if (role == Role.SERVER) {
            socket.receiveTogether();
        }
    }

    @Override
    public double play(long bytes) {
        return role == Role.CLIENT ? send(bytes) : receive(bytes);
    }

    private double send(long total) {
        long start = System.nanoTime();
        long sent = 0;
        long acknowledged = 0;
        while (acknowledged < total) {
            if (sent < total && sent + SEGMENTS * PAYLOAD <= acknowledged + WINDOW) {
                for (int segment = 0; segment < SEGMENTS; segment++) {
                    build((long) segment * SEGMENT, sent);
                    sent += PAYLOAD;
                }
                socket.sendTogether(packets, SEGMENTS * SEGMENT, SEGMENT);
            } else {
                await(acknowledgement);
                acknowledged = acknowledgement.get(LONG, 0);
            }
        }
        return (double) sent / (System.nanoTime() - start);
    }

    private void build(long at, long position) {
        long offset = position & REGION - 1;
        packets.set(LONG, at, position);
        packets.set(LONG, at + 8, offset);
        MemorySegment.copy(region, offset, packets, at + HEADER, PAYLOAD);
        packets.set(INT, at + HEADER + PAYLOAD, checksum((int) at));
    }

    private int checksum(int at) {
        crc.reset();
        crc.update(view.limit(at + HEADER + PAYLOAD).position(at));
        return (int) crc.getValue();
    }

    private double receive(long total) {
        long got = 0;
        long acknowledged = 0;
        while (got < total) {
            long bytes = await(packets);
            for (long at = 0; at < bytes; at += SEGMENT) {
                place(at, got);
                got += PAYLOAD;
            }
            if (got - acknowledged >= ACKNOWLEDGE_EVERY || got >= total) {
                acknowledged = got;
                acknowledgement.set(LONG, 0, got);
                socket.send(acknowledgement, 0, Long.BYTES);
            }
        }
        return 0;
    }

    private void place(long at, long position) {
        if (packets.get(LONG, at) != position || checksum((int) at) != packets.get(INT, at + HEADER + PAYLOAD)) {
            throw new IllegalStateException("a datagram was lost or is broken");
        }
        MemorySegment.copy(packets, at + HEADER, region, packets.get(LONG, at + 8), PAYLOAD);
    }

    private long await(MemorySegment memory) {
        for (int looks = 1; ; looks++) {
            long bytes = socket.receive(memory);
            if (bytes > 0) {
                return bytes;
            }
            patience.check(looks);
        }
    }

    @Override
    public void close() {
        socket.close();
        arena.close();
    }
}
