package dev.doorbell.soft.kernel;

import dev.doorbell.soft.hca.Hca;

/**
 * What is driven: the part of a device that those who lend it a thread see. Nothing has a default: whoever stands before another
 * would lose what it forgot to pass on.
 */
interface Work {
    /** Whether work may come from elsewhere. Reads only. */
    boolean isReachable();

    /** Whether {@link #doWork} would find anything now. Reads only. */
    boolean hasWork();

    /** As {@link #hasWork()} at a time that the caller knows, so that nobody asks for it. */
    boolean hasWork(long nowNs);

    /** Does what can be done now; false if nothing was done, also because another thread is at it. */
    boolean doWork(long nowNs);

    /** As {@link #doWork}, by a thread that will post or come back soon: what can wait for that may wait. */
    boolean poll(long nowNs);

    /** When there will be work even if nothing arrives; {@link Long#MAX_VALUE} for never. */
    long nextDeadlineNs();

    /** The work of a software HCA. */
    static Work of(Hca hca) {
        return new Work() {
            @Override
            public boolean isReachable() {
                return hca.isReachable();
            }

            @Override
            public boolean hasWork() {
                return hca.hasWork();
            }

            @Override
            public boolean hasWork(long nowNs) {
                return hca.hasWork(nowNs);
            }

            @Override
            public boolean doWork(long nowNs) {
                return hca.doWork(nowNs);
            }

            @Override
            public boolean poll(long nowNs) {
                return hca.poll(nowNs);
            }

            @Override
            public long nextDeadlineNs() {
                return hca.nextDeadlineNs();
            }
        };
    }
}
