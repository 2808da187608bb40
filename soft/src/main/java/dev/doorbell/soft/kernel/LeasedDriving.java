package dev.doorbell.soft.kernel;

import dev.doorbell.memory.Barriers;
import dev.doorbell.soft.hca.NanoClock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Progress by lease. Whoever posts or polls runs the device in its own thread and thereby holds a lease: for a short
 * time it is expected back. Work that turns up meanwhile is left to it. What is still there when the lease has run out,
 * and what turns up while there is none, is done by a thread that waits for events, which is then awake for its event
 * already, or else by the background thread.
 *
 * <pre>
 *   program    poll ───────── poll ──────── poll                          wait
 *   lease      ├───────────────────────────────────────┤                  given up
 *   packets          ▼ ▼          ▼              ▼                ▼            ▼
 *   background       watches the lease                 takes over  woken       the waiter is woken instead
 *   otherwise parked without a time limit: an idle device costs nothing
 * </pre>
 *
 * <p>No wake-up is lost. The background thread publishes when it will look again ({@link #nextLook}) and then checks
 * once more whether it should look sooner; whoever brings work makes it visible and then reads {@code nextLook}. Between
 * each pair of steps stands a full barrier, so at least one of the two sees the other. The same holds for whoever gives the
 * lease up and then looks for work. A waiter on {@link #standby} is taken out by whoever wakes it, so the next packet
 * finds the background thread.
 */
final class LeasedDriving implements Driving, Runnable {
    /** How long a poller is expected back: long against a poll, short against a person. */
    static final long LEASE_NS = 500_000;

    /** The background thread is awake, and will check everything before it sleeps. */
    private static final long AWAKE = Long.MIN_VALUE;

    /** How long to leave work alone that another thread is busy with. */
    private static final long BUSY_NS = 20_000;

    private final Work work;
    private final NanoClock clock;
    private final String name;
    private final boolean hasLink;

    /** Written by whoever polls, posts or gives up; a race between them moves the end by less than a lease. */
    private volatile long leaseEnd;

    /** When the background thread looks next; taken to {@link #AWAKE} by whoever wakes it. */
    private final AtomicLong nextLook = new AtomicLong(AWAKE);

    /** A parked waiter that will do work when it is woken; whoever takes it out wakes it. */
    private final AtomicReference<@Nullable Thread> standby = new AtomicReference<>();

    private volatile @Nullable Thread background;
    private volatile boolean stopped;

    /**
     * @param hasLink whether work can come from elsewhere; if not, there is nothing to lease, and posting and polling do
     *     not ask for the time
     */
    LeasedDriving(Work work, NanoClock clock, String name, boolean hasLink) {
        this.work = work;
        this.clock = clock;
        this.name = name;
        this.hasLink = hasLink;
        this.leaseEnd = clock.nanoTime();
    }

    @Override
    public synchronized void start() {
        if (background == null && !stopped) {
            Thread thread =
                    Thread.ofPlatform().daemon().name("doorbell-" + name).unstarted(this);
            background = thread;
            thread.start();
        }
    }

    @Override
    public boolean poll() {
        if (!hasLink) {
            return work.hasWork() && work.doWork(clock.nanoTime());
        }
        long now = clock.nanoTime();
        renew(now);
        if (!isDue(now) || !work.doWork(now)) {
            return false;
        }
        attend(now);
        return true;
    }

    @Override
    public void posted() {
        if (hasLink) {
            renew(clock.nanoTime());
        }
    }

    private void renew(long now) {
        if (leaseEnd - now < LEASE_NS / 2) {
            leaseEnd = now + LEASE_NS;
        }
    }

    @Override
    public void relinquish() {
        leaseEnd = clock.nanoTime();
        attend(clock.nanoTime());
    }

    /** This thread may be leaving the device: makes sure that somebody looks when there is or will be work. */
    private void attend(long now) {
        Barriers.storeLoad();
        if (whenToLook(now) < nextLook.get()) {
            wakeBackground(leaseEnd, now);
        }
    }

    @Override
    public void arrived() {
        workAt(clock.nanoTime());
    }

    @Override
    public void rescheduled() {
        // A deadline is to come, for which a waiter would be woken in vain.
        Barriers.storeLoad();
        wakeBackground(leaseEnd, clock.nanoTime());
    }

    /** There is work. Unless somebody holds the lease, a thread is woken for it. */
    private void workAt(long now) {
        Barriers.storeLoad();
        long lease = leaseEnd;
        if (lease - now <= 0) {
            Thread waiter = standby.get();
            if (waiter != null && standby.compareAndSet(waiter, null)) {
                LockSupport.unpark(waiter);
                return;
            }
        }
        wakeBackground(lease, now);
    }

    /** Makes the background thread look as soon as it may. */
    private void wakeBackground(long lease, long now) {
        long planned = nextLook.get();
        if (planned != AWAKE && planned > Math.max(lease, now) && nextLook.compareAndSet(planned, AWAKE)) {
            LockSupport.unpark(background);
        }
    }

    @Override
    public void run() {
        while (!stopped) {
            long now = clock.nanoTime();
            boolean worked = leaseEnd <= now && isDue(now) && work.doWork(now);
            if (!worked) {
                sleep(now);
            }
        }
    }

    private void sleep(long now) {
        long look = whenToLook(now);
        boolean busy = look <= now;
        long until = busy ? now + BUSY_NS : look;
        nextLook.set(until);
        Barriers.storeLoad();
        if (!stopped && (busy || whenToLook(now) >= look)) {
            park(until - now, until == Long.MAX_VALUE);
        }
        nextLook.set(AWAKE);
    }

    private boolean isDue(long now) {
        return work.hasWork() || work.nextDeadlineNs() <= now;
    }

    /** When the background thread must look, if nothing changes: at work that is there, or due, when no lease covers it. */
    private long whenToLook(long now) {
        long due = work.hasWork() ? now : work.nextDeadlineNs();
        return due == Long.MAX_VALUE ? due : Math.max(due, leaseEnd);
    }

    private static void park(long ns, boolean forEver) {
        if (forEver) {
            LockSupport.park();
        } else {
            LockSupport.parkNanos(ns);
        }
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public long nowNs() {
        return clock.nanoTime();
    }

    @Override
    public boolean idle(long deadlineNs) {
        long now = clock.nanoTime();
        if (deadlineNs <= now) {
            return false;
        }
        Thread self = Thread.currentThread();
        // What arrived before has woken the background thread, so there is no need to look now.
        boolean onStandby = standby.compareAndSet(null, self);
        park(deadlineNs - now, deadlineNs == Long.MAX_VALUE);
        if (onStandby) {
            standby.compareAndSet(self, null);
            workAsWaiter();
        }
        return true;
    }

    private void workAsWaiter() {
        Barriers.storeLoad();
        long now = clock.nanoTime();
        if (isDue(now)) {
            renew(now);
            work.doWork(now);
            // More than one round's work: this thread may have got what it waits for and leave.
            attend(now);
        }
    }

    @Override
    public synchronized void close() {
        stopped = true;
        LockSupport.unpark(background);
    }
}
