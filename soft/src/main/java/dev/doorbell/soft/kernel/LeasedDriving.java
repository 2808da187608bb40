package dev.doorbell.soft.kernel;

import dev.doorbell.memory.Barriers;
import dev.doorbell.soft.hca.NanoClock;
import dev.doorbell.soft.link.PacketWatch;
import dev.doorbell.soft.link.PacketWatch.Seat;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>A link that cannot tell of arrivals ({@link PacketWatch}) is asked by whoever polls, and slept at by whoever sleeps:
 * a waiter on standby, or else the background thread. While a lease covers traffic, nobody sleeps there, since each packet
 * would wake a thread that has nothing to do; the background thread looks again when the lease ends.
 *
 * <p>No wake-up is lost. The background thread publishes when it will look again ({@link #nextLook}) and then checks
 * once more whether it should look sooner; whoever brings work makes it visible and then reads {@code nextLook}. Between
 * each pair of steps stands a full barrier, so at least one of the two sees the other. The same holds for whoever gives the
 * lease up and then looks for work, and for whoever says that it polls no more ({@link #endLooking}). A waiter on {@link #standby} is taken out by whoever wakes it, so the next packet
 * finds the background thread.
 */
final class LeasedDriving implements Driving, Runnable {
    /** How long a poller is expected back: long against a poll, short against a person. */
    static final long LEASE_NS = 500_000;

    /** The background thread is awake, and will check everything before it sleeps. */
    private static final long AWAKE = Long.MIN_VALUE;

    /** So much is left of a lease at least while a thread that polls all the time is not held up. */
    private static final long FRESH_NS = LEASE_NS - LEASE_NS / 4;

    /** How long to leave work alone that another thread is busy with. */
    private static final long BUSY_NS = 20_000;

    /** How long a waiter looks before it sleeps: about the time that it takes to be woken. */
    private static final long SPIN_NS = 50_000;

    /** For how long the background thread goes on looking at a link at which it found packets: sleeping takes longer. */
    private static final long LINGER_NS = 50_000;

    private final Work work;
    private final NanoClock clock;
    private final String name;
    private final boolean hasLink;
    private final @Nullable PacketWatch watch;

    /** Written by whoever polls, posts or gives up; a race between them moves the end by less than a lease. */
    private volatile long leaseEnd;

    /** When the background thread looks next; taken to {@link #AWAKE} by whoever wakes it. */
    private final AtomicLong nextLook = new AtomicLong(AWAKE);

    /** A parked waiter that will do work when it is woken; whoever takes it out wakes it. */
    private final AtomicReference<@Nullable Thread> standby = new AtomicReference<>();

    /** Whether the waiter on standby is at the link: one that came when nothing was to be had there is parked elsewhere. */
    private volatile boolean waiterAtLink;

    /** Whether the background thread's present sleep is at the link; written before {@link #nextLook}. */
    private volatile boolean atLink;

    /** Whether packets came while somebody held the lease; the background thread takes it back. */
    private volatile boolean traffic;

    /** Threads that poll all the time; see {@link #beginLooking}. */
    private final AtomicInteger looking = new AtomicInteger();

    /** Counts calls of {@link #wake}. */
    private final AtomicLong wakeUps = new AtomicLong();

    /** The count when a thread last left this object, so that it does not sleep through a later one. */
    private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

    /**
     * Whether the background thread came from the link and has done nothing since. If nobody has a lease, another thread is at
     * work, and may be waiting for this one's processor: asking the link again would return at once.
     */
    private boolean leftLink;

    private volatile @Nullable Thread background;
    private volatile boolean stopped;

    /**
     * @param hasLink whether work can ever come from elsewhere; while it cannot, there is nothing to lease, and posting
     *     and polling do not ask for the time
     */
    LeasedDriving(Work work, NanoClock clock, String name, boolean hasLink) {
        this(work, clock, name, hasLink, null);
    }

    /**
     * @param watch how to sleep until packets arrive, if nobody calls {@link #arrived} for them
     */
    LeasedDriving(Work work, NanoClock clock, String name, boolean hasLink, @Nullable PacketWatch watch) {
        this.work = work;
        this.watch = watch;
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
        if (!hasLink || !work.isReachable()) {
            return work.hasWork() && work.doWork(clock.nanoTime());
        }
        long now = clock.nanoTime();
        renew(now);
        if (!(isAsked() || isDue(now)) || !work.poll(now)) {
            return false;
        }
        noteTraffic();
        attend(now);
        return true;
    }

    @Override
    public void posted() {
        if (hasLink && work.isReachable()) {
            renew(clock.nanoTime());
        }
    }

    private void renew(long now) {
        if (leaseEnd - now < LEASE_NS - LEASE_NS / 8) {
            leaseEnd = now + LEASE_NS;
        }
    }

    /** Whether packets may wait at the link unseen. */
    private boolean isAsked() {
        PacketWatch asked = watch;
        return asked != null && asked.isNeeded();
    }

    private void noteTraffic() {
        if (!traffic) {
            traffic = true;
        }
    }

    @Override
    public void relinquish() {
        long now = clock.nanoTime();
        leaseEnd = now;
        PacketWatch asked = watch;
        if (asked == null || !asked.isNeeded()) {
            attend(now);
            return;
        }
        seen.get()[0] = wakeUps.get();
        if (asked.offers(Seat.WAITER)) {
            attend(now);
        } else {
            handOver(now);
        }
    }

    /** This thread neither asks nor sleeps at the link any more: makes sure that the background thread will. */
    private void handOver(long now) {
        Barriers.storeLoad();
        if (!atLink || whenToLook(now) < nextLook.get()) {
            wakeBackground(leaseEnd, now);
        }
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
        long now = clock.nanoTime();
        if (isAsked()) {
            // What it is about may still be at the link, where only who asks sees it.
            Barriers.storeLoad();
            wakeBackground(leaseEnd, now);
        } else {
            workAt(now);
        }
    }

    @Override
    public void rescheduled() {
        // A deadline is to come, for which a waiter would be woken in vain; so would be who looks before it anyway.
        attend(clock.nanoTime());
    }

    /** There is work. Unless somebody holds the lease, a thread is woken for it. */
    private void workAt(long now) {
        Barriers.storeLoad();
        long lease = leaseEnd;
        if (lease - now > FRESH_NS && looking.get() > 0) {
            // A thread polls, and has just done so: it finds the work, or says that it polls no more.
            return;
        }
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
            PacketWatch asked = watch;
            if (asked != null && atLink) {
                asked.wake(Seat.BACKGROUND);
            } else {
                // Not where it sleeps at the link: its next park would return at once.
                LockSupport.unpark(background);
            }
        }
    }

    @Override
    public void run() {
        long lingerEnd = clock.nanoTime();
        while (!stopped) {
            long now = clock.nanoTime();
            boolean own = leaseEnd <= now;
            if (own && (isAsked() || isDue(now)) && work.doWork(now)) {
                leftLink = false;
                lingerEnd = now + LINGER_NS;
            } else if (own && now < lingerEnd && isAsked() && standby.get() == null) {
                Thread.onSpinWait();
            } else {
                sleep(now);
            }
        }
    }

    private void sleep(long now) {
        long look = whenToLook(now);
        PacketWatch asked = watch;
        boolean wokenInVain = leftLink && leaseEnd <= now;
        leftLink = false;
        if (look <= now || wokenInVain) {
            sleepParked(now, look, now + BUSY_NS, true);
        } else if (asked == null || !asked.isNeeded()) {
            sleepParked(now, look, look, false);
        } else if (leaseEnd > now && traffic) {
            traffic = false;
            watchLease(now, Math.min(look, leaseEnd));
        } else if (standby.get() == null || !waiterAtLink) {
            sleepAtLink(asked, now, look);
        } else {
            sleepBehindWaiter(now, look);
        }
    }

    private void sleepParked(long now, long look, long until, boolean busy) {
        publish(until, false);
        if (!stopped && (busy || (whenToLook(now) >= look && !isAsked()))) {
            park(until - now, until == Long.MAX_VALUE);
        }
        nextLook.set(AWAKE);
    }

    /** Packets are left to whoever holds the lease. Whether it came back shows when the lease ends. */
    private void watchLease(long now, long until) {
        publish(until, false);
        if (!stopped && whenToLook(now) >= until && leaseEnd >= until) {
            park(until - now, false);
        }
        nextLook.set(AWAKE);
    }

    private void sleepAtLink(PacketWatch asked, long now, long look) {
        publish(look, true);
        if (!stopped && whenToLook(now) >= look) {
            asked.await(Seat.BACKGROUND, look == Long.MAX_VALUE ? look : look - now);
            leftLink = true;
            if (leaseEnd > clock.nanoTime()) {
                noteTraffic();
            }
        }
        nextLook.set(AWAKE);
    }

    /** The waiter sleeps at the link; when it leaves, it hands over. */
    private void sleepBehindWaiter(long now, long look) {
        publish(look, false);
        if (!stopped && whenToLook(now) >= look && standby.get() != null) {
            park(look - now, look == Long.MAX_VALUE);
        }
        nextLook.set(AWAKE);
    }

    private void publish(long until, boolean sleepsAtLink) {
        atLink = sleepsAtLink;
        nextLook.set(until);
        Barriers.storeLoad();
    }

    private boolean isDue(long now) {
        return work.hasWork(now);
    }

    /** When the background thread must look, if nothing changes: at work that is there, or due, when no lease covers it. */
    private long whenToLook(long now) {
        long due = work.hasWork(now) ? now : work.nextDeadlineNs();
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
        PacketWatch asked = watch;
        if (asked != null && asked.isNeeded()) {
            idleAtLink(asked, now, deadlineNs);
            return true;
        }
        boolean onStandby = standBy();
        park(deadlineNs - now, deadlineNs == Long.MAX_VALUE);
        if (onStandby) {
            standDown();
        }
        return true;
    }

    @Override
    public boolean standBy() {
        // What arrived before has woken the background thread, so there is no need to look now.
        return !isAsked() && standby.compareAndSet(null, Thread.currentThread());
    }

    @Override
    public void standDown() {
        standby.compareAndSet(Thread.currentThread(), null);
        workAsWaiter();
    }

    @Override
    public long spinNs() {
        return SPIN_NS;
    }

    @Override
    public void beginLooking() {
        looking.getAndIncrement();
    }

    @Override
    public void endLooking() {
        looking.getAndDecrement();
        attend(clock.nanoTime());
    }

    private void idleAtLink(PacketWatch asked, long now, long deadlineNs) {
        Thread self = Thread.currentThread();
        long[] mark = seen.get();
        if (asked.offers(Seat.WAITER) && standby.compareAndSet(null, self)) {
            // Either the count tells of a wake-up that came before, or whoever wakes sees this thread on standby.
            waiterAtLink = true;
            if (wakeUps.get() == mark[0]) {
                asked.await(Seat.WAITER, deadlineNs == Long.MAX_VALUE ? deadlineNs : deadlineNs - now);
            }
            waiterAtLink = false;
            standby.compareAndSet(self, null);
            long then = clock.nanoTime();
            renew(then);
            if (work.doWork(then)) {
                noteTraffic();
            }
            handOver(then);
        } else {
            park(deadlineNs - now, deadlineNs == Long.MAX_VALUE);
        }
        mark[0] = wakeUps.get();
    }

    @Override
    public void wake(@Nullable Thread thread) {
        if (thread == null) {
            return;
        }
        LockSupport.unpark(thread);
        PacketWatch asked = watch;
        if (asked != null) {
            wakeUps.getAndIncrement();
            if (standby.get() == thread) {
                asked.wake(Seat.WAITER);
            }
        }
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
        PacketWatch asked = watch;
        if (asked != null) {
            asked.wake(Seat.BACKGROUND);
        }
    }
}
