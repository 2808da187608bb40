package dev.doorbell.soft.link;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A device's attachment to an {@link InMemoryNetwork}. Packets arrive in order, but for those that a full queue drops. */
public final class InMemoryLink implements PacketLink {
    /** The longest packet: headers and the largest MTU. */
    static final int MAX_PACKET_BYTES = 4096 + 64;

    private final InMemoryNetwork network;
    private final List<Gid> addresses;
    private final PacketQueue queue;
    private final SpinLock receiving = new SpinLock();
    private final LongAdder dropped = new LongAdder();
    private volatile Runnable wakeUp = () -> {};
    private volatile Runnable stateChange = () -> {};
    private volatile boolean down;
    private volatile boolean closed;

    InMemoryLink(InMemoryNetwork network, List<Gid> addresses, int slots) {
        this.network = network;
        this.addresses = List.copyOf(addresses);
        this.queue = new PacketQueue(slots, MAX_PACKET_BYTES);
    }

    @Override
    public List<Gid> addresses() {
        return addresses;
    }

    @Override
    public int maxPacketBytes() {
        return MAX_PACKET_BYTES;
    }

    @Override
    public Transmitter newTransmitter() {
        return new Copier();
    }

    @Override
    public boolean hasPackets() {
        return queue.hasNext();
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        if (!receiving.tryLock()) {
            return 0;
        }
        try {
            int count = 0;
            while (count < limit && queue.poll(sink)) {
                count++;
            }
            return count;
        } finally {
            receiving.unlock();
        }
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public @Nullable Gid route(Gid destination, int scope) {
        InMemoryLink target = network.find(destination);
        return target == null || closed ? null : PacketLink.super.route(destination, scope);
    }

    @Override
    public void onArrival(Runnable action) {
        wakeUp = action;
    }

    /** Packets to this link that its full queue dropped, and packets from it to addresses that nobody has. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public void join(Gid group) {
        network.join(this, group);
    }

    @Override
    public void leave(Gid group) {
        network.leave(this, group);
    }

    @Override
    public boolean isUp() {
        return !down;
    }

    @Override
    public void onStateChange(Runnable action) {
        stateChange = action;
    }

    /** Plugs the cable in, or pulls it: while it is out, packets in both directions are dropped. */
    public void setUp(boolean up) {
        down = !up;
        stateChange.run();
    }

    @Override
    public void close() {
        closed = true;
        network.leave(this);
    }

    private void accept(MemorySegment packet, int length, Gid source, Gid destination, long fields) {
        if (closed || down || !queue.offer(packet, length, source, destination, fields)) {
            dropped.increment();
        } else {
            wakeUp.run();
        }
    }

    /** Builds packets in memory of its own and copies them into the destination's queue. */
    private final class Copier implements Transmitter {
        private final MemorySegment packet = Arena.ofAuto().allocate(MAX_PACKET_BYTES, 64);
        private long fields = IpFields.USUAL;

        @Override
        public MemorySegment memory() {
            return packet;
        }

        @Override
        public long claim() {
            return 0;
        }

        @Override
        public boolean hasRoom(Gid destination) {
            if (destination.isMulticast()) {
                for (InMemoryLink member : network.members(destination)) {
                    if (member != InMemoryLink.this && !member.queue.hasRoom()) {
                        return false;
                    }
                }
                return true;
            }
            InMemoryLink target = network.find(destination);
            return target == null || target.queue.hasRoom();
        }

        @Override
        public void mark(long marks) {
            fields = marks;
        }

        @Override
        public void send(int length, Gid source, Gid destination) {
            if (destination.isMulticast()) {
                sendToGroup(length, source, destination);
                return;
            }
            InMemoryLink target = closed || down ? null : network.find(destination);
            if (target == null) {
                dropped.increment();
            } else {
                target.accept(packet, length, source, destination, fields);
            }
        }

        private void sendToGroup(int length, Gid source, Gid group) {
            if (closed || down) {
                dropped.increment();
                return;
            }
            for (InMemoryLink member : network.members(group)) {
                if (member != InMemoryLink.this) {
                    member.accept(packet, length, source, group, fields);
                }
            }
        }

        @Override
        public void flush() {}
    }
}
