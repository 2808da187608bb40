package dev.doorbell.soft.fault;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import dev.doorbell.wire.Icrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Changes bits of packets, and looks at them as a receiver does. */
final class Damage {
    private static final int MOST_BITS = 3;
    private static final int SOME_PORT = 0xc000;

    private final FaultInjector injector;

    Damage(FaultInjector injector) {
        this.injector = injector;
    }

    /** Changes one bit. */
    void falsify(MemorySegment packet, long at, int length) {
        flip(packet, at, injector.someNumber((long) length * Byte.SIZE));
    }

    /**
     * Changes a few bits, as a wire might; the ICRC is computed before and after.
     *
     * @return whether a receiver notices. If not, the packet has changed; otherwise it is as it was
     */
    boolean isNoticed(MemorySegment packet, long at, int length, Gid source, Gid destination) {
        if (source.isIpv4Mapped() != destination.isIpv4Mapped()) {
            return true;
        }
        MemorySegment copy = Arena.ofAuto().allocate(length, 4);
        MemorySegment.copy(packet, at, copy, 0, length);
        Icrc icrc = new Icrc(source, destination, SOME_PORT);
        int sent = icrc.compute(copy.asByteBuffer(), 0, length);
        long bits = 1 + injector.someNumber(MOST_BITS);
        for (long bit = 0; bit < bits; bit++) {
            flip(copy, 0, injector.someNumber((long) length * Byte.SIZE));
        }
        boolean noticed = icrc.compute(copy.asByteBuffer(), 0, length) != sent;
        if (!noticed) {
            MemorySegment.copy(copy, 0, packet, at, length);
        }
        return noticed;
    }

    private static void flip(MemorySegment packet, long at, long bit) {
        long offset = at + bit / Byte.SIZE;
        Be.setByte(packet, offset, Be.getUnsignedByte(packet, offset) ^ 1 << (int) (bit % Byte.SIZE));
    }
}
