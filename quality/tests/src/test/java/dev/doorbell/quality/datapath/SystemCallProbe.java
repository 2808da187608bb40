package dev.doorbell.quality.datapath;

import dev.doorbell.quality.stack.End;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.Arena;

/**
 * A program for {@code check-no-system-calls}, which watches it with strace: it posts and polls on a device, whose name is its
 * argument, between two lines of output, several times.
 */
public final class SystemCallProbe {
    private static final int WARM_UP = 1_000_000;
    private static final int WINDOWS = 5;
    private static final int WORK_REQUESTS = 100_000;

    private final End left;
    private final End right;
    private long bytes;

    private SystemCallProbe(End left, End right) {
        this.left = left;
        this.right = right;
    }

    /** Posts and polls. */
    public static void main(String[] arguments) {
        try (Context context = Device.named(arguments[0]).open()) {
            End left = end(context);
            End right = end(context);
            left.queuePair().connect(right.queuePair().endpoint());
            right.queuePair().connect(left.queuePair().endpoint());
            SystemCallProbe probe = new SystemCallProbe(left, right);
            probe.run(WARM_UP);
            for (int window = 0; window < WINDOWS; window++) {
                System.out.println("BEGIN");
                probe.run(WORK_REQUESTS);
                System.out.println("END " + WORK_REQUESTS + " work requests");
            }
        }
    }

    private static End end(Context context) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue completions = context.createCompletionQueue(64);
        QueuePair queuePair = domain.queuePair(completions).depth(16, 16).build();
        MemoryRegion region = domain.register(
                Arena.ofAuto().allocate(4096, 64),
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ);
        return new End(context, domain, completions, queuePair, region);
    }

    /** Four work requests a round: a receive, a SEND, a WRITE and a READ. */
    private void run(int workRequests) {
        for (int i = 0; i < workRequests; i += 4) {
            try (ReceiveBatch batch = right.queuePair().receives()) {
                batch.receive(i).sge(right.region(), 0, 64);
                batch.submit();
            }
            try (SendBatch batch = left.queuePair().batch()) {
                batch.send(i).sge(left.region(), 0, 64);
                batch.write(i, right.region().address(), right.region().rkey()).sge(left.region(), 0, 64);
                batch.read(i, right.region().address(), right.region().rkey())
                        .sge(left.region(), 64, 64)
                        .signaled();
                batch.submit();
            }
            take(right);
            take(left);
        }
    }

    private void take(End end) {
        while (end.completions()
                        .poll(
                                1,
                                completion ->
                                        bytes += completion.requireSuccess().byteLength())
                == 0) {
            Thread.onSpinWait();
        }
    }
}
