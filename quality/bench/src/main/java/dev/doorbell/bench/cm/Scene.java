package dev.doorbell.bench.cm;

/** Two ends that can make connections to each other, round after round. */
interface Scene extends AutoCloseable {
    /** What it is, for the table. */
    String name();

    /** Makes so many connections, looks at what they take, and ends them. */
    Round play(int count) throws Exception;

    @Override
    void close();

    /** Heap in use, after what is not in use any more was collected. */
    static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
