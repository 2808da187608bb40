package dev.doorbell.soft.fault;

import dev.doorbell.memory.SpinLock;
import dev.doorbell.soft.fault.HeldPackets.Envelope;
import dev.doorbell.soft.link.ForwardingLink;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.PacketSink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A link whose packets suffer what a {@link FaultInjector} says. Packets that are held back, in either direction, go on in
 * a later {@link #receive}, in the order of their time.
 */
final class FaultyLink extends ForwardingLink {
    private final FaultInjector injector;
    private final LongSupplier clockNs;
    private final Damage damage;
    private final HeldPackets held = new HeldPackets();
    private final SpinLock receiving = new SpinLock();
    private volatile Runnable arrival = () -> {};

    // With the receiving lock.
    private final PacketView view = new PacketView();
    private final PacketSink arriving = new Arriving();
    private PacketSink sink = (memory, at, length, source, destination) -> {};

    /** The fields of the packets that arrive now, and those that the sink knows of. */
    private long arrivingFields = IpFields.USUAL;

    private long toldFields = IpFields.USUAL;

    /** Sends what was held back, through the link as it is attached; another one from the next time on. */
    private volatile @Nullable Transmitter late;

    FaultyLink(PacketLink link, FaultInjector injector, LongSupplier clockNs) {
        super(link);
        this.injector = injector;
        this.clockNs = clockNs;
        this.damage = new Damage(injector);
    }

    @Override
    public Transmitter newTransmitter() {
        return new Sender(link().newTransmitter());
    }

    @Override
    public int receive(PacketSink target, long nowNs, int limit) {
        if (!receiving.tryLock()) {
            return 0;
        }
        try {
            sink = target;
            int count = release(nowNs, limit);
            return count + link().receive(arriving, nowNs, limit);
        } finally {
            receiving.unlock();
        }
    }

    /** Lets packets go on whose time has come. */
    private int release(long nowNs, int limit) {
        int count = 0;
        Transmitter used = null;
        HeldPackets.Held packet = held.poll(nowNs);
        while (packet != null) {
            Envelope envelope = packet.envelope();
            if (envelope.direction() == Direction.RECEIVED) {
                tell(envelope.fields());
                sink.onPacket(packet.memory(), 0, packet.length(), envelope.source(), envelope.destination());
            } else {
                used = transmitter();
                long at = used.claim();
                MemorySegment.copy(packet.memory(), 0, used.memory(), at, packet.length());
                used.mark(envelope.fields());
                used.send(packet.length(), envelope.source(), envelope.destination());
            }
            held.release(packet);
            packet = ++count < limit ? held.poll(nowNs) : null;
        }
        if (used != null) {
            used.flush();
        }
        return count;
    }

    private void tell(long fields) {
        if (toldFields != fields) {
            toldFields = fields;
            sink.header(fields);
        }
    }

    private Transmitter transmitter() {
        Transmitter made = late;
        if (made == null) {
            made = link().newTransmitter();
            late = made;
        }
        return made;
    }

    /** Hands on what does not concern faults. */
    private final class Arriving implements PacketSink {
        @Override
        public void header(long fields) {
            arrivingFields = fields;
        }

        @Override
        public void onPacket(MemorySegment memory, long at, int length, Gid source, Gid destination) {
            suffer(memory, at, length, source, destination);
        }
    }

    /** A packet has arrived. */
    private void suffer(MemorySegment memory, long at, int length, Gid source, Gid destination) {
        boolean whole = view.parse(memory, at, length);
        Fate fate = injector.decide(Direction.RECEIVED, whole ? view : null, source);
        switch (fate) {
            case DROP -> {
                return;
            }
            case DAMAGE -> {
                if (damage.isNoticed(memory, at, length, source, destination)) {
                    return;
                }
            }
            case FALSIFY -> damage.falsify(memory, at, length);
            case PASS, DUPLICATE, HOLD_BACK -> {}
        }
        long now = clockNs.getAsLong();
        if (fate == Fate.DUPLICATE) {
            held.add(envelope(source, destination), now + injector.copyDelayNs(), memory, at, length);
        }
        if (fate == Fate.HOLD_BACK || injector.delays(Direction.RECEIVED)) {
            held.add(envelope(source, destination), now + injector.delayNs(fate), memory, at, length);
        } else {
            tell(arrivingFields);
            sink.onPacket(memory, at, length, source, destination);
        }
    }

    private Envelope envelope(Gid source, Gid destination) {
        return new Envelope(Direction.RECEIVED, source, destination, arrivingFields);
    }

    @Override
    public long nextDeadlineNs() {
        return Math.min(held.deadlineNs(), link().nextDeadlineNs());
    }

    @Override
    public void onArrival(Runnable wakeUp) {
        arrival = wakeUp;
        super.onArrival(wakeUp);
    }

    @Override
    public String state() {
        return super.state() + "; faults on purpose: " + injector;
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>(super.counters());
        counters.putAll(injector.counters());
        return counters;
    }

    @Override
    public void detach() {
        held.clear();
        late = null;
        super.detach();
    }

    /** What a device sends suffers before it reaches the network. */
    private final class Sender implements Transmitter {
        private final Transmitter transmitter;
        private final PacketView sent = new PacketView();
        private long claimed;
        private long fields = IpFields.USUAL;

        Sender(Transmitter transmitter) {
            this.transmitter = transmitter;
        }

        @Override
        public MemorySegment memory() {
            return transmitter.memory();
        }

        @Override
        public long claim() {
            claimed = transmitter.claim();
            return claimed;
        }

        @Override
        public void send(int length, Gid source, Gid destination) {
            MemorySegment packet = memory();
            boolean whole = sent.parse(packet, claimed, length);
            Fate fate = injector.decide(Direction.SENT, whole ? sent : null, destination);
            switch (fate) {
                case DROP -> {
                    return;
                }
                case DAMAGE -> {
                    if (damage.isNoticed(packet, claimed, length, source, destination)) {
                        return;
                    }
                }
                case FALSIFY -> damage.falsify(packet, claimed, length);
                case PASS, DUPLICATE, HOLD_BACK -> {}
            }
            boolean delayed = fate == Fate.HOLD_BACK || injector.delays(Direction.SENT);
            if (fate == Fate.DUPLICATE) {
                hold(injector.copyDelayNs(), length, source, destination);
            }
            if (delayed) {
                hold(injector.delayNs(fate), length, source, destination);
            } else {
                transmitter.send(length, source, destination);
            }
        }

        private void hold(long delayNs, int length, Gid source, Gid destination) {
            long time = clockNs.getAsLong() + delayNs;
            Envelope envelope = new Envelope(Direction.SENT, source, destination, fields);
            if (held.add(envelope, time, memory(), claimed, length)) {
                // Nobody else tells the device that it has something to do then.
                arrival.run();
            }
        }

        @Override
        public void mark(long marks) {
            fields = marks;
            transmitter.mark(marks);
        }

        @Override
        public boolean hasRoom(Gid destination) {
            return transmitter.hasRoom(destination);
        }

        @Override
        public void flush() {
            transmitter.flush();
        }
    }
}
