package dev.doorbell.testkit;

import dev.doorbell.soft.link.ForwardingLink;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.PacketSink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** A link in memory that takes its time, as a {@link LinkModel} says. For one thread. */
final class ModelledLink extends ForwardingLink {
    private static final int SLAB = 64;

    private final LinkModel model;
    private final VirtualClock clock;

    /** On their way, in the order of their arrival. */
    private final Deque<Flying> flying = new ArrayDeque<>();

    private final Deque<MemorySegment> free = new ArrayDeque<>();

    /** When each packet that waits or is being served has had its turn. */
    private final Deque<Long> turns = new ArrayDeque<>();

    private final Transmitter far;
    private long busyUntilNs;
    private long dropped;

    private record Flying(long arrivalNs, MemorySegment memory, int length, Gid source, Gid destination, long fields) {}

    ModelledLink(PacketLink link, LinkModel model, VirtualClock clock) {
        super(link);
        this.model = model;
        this.clock = clock;
        this.far = link.newTransmitter();
    }

    @Override
    public Transmitter newTransmitter() {
        return new Queueing();
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        boolean sent = false;
        while (!flying.isEmpty() && flying.peek().arrivalNs() <= nowNs) {
            Flying packet = flying.remove();
            long at = far.claim();
            MemorySegment.copy(packet.memory(), 0, far.memory(), at, packet.length());
            far.mark(packet.fields());
            far.send(packet.length(), packet.source(), packet.destination());
            free.push(packet.memory());
            sent = true;
        }
        if (sent) {
            far.flush();
        }
        return super.receive(sink, nowNs, limit);
    }

    @Override
    public long nextDeadlineNs() {
        long next = flying.isEmpty() ? Long.MAX_VALUE : flying.peek().arrivalNs();
        return Math.min(next, super.nextDeadlineNs());
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>(super.counters());
        counters.put("dropped_queue_full", dropped);
        return counters;
    }

    /** How many wait or are being served at the moment. */
    private int waiting() {
        long now = clock.nanoTime();
        while (!turns.isEmpty() && turns.peek() <= now) {
            turns.remove();
        }
        return turns.size();
    }

    private void enqueue(MemorySegment packet, int length, Gid source, Gid destination, long fields) {
        if (waiting() >= model.queue()) {
            dropped++;
            return;
        }
        busyUntilNs = Math.max(busyUntilNs, clock.nanoTime()) + model.serviceNs(length);
        turns.add(busyUntilNs);
        MemorySegment copy = memory();
        MemorySegment.copy(packet, 0, copy, 0, length);
        flying.add(new Flying(busyUntilNs + model.latency().toNanos(), copy, length, source, destination, fields));
    }

    private MemorySegment memory() {
        if (free.isEmpty()) {
            long bytes = maxPacketBytes();
            MemorySegment slab = Arena.ofAuto().allocate(SLAB * bytes, 64);
            for (int index = 0; index < SLAB; index++) {
                free.push(slab.asSlice(index * bytes, bytes));
            }
        }
        return free.pop();
    }

    /** Puts packets into the queue. */
    private final class Queueing implements Transmitter {
        private final MemorySegment packet = Arena.ofAuto().allocate(maxPacketBytes(), 64);
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
        public void mark(long marks) {
            fields = marks;
        }

        @Override
        public void send(int length, Gid source, Gid destination) {
            enqueue(packet, length, source, destination, fields);
        }

        @Override
        public boolean hasRoom(Gid destination) {
            return waiting() < (model.queue() + 1) / 2;
        }

        @Override
        public void flush() {}
    }
}
