package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.Faults;
import dev.doorbell.wire.PacketView;
import java.util.function.Predicate;

/** A queue pair on each of two devices, and a link between them whose faults a test chooses. */
abstract class FaultyWire {
    Wire wire = new Wire();
    Endpoint one = wire.left.endpoint();
    Endpoint other = wire.right.endpoint();

    /** Starts again, with these faults on the ways to either side. */
    final void faults(Faults toLeft, Faults toRight) {
        wire = new Wire(toLeft, toRight);
        one = wire.left.endpoint();
        other = wire.right.endpoint();
    }

    static Faults none() {
        return Faults.seeded(0);
    }

    static Predicate<PacketView> code(int opcode) {
        return packet -> packet.opcode() == opcode;
    }
}
