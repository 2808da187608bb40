package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.Mlx5Posting;
import dev.doorbell.soft.hca.NanoClock;
import java.util.ArrayList;
import java.util.List;

/**
 * The work of a device whose programs post by stores alone, which nobody sees: whoever looks for work also looks at the
 * doorbell records. Somebody has to look from time to time while there are queue pairs.
 *
 * <p>Thread rules: any thread.
 */
final class PostedWork implements Work {
    /** How long a work request may lie there when no thread polls or waits. */
    static final long LOOK_NS = 1_000_000;

    private static final Mlx5Posting[] NONE = {};

    private final Work device;
    private final NanoClock clock;

    /** Whether nobody looks unless there is a deadline. */
    private final boolean unattended;

    /** Replaced, never changed. */
    private volatile Mlx5Posting[] watched = NONE;

    PostedWork(Work device, NanoClock clock, boolean unattended) {
        this.device = device;
        this.clock = clock;
        this.unattended = unattended;
    }

    synchronized void watch(Mlx5Posting posting) {
        List<Mlx5Posting> more = new ArrayList<>(List.of(watched));
        more.add(posting);
        watched = more.toArray(NONE);
    }

    synchronized void forget(Mlx5Posting posting) {
        List<Mlx5Posting> fewer = new ArrayList<>(List.of(watched));
        fewer.remove(posting);
        watched = fewer.toArray(NONE);
    }

    @Override
    public boolean isReachable() {
        return device.isReachable();
    }

    @Override
    public boolean hasWork() {
        return isPosted() || device.hasWork();
    }

    @Override
    public boolean hasWork(long nowNs) {
        return isPosted() || device.hasWork(nowNs);
    }

    private boolean isPosted() {
        for (Mlx5Posting posting : watched) {
            if (posting.isPosted()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean doWork(long nowNs) {
        boolean posted = carryOut();
        return device.doWork(nowNs) || posted;
    }

    @Override
    public boolean poll(long nowNs) {
        boolean posted = carryOut();
        return device.poll(nowNs) || posted;
    }

    /** Carries out what was posted; whether there was something. */
    boolean carryOut() {
        boolean posted = false;
        for (Mlx5Posting posting : watched) {
            if (posting.isPosted()) {
                posting.carryOut();
                posted = true;
            }
        }
        return posted;
    }

    @Override
    public long nextDeadlineNs() {
        long own = device.nextDeadlineNs();
        return unattended && watched.length > 0 ? Math.min(own, clock.nanoTime() + LOOK_NS) : own;
    }
}
