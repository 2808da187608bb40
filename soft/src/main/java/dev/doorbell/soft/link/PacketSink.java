package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/** Takes packets off a link. */
@FunctionalInterface
public interface PacketSink {
    /** The {@link IpFields} of the packets that follow; not called where they are the usual ones and always were. */
    default void header(long fields) {}

    /**
     * One packet, from the BTH up to and including the pad. The memory is the sink's until it returns.
     *
     * @param memory holds the packet
     * @param at where it starts
     * @param length its bytes
     * @param source the sender's address
     * @param destination the address to which it was sent
     */
    void onPacket(MemorySegment memory, long at, int length, Gid source, Gid destination);
}
