package dev.doorbell.bench;

/** Something that takes time, measured in rounds. */
public interface Measurement extends AutoCloseable {
    /** What it is, for the table. */
    String name();

    /** Runs one round: the median of its chunks, in nanoseconds for one operation or round trip. */
    double round();

    @Override
    void close();
}
