package dev.doorbell.testkit;

import java.time.Duration;

/**
 * How fast a device's link is under virtual time: packets leave one after the other, each taking {@code packetTime} and its bytes at
 * {@code bitsPerSecond}, and arrive {@code latency} later. While one is being served others wait; where {@code queue} of them wait
 * already the next is dropped, as by the small receive buffer of a slow receiver.
 *
 * @param bitsPerSecond how fast bytes travel
 * @param packetTime what each packet costs beside its bytes
 * @param latency from one end to the other
 * @param queue how many packets wait at most
 */
public record LinkModel(long bitsPerSecond, Duration packetTime, Duration latency, int queue) {
    private static final long HEADERS = 46;
    private static final double BITS = 8;
    private static final double NANOS = 1e9;

    /** Checks the values. */
    public LinkModel {
        if (bitsPerSecond <= 0 || queue < 1 || packetTime.isNegative() || latency.isNegative()) {
            throw new IllegalArgumentException("no packet gets through with " + bitsPerSecond + " bit/s, " + packetTime
                    + " for a packet, " + latency + " of latency and " + queue + " waiting");
        }
    }

    /** 10 Gbit/s, 300 ns a packet, 5 µs from end to end, 256 packets waiting. */
    public static LinkModel standard() {
        return new LinkModel(10_000_000_000L, Duration.ofNanos(300), Duration.ofNanos(5_000), 256);
    }

    /** The same with another queue. */
    public LinkModel queue(int packets) {
        return new LinkModel(bitsPerSecond, packetTime, latency, packets);
    }

    /** The same with another latency. */
    public LinkModel latency(Duration time) {
        return new LinkModel(bitsPerSecond, packetTime, time, queue);
    }

    /** How long a packet of so many bytes, from the transport header on, takes its turn. */
    long serviceNs(int bytes) {
        return packetTime.toNanos() + Math.round((bytes + HEADERS) * BITS * NANOS / bitsPerSecond);
    }
}
