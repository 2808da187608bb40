package dev.doorbell.soft.fault;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.PacketView;
import java.util.function.Predicate;

/**
 * A packet that passes a {@link FaultInjector}, for as long as a predicate looks at it.
 *
 * @param direction which way it goes
 * @param packet its headers; the view belongs to the injector, nothing of it may be kept
 * @param peer the other end's address: where it goes if it is sent, where it comes from if it is received
 */
public record PassingPacket(Direction direction, PacketView packet, Gid peer) {
    /** Packets with this operation code, see {@link dev.doorbell.spec.Opcode}. */
    public static Predicate<PassingPacket> withOpcode(int opcode) {
        return passing -> passing.packet.opcode() == opcode;
    }

    /** Packets that go this way. */
    public static Predicate<PassingPacket> going(Direction direction) {
        return passing -> passing.direction == direction;
    }

    /** Packets with this sequence number. */
    public static Predicate<PassingPacket> withPsn(int psn) {
        return passing -> passing.packet.psn() == psn;
    }

    /** Packets to the queue pair of this number, at whichever end. */
    public static Predicate<PassingPacket> toQueuePair(int number) {
        return passing -> passing.packet.destQp() == number;
    }

    /** Packets from or to this address of a peer. */
    public static Predicate<PassingPacket> ofPeer(Gid address) {
        return passing -> passing.peer.equals(address);
    }
}
