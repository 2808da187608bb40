package dev.doorbell.bench.cm;

/** One of two programs: who connects, or who accepts. It makes connections, keeps them idle, and ends them. */
interface End extends AutoCloseable {
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

    /** Bytes of the rings of its device. */
    long ringBytes();

    @Override
    void close();
}
