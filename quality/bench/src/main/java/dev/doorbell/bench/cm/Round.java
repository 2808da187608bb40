package dev.doorbell.bench.cm;

/**
 * What making, keeping and ending connections took.
 *
 * @param count connections
 * @param setUpNs until all of them were established
 * @param tearDownNs until all of them were ended, by who connected first
 * @param heapBytes heap that they all took while they were idle, both sides together
 * @param ringBytes native memory of their rings, both sides together
 */
record Round(int count, long setUpNs, long tearDownNs, long heapBytes, long ringBytes) {
    private static final double NS_PER_SECOND = 1e9;

    double setUpRate() {
        return count * NS_PER_SECOND / setUpNs;
    }

    double wholeRate() {
        return count * NS_PER_SECOND / (setUpNs + tearDownNs);
    }

    double idleHeapBytes() {
        return (double) heapBytes / count;
    }

    double idleRingBytes() {
        return (double) ringBytes / count;
    }
}
