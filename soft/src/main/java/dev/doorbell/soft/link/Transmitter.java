package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * Where one sender builds its packets, in place.
 *
 * <p>A round is: {@link #claim()}, write the packet at that offset of {@link #memory()}, {@link #send}. A batch of rounds
 * ends with {@link #flush()}.
 */
public interface Transmitter {
    /** The memory in which packets are built; the same object for the life of the transmitter. */
    MemorySegment memory();

    /** Offset in {@link #memory()} of the next packet, with room for the link's longest. */
    long claim();

    /** Sets the {@link IpFields} of the packets that follow, if the link has any. */
    void mark(long fields);

    /** Sends the packet that was built at the claimed offset. What cannot be sent is dropped and counted by the link. */
    void send(int length, Gid source, Gid destination);

    /**
     * Whether a packet to this address has a chance: the next queue on its way is not nearly full. Senders that nobody
     * acknowledges wait for it, for a while; a link that cannot tell says yes.
     */
    boolean hasRoom(Gid destination);

    /** Lets go of what a link may have held back in order to send it together. */
    void flush();
}
