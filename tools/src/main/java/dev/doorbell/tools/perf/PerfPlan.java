package dev.doorbell.tools.perf;

import java.nio.ByteBuffer;

/**
 * What the client does on one connection; it travels to the server in the private data of the request.
 *
 * <pre>
 *   0 magic "DBPF" │ 4 version 1 │ 5 operation │ 6 last │ 7 zero │ 8 bytes of a message │ 12 repetitions │ 16 outstanding
 * </pre>
 *
 * @param operation what is measured
 * @param size bytes of a message
 * @param repetitions how often
 * @param outstanding most that are under way at a time; 1 for latencies
 * @param last whether the client makes no further connection
 */
record PerfPlan(PerfOperation operation, int size, int repetitions, int outstanding, boolean last) {
    static final int MAX_SIZE = 1 << 26;

    /** What the queues hold, each way. */
    static final int DEPTH = 128;

    private static final int MAGIC = 0x44425046;
    private static final int VERSION = 1;
    private static final int BYTES = 20;

    byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put((byte) operation.ordinal())
                .put((byte) (last ? 1 : 0))
                .put((byte) 0)
                .putInt(size)
                .putInt(repetitions)
                .putInt(outstanding)
                .array();
    }

    /**
     * Reads what a peer sent.
     *
     * @throws PerfException if it is no plan, or one that cannot be played
     */
    static PerfPlan fromBytes(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (bytes.length < BYTES || from.getInt(0) != MAGIC || from.get(4) != VERSION) {
            throw new PerfException("the client is no 'doorbell perf' of this version");
        }
        int operation = from.get(5);
        boolean last = from.get(6) != 0;
        int size = from.getInt(8);
        int repetitions = from.getInt(12);
        int outstanding = from.getInt(16);
        PerfOperation[] all = PerfOperation.values();
        if (operation < 0
                || operation >= all.length
                || size < 1
                || size > MAX_SIZE
                || repetitions < 1
                || outstanding < 1
                || outstanding > DEPTH) {
            throw new PerfException("the client wants operation " + operation + ", " + repetitions + " times " + size
                    + " bytes, " + outstanding + " at a time, which this end does not do");
        }
        return new PerfPlan(all[operation], size, repetitions, outstanding, last);
    }
}
