package dev.doorbell.testkit;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loopback addresses for devices of this process: another process that uses this class has others, so that runs of the same tests
 * at the same time do not meet. Linux has all of 127.0.0.0/8; elsewhere these may have to be set up first.
 *
 * <p>Thread rules: any thread.
 */
public final class Loopback {
    private static final int MOST = 254;
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** The second part of an address: one range in turn, one by number. */
    private record Range(int first, int count) {
        static final Range IN_TURN = new Range(100, 100);
        static final Range BY_NUMBER = new Range(200, 50);

        InetAddress address(int last) {
            long process = ProcessHandle.current().pid();
            return InetAddress.ofLiteral(
                    "127." + (first + (process >>> 8) % count) + "." + (process & 0xff) + "." + last);
        }
    }

    private Loopback() {}

    /** The next of 254 addresses, which come again in turn: for devices that do not live for long. */
    public static InetAddress next() {
        return Range.IN_TURN.address(1 + Math.floorMod(NEXT.getAndIncrement(), MOST));
    }

    /**
     * The address with this number; {@link #next} never gives it.
     *
     * @param number 1 to 254
     */
    public static InetAddress at(int number) {
        if (number < 1 || number > MOST) {
            throw new IllegalArgumentException(
                    "address " + number + " of this process: they are numbered from 1 to " + MOST);
        }
        return Range.BY_NUMBER.address(number);
    }
}
