package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.Loopback;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.UdpLink;
import dev.doorbell.soft.link.UdpPlan;
import dev.doorbell.spec.Gid;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two devices that reach each other through sockets of this machine, driven by one thread in real time. */
final class UdpPair implements AutoCloseable {
    final AtomicLong clock = new AtomicLong(System.nanoTime());
    final PacketLink leftLink;
    final PacketLink rightLink;
    final Device left;
    final Device right;

    UdpPair(UdpPlan leftPlan, UdpPlan rightPlan, UnaryOperator<PacketLink> decorator) {
        leftLink = decorator.apply(new UdpLink(leftPlan, new InMemoryNetwork()));
        rightLink = decorator.apply(new UdpLink(rightPlan, new InMemoryNetwork()));
        left = attach(leftLink, clock);
        right = attach(rightLink, clock);
    }

    static UdpPlan plan() {
        return plan(Loopback.next());
    }

    static UdpPlan plan(InetAddress address) {
        return UdpPlan.at(List.of(address)).with(UdpPlan.Carrier.LINUX);
    }

    private static Device attach(PacketLink link, AtomicLong clock) {
        List<Gid> addresses = link.attach().orElseThrow();
        assertThat(link.state()).startsWith("UDP ");
        return new Device(addresses.getFirst(), clock, link, HcaLimits.DEFAULT);
    }

    void work() {
        long now = System.nanoTime();
        clock.set(now);
        left.hca.doWork(now);
        right.hca.doWork(now);
    }

    /** Works until something has come true. The test's own time limit ends it if it never does. */
    void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("given up; " + this);
            }
            work();
        }
    }

    @Override
    public String toString() {
        return "left " + counters(left, leftLink) + ", right " + counters(right, rightLink);
    }

    private static String counters(Device device, PacketLink link) {
        return device.hca.counters() + " " + link.counters();
    }

    @Override
    public void close() {
        leftLink.close();
        rightLink.close();
    }
}
