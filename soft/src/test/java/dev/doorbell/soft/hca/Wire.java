package dev.doorbell.soft.hca;

import dev.doorbell.soft.fault.Direction;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.PacketLink;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Two devices that reach each other by packets, in one thread and under virtual time. */
final class Wire {
    /** Far more rounds than any conversation of a test needs. */
    private static final int MAX_ROUNDS = 5_000_000;

    final AtomicLong clock = new AtomicLong(5_000_000);
    final InMemoryNetwork network;
    final Device left;
    final Device right;

    Wire() {
        this(FaultInjector.seeded(1), FaultInjector.seeded(2));
    }

    /** With faults for what arrives at each device. */
    Wire(FaultInjector toLeft, FaultInjector toRight) {
        this(toLeft, toRight, InMemoryNetwork.DEFAULT_SLOTS);
    }

    Wire(FaultInjector toLeft, FaultInjector toRight, int slots) {
        network = new InMemoryNetwork(slots);
        left = new Device(1, clock, faulty(1, toLeft));
        right = new Device(2, clock, faulty(2, toRight));
    }

    private PacketLink faulty(int address, FaultInjector faults) {
        return faults.only(Direction.RECEIVED).on(network.join(List.of(Device.gid(address))), clock::get);
    }

    /** Lets both devices work at the present time until there is nothing more to do. */
    void settle() {
        int rounds = 0;
        while (left.hca.doWork(clock.get()) || right.hca.doWork(clock.get())) {
            check(rounds++);
        }
    }

    /** Lets both devices work, and time pass, until nothing would ever happen. */
    void finish() {
        int rounds = 0;
        settle();
        while (deadline() != Long.MAX_VALUE) {
            clock.set(Math.max(clock.get(), deadline()));
            settle();
            check(rounds++);
        }
    }

    private long deadline() {
        return Math.min(left.hca.nextDeadlineNs(), right.hca.nextDeadlineNs());
    }

    private static void check(int rounds) {
        if (rounds > MAX_ROUNDS) {
            throw new AssertionError("the conversation does not end");
        }
    }

    long count(Device device, String counter) {
        return device.hca.counters().getOrDefault(counter, 0L);
    }
}
