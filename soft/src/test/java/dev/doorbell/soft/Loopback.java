package dev.doorbell.soft;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** Loopback addresses that no other test run of this machine uses at the same time. */
public final class Loopback {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Loopback() {}

    /** The next address. */
    public static InetAddress next() {
        Assumptions.assumeTrue(
                System.getProperty("os.name", "").equals("Linux"), "needs the loopback addresses 127.0.0.0/8 of Linux");
        int process = (int) ProcessHandle.current().pid();
        int number = NEXT.getAndIncrement();
        return InetAddress.ofLiteral(
                "127." + (100 + (process >>> 8) % 100) + "." + (process & 0xff) + "." + (1 + number));
    }
}
