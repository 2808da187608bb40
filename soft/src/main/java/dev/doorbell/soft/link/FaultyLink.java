package dev.doorbell.soft.link;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.SpinLock;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A link whose arriving packets suffer {@link Faults}. Packets that are held back are delivered by a later
 * {@link #receive}, in the order of their time.
 */
public final class FaultyLink extends ForwardingLink {
    private final Faults faults;
    private final SpinLock receiving = new SpinLock();
    private final PacketView view = new PacketView();
    private final PriorityQueue<Held> held =
            new PriorityQueue<>(Comparator.comparingLong(Held::timeNs).thenComparingLong(Held::order));
    private long order;
    private volatile long deadlineNs = Long.MAX_VALUE;

    private record Held(long timeNs, long order, MemorySegment packet, Gid source, Gid destination) {
        void deliver(PacketSink sink) {
            sink.onPacket(packet, 0, (int) packet.byteSize(), source, destination);
        }
    }

    /** Puts faults upon a link. */
    public FaultyLink(PacketLink link, Faults faults) {
        super(link);
        this.faults = faults;
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        if (!receiving.tryLock()) {
            return 0;
        }
        try {
            int count = 0;
            while (!held.isEmpty() && held.peek().timeNs() <= nowNs) {
                held.remove().deliver(sink);
                count++;
            }
            count += link().receive(
                            (memory, at, length, source, destination) ->
                                    suffer(sink, nowNs, copy(memory, at, length), source, destination),
                            nowNs,
                            limit);
            deadlineNs = held.isEmpty() ? Long.MAX_VALUE : held.peek().timeNs();
            return count;
        } finally {
            receiving.unlock();
        }
    }

    @Override
    public long nextDeadlineNs() {
        return Math.min(deadlineNs, link().nextDeadlineNs());
    }

    private void suffer(PacketSink sink, long nowNs, MemorySegment packet, Gid source, Gid destination) {
        view.parse(packet, 0, packet.byteSize());
        switch (faults.decide(view)) {
            case PASS -> sink.onPacket(packet, 0, (int) packet.byteSize(), source, destination);
            case DROP -> {}
            case DUPLICATE -> {
                sink.onPacket(packet, 0, (int) packet.byteSize(), source, destination);
                hold(nowNs + faults.someDelayNs(), packet, source, destination);
            }
            case DELAY -> hold(nowNs + faults.longestDelayNs(), packet, source, destination);
            case CORRUPT -> {
                int bit = faults.someBit((int) packet.byteSize() * Byte.SIZE);
                int at = bit / Byte.SIZE;
                int changed = Be.getUnsignedByte(packet, at) ^ 1 << bit % Byte.SIZE;
                Be.setByte(packet, at, changed);
                sink.onPacket(packet, 0, (int) packet.byteSize(), source, destination);
            }
        }
    }

    private void hold(long timeNs, MemorySegment packet, Gid source, Gid destination) {
        held.add(new Held(timeNs, order++, packet, source, destination));
    }

    private static MemorySegment copy(MemorySegment memory, long at, int length) {
        MemorySegment packet = Arena.ofAuto().allocate(length, 4);
        MemorySegment.copy(memory, at, packet, 0, length);
        return packet;
    }
}
