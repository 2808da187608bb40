package dev.doorbell.conformance.fabric;

import dev.doorbell.soft.link.ForwardingLink;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.PacketSink;
import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A link whose arriving packets suffer what a case ordered. */
final class ScriptedLink extends ForwardingLink {
    private final ScriptedFaults faults;

    ScriptedLink(PacketLink link, ScriptedFaults faults) {
        super(link);
        this.faults = faults;
    }

    @Override
    public int receive(PacketSink sink, long nowNs, int limit) {
        return link().receive(new Arriving(sink), nowNs, limit);
    }

    private final class Arriving implements PacketSink {
        private final PacketSink sink;

        Arriving(PacketSink sink) {
            this.sink = sink;
        }

        @Override
        public void header(long fields) {
            sink.header(fields);
        }

        // Asked for each packet: an order may come while a thread is in here already, waiting for the packet that it is
        // about.
        @Override
        public void onPacket(MemorySegment memory, long at, int length, Gid source, Gid destination) {
            if (faults.any()) {
                suffer(sink, memory, at, length, source, destination);
            } else {
                sink.onPacket(memory, at, length, source, destination);
            }
        }
    }

    private void suffer(PacketSink sink, MemorySegment memory, long at, int length, Gid source, Gid destination) {
        switch (faults.decide(memory, at, length)) {
            case PASS -> sink.onPacket(memory, at, length, source, destination);
            case DROP -> {}
            case TWICE -> {
                // A sink may write into the packet that it is given.
                MemorySegment copy = Arena.ofAuto().allocate(length, 8);
                MemorySegment.copy(memory, at, copy, 0, length);
                sink.onPacket(memory, at, length, source, destination);
                sink.onPacket(copy, 0, length, source, destination);
            }
        }
    }
}
