package dev.doorbell.bench;

/** What all ping-pongs have in common. */
final class PingPong {
    /** Round trips between two looks at the clock: few enough that most chunks see no interruption. */
    static final int TRIPS_PER_CHUNK = 200;

    private PingPong() {}
}
