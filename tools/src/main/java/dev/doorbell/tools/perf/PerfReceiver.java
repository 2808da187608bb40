package dev.doorbell.tools.perf;

import dev.doorbell.cm.CmConnection;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;

/** The server's side of SENDs: takes them, keeps receives posted, and answers each where latencies are measured. */
final class PerfReceiver {
    private final CmConnection connection;
    private final MemorySlice memory;
    private final PerfPlan plan;
    private final Duration patience;
    private int posted;
    private int received;
    private int toAnswer;
    private int answered;

    PerfReceiver(CmConnection connection, MemorySlice memory, PerfPlan plan, Duration patience) {
        this.connection = connection;
        this.memory = memory;
        this.plan = plan;
        this.patience = patience;
    }

    /** Goes on until all have come and all answers are out. */
    void run(int receives) {
        posted = receives;
        boolean answers = !plan.operation().isThroughput();
        while (received < plan.repetitions() || (answers && answered < plan.repetitions())) {
            if (connection.completions().await(1, patience, this::take) == 0) {
                throw new PerfException(
                        "nothing came in time: " + received + " of " + plan.repetitions() + " messages came");
            }
            for (; answers && toAnswer > 0; toAnswer--) {
                connection.queuePair().postSend(0, memory);
            }
        }
    }

    private void take(WorkCompletion completion) {
        if (completion.requireSuccess().opcode() != WorkCompletionOpcode.RECV) {
            answered++;
            return;
        }
        received++;
        toAnswer++;
        if (posted < plan.repetitions()) {
            posted++;
            connection.queuePair().postReceive(0, memory);
        }
    }
}
