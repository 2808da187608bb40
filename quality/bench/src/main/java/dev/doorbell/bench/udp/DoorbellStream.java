package dev.doorbell.bench.udp;

import dev.doorbell.bench.Patience;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bytes one way over RC: WRITEs of a mebibyte into a region of the peer, several outstanding. The peer's program polls
 * until a last, empty SEND tells it that all is there; or it does nothing at all and leaves the work to its device.
 */
final class DoorbellStream implements Player {
    private static final int OUTSTANDING = 8;
    private static final int LAST = 1;

    private final Role role;
    private final DoorbellEnd end;
    private final boolean passive;
    private final Patience patience = new Patience();
    private boolean served;

    /**
     * @param passive whether the server's program never polls
     */
    DoorbellStream(Role role, DoorbellEnd end, boolean passive) {
        this.role = role;
        this.end = end;
        this.passive = passive;
        MemorySegment bytes = end.source.segment();
        for (long at = 0; at < bytes.byteSize(); at += Long.BYTES) {
            bytes.set(ValueLayout.JAVA_LONG, at, at * 0x9e37_79b9_7f4a_7c15L);
        }
    }

    @Override
    public double play(long bytes) {
        if (role == Role.SERVER) {
            serve();
            return 0;
        }
        return send(bytes);
    }

    private double send(long bytes) {
        int messages = (int) (bytes / DoorbellEnd.REGION);
        long start = System.nanoTime();
        int posted = 0;
        int done = 0;
        try (CompletionCursor poll = end.sends.poll()) {
            while (done < messages) {
                while (posted < messages && posted - done < OUTSTANDING) {
                    write(posted++);
                }
                for (int looks = 1; !poll.next(); looks++) {
                    patience.check(looks);
                }
                poll.requireSuccess();
                done++;
            }
        }
        double rate = (double) messages * DoorbellEnd.REGION / (System.nanoTime() - start);
        if (!passive) {
            tell();
        }
        return rate;
    }

    private void write(int id) {
        try (SendBatch batch = end.queuePair.batch()) {
            batch.write(id, end.peer(), 0).sge(end.source).signaled();
            batch.submit();
        }
    }

    private void tell() {
        try (SendBatch batch = end.queuePair.batch()) {
            batch.send(LAST).signaled();
            batch.submit();
        }
        await(end.sends.poll());
    }

    private void serve() {
        if (served
                && MemorySegment.mismatch(
                                end.source.segment(),
                                0,
                                DoorbellEnd.REGION,
                                end.target.segment(),
                                0,
                                DoorbellEnd.REGION)
                        >= 0) {
            throw new IllegalStateException("what was written is not what the source holds");
        }
        served = true;
        if (!passive) {
            end.queuePair.postReceive(LAST, end.target.slice(0, 0));
            await(end.receives.poll());
        }
    }

    private void await(CompletionCursor cursor) {
        try (CompletionCursor poll = cursor) {
            for (int looks = 1; !poll.next(); looks++) {
                patience.check(looks);
            }
            poll.requireSuccess();
        }
    }

    @Override
    public void close() {
        end.close();
    }
}
