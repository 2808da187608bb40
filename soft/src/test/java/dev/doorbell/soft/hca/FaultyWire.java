package dev.doorbell.soft.hca;

import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.fault.PassingPacket;
import java.util.function.Predicate;

/** A queue pair on each of two devices, and a link between them whose faults a test chooses. */
abstract class FaultyWire {
    Wire wire = new Wire();
    Endpoint one = wire.left.endpoint();
    Endpoint other = wire.right.endpoint();

    /** Starts again, with these faults on the ways to either side. */
    final void faults(FaultInjector toLeft, FaultInjector toRight) {
        wire = new Wire(toLeft, toRight);
        one = wire.left.endpoint();
        other = wire.right.endpoint();
    }

    static FaultInjector none() {
        return FaultInjector.seeded(0);
    }

    static Predicate<PassingPacket> code(int opcode) {
        return PassingPacket.withOpcode(opcode);
    }
}
