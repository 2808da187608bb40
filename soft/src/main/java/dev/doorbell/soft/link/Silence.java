package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A transmitter that leads nowhere: every packet is dropped and counted. */
final class Silence implements Transmitter {
    private final MemorySegment packet = Arena.ofAuto().allocate(InMemoryLink.MAX_PACKET_BYTES, 64);
    private final LinkCounters counters;

    Silence(LinkCounters counters) {
        this.counters = counters;
    }

    @Override
    public MemorySegment memory() {
        return packet;
    }

    @Override
    public long claim() {
        return 0;
    }

    @Override
    public void mark(long fields) {}

    @Override
    public boolean hasRoom(Gid destination) {
        return true;
    }

    @Override
    public void send(int length, Gid source, Gid destination) {
        counters.add(LinkCounter.DROPPED_UNREACHABLE);
    }

    @Override
    public void flush() {}
}
