package dev.doorbell.soft.hca;

import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A device under test, with memory, a clock that stands still, and a list of what it reported. */
final class Device implements HcaListener {
    static final int ALL_ACCESS = 0x0f;

    final Gid gid;
    final Hca hca;
    final HcaProtectionDomain domain = new HcaProtectionDomain();
    final Arena arena = Arena.ofShared();
    final List<AsyncEventType> events = new ArrayList<>();
    final AtomicLong clock;

    Device(int address, AtomicLong clock, @Nullable PacketLink link) {
        this(address, clock, link, HcaLimits.DEFAULT);
    }

    Device(int address, AtomicLong clock, @Nullable PacketLink link, HcaLimits limits) {
        this(gid(address), clock, link, limits);
    }

    Device(Gid gid, AtomicLong clock, @Nullable PacketLink link, HcaLimits limits) {
        this(gid, clock, link, limits, gid.low());
    }

    /** A device whose numbers and keys follow from a seed. */
    Device(Gid gid, AtomicLong clock, @Nullable PacketLink link, HcaLimits limits, long seed) {
        this.clock = clock;
        this.gid = gid;
        this.hca = new Hca(limits, clock::get, new SplittableRandom(seed), link, List.of(gid), this);
    }

    static Gid gid(int address) {
        return new Gid(0, 0xffff_0a00_0000L | address);
    }

    Buffer buffer(long bytes) {
        return buffer(bytes, ALL_ACCESS);
    }

    Buffer buffer(long bytes, int access) {
        return register(arena.allocate(Math.max(bytes, 1), 64), bytes, access);
    }

    Buffer register(MemorySegment memory, long bytes, int access) {
        HcaMemoryRegion region = hca.registerMemory(domain, memory, memory.address(), bytes, access);
        return new Buffer(memory, Objects.requireNonNull(region));
    }

    Endpoint endpoint() {
        return new Endpoint(this, new Endpoint.Options());
    }

    Endpoint endpoint(Endpoint.Options options) {
        return new Endpoint(this, options);
    }

    /** Lets time pass up to the device's next deadline, and works. */
    boolean step() {
        long deadline = hca.nextDeadlineNs();
        if (deadline == Long.MAX_VALUE) {
            return false;
        }
        clock.set(Math.max(clock.get(), deadline));
        return hca.doWork(clock.get());
    }

    @Override
    public void queuePairEvent(HcaQueuePair queuePair, AsyncEventType event) {
        events.add(event);
    }

    @Override
    public void workScheduled() {}

    /** Registered memory. */
    record Buffer(MemorySegment memory, HcaMemoryRegion region) {
        long address() {
            return memory.address();
        }

        int key() {
            return region.lkey();
        }

        Buffer fill(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            for (long at = 0; at < memory.byteSize(); at++) {
                dev.doorbell.memory.Host.setByte(memory, at, random.nextInt());
            }
            return this;
        }
    }
}
