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
    private static final int FIRST_IN_TURN = 100;
    private static final int IN_TURN = 155;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Loopback() {}

    /** The next of 155 addresses, which come again in turn: for devices that do not live for long. */
    public static InetAddress next() {
        return address(FIRST_IN_TURN + Math.floorMod(NEXT.getAndIncrement(), IN_TURN));
    }

    /**
     * The address with this number; {@link #next} never gives it.
     *
     * @param number 1 to 99
     */
    public static InetAddress at(int number) {
        if (number < 1 || number >= FIRST_IN_TURN) {
            throw new IllegalArgumentException(
                    "address " + number + " of this process: they are numbered from 1 to 99");
        }
        return address(number);
    }

    private static InetAddress address(int last) {
        long process = ProcessHandle.current().pid();
        return InetAddress.ofLiteral("127." + (100 + (process >>> 8) % 100) + "." + (process & 0xff) + "." + last);
    }
}
