package dev.doorbell.soft.hca;

import java.util.concurrent.atomic.AtomicLong;

/** How two queue pairs reach each other in a test whose rules hold for both. */
enum Way {
    /** Within one device, by copying. */
    COPY,
    /** From one device to another, by packets. */
    PACKETS;

    Ground open() {
        if (this == PACKETS) {
            Wire wire = new Wire();
            return new Ground(wire.left, wire.right, wire.clock);
        }
        AtomicLong clock = new AtomicLong(5_000_000);
        Device device = new Device(1, clock, null);
        return new Ground(device, device, clock);
    }

    /**
     * The devices of the two ends, under one clock that only a test moves.
     *
     * @param left the device of the one end
     * @param right that of the other; the same one for {@link #COPY}
     */
    record Ground(Device left, Device right, AtomicLong clock) {
        private static final int MAX_ROUNDS = 1_000_000;

        /** Lets the devices work at the present time until there is nothing more to do. */
        void settle() {
            while (left.hca.doWork(clock.get()) || right.hca.doWork(clock.get())) {}
        }

        long deadlineNs() {
            return Math.min(left.hca.nextDeadlineNs(), right.hca.nextDeadlineNs());
        }

        /** Lets time pass up to the next deadline, and works. False if nothing would ever happen. */
        boolean step() {
            long deadline = deadlineNs();
            if (deadline == Long.MAX_VALUE) {
                return false;
            }
            clock.set(Math.max(clock.get(), deadline));
            settle();
            return true;
        }

        /** Lets time pass until nothing would ever happen. */
        void finish() {
            settle();
            for (int round = 0; step(); round++) {
                if (round > MAX_ROUNDS) {
                    throw new AssertionError("the conversation does not end");
                }
            }
        }

        long count(Device device, String counter) {
            return device.hca.counters().getOrDefault(counter, 0L);
        }
    }
}
