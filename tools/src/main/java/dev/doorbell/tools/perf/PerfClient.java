package dev.doorbell.tools.perf;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;

/** Does what a plan says on a connection, and looks at the clock. */
final class PerfClient {
    private final QueuePair queuePair;
    private final CompletionQueue completions;
    private final MemorySlice memory;
    private final RemoteMemory remote;
    private final PerfPlan plan;
    private final Duration patience;

    PerfClient(CmConnection connection, MemorySlice memory, RemoteMemory remote, PerfPlan plan, Duration patience) {
        this.queuePair = connection.queuePair();
        this.completions = connection.completions();
        this.memory = memory;
        this.remote = remote;
        this.plan = plan;
        this.patience = patience;
    }

    /** One after the other; nanoseconds of each. */
    long[] oneByOne() {
        boolean answered = plan.operation() == PerfOperation.SEND_LAT;
        long[] samples = new long[plan.repetitions()];
        for (int i = 0; i < samples.length; i++) {
            if (answered) {
                queuePair.postReceive(i, memory);
            }
            long start = System.nanoTime();
            post(i);
            completions.awaitSuccess(answered ? 2 : 1, patience);
            long took = System.nanoTime() - start;
            samples[i] = answered ? took / 2 : took;
        }
        return samples;
    }

    /** As many under way as the plan says; nanoseconds of all. */
    long stream() {
        long start = System.nanoTime();
        int posted = 0;
        int completed = 0;
        while (completed < plan.repetitions()) {
            for (; posted < plan.repetitions() && posted - completed < plan.outstanding(); posted++) {
                post(posted);
            }
            int now = completions.poll(plan.outstanding(), WorkCompletion::requireSuccess);
            if (now == 0) {
                completions.awaitSuccess(1, patience);
                now = 1;
            }
            completed += now;
        }
        return System.nanoTime() - start;
    }

    private void post(int id) {
        try (SendBatch batch = queuePair.batch()) {
            switch (plan.operation()) {
                case SEND_LAT, SEND_BW -> batch.send(id);
                case WRITE_LAT, WRITE_BW -> batch.write(id, remote, 0);
                case READ_LAT, READ_BW -> batch.read(id, remote, 0);
                case ATOMIC_LAT, ATOMIC_BW -> batch.fetchAndAdd(id, remote, 0, 1);
            }
            batch.sge(memory).signaled();
            batch.submit();
        }
    }
}
