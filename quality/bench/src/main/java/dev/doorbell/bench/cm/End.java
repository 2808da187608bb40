package dev.doorbell.bench.cm;

import dev.doorbell.soft.SoftNetwork;
import java.util.concurrent.locks.LockSupport;

/** One of two programs: who connects, or who accepts. It makes connections, keeps them idle, and ends them. */
interface End extends AutoCloseable {
    /** Between two looks. */
    long PAUSE_NS = 1_000_000;

    /**
     * Makes so many connections, or accepts them.
     *
     * @param count connections
     * @param atATime how many are being made at the same time; of no interest to who accepts
     */
    void hold(int count, int atATime) throws Exception;

    /** Ends them all. */
    void release() throws Exception;

    /** Waits until nothing of earlier connections is left, such as ends that wait for late messages. */
    void settle();

    /** Waits until nothing of earlier connections is left on devices. */
    static void settle(SoftNetwork network) {
        while (network.connections().endpoints() > 0) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Bytes of the rings of its device. */
    long ringBytes();

    @Override
    void close();
}
