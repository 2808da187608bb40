package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Creates a queue pair: checks what the kernel cannot, promises room for its completions, and explains a refusal. */
final class QueuePairCreation {
    private static final int PSN_MASK = 0xff_ffff;

    private final QueuePairPlan asked;

    QueuePairCreation(QueuePairPlan asked) {
        this.asked = asked.copy();
    }

    QueuePair run() {
        check();
        List<Lifetime> parents = asked.parents();
        int entered = 0;
        try {
            for (Lifetime parent : parents) {
                parent.enter("CREATE_QP");
                entered++;
            }
            return create();
        } finally {
            parents.subList(0, entered).forEach(Lifetime::exit);
        }
    }

    private void check() {
        if (asked.sendDepth < 0 || asked.receiveDepth < 0) {
            throw refusal(Errno.EINVAL)
                    .limit(asked.sendDepth + " sends, " + asked.receiveDepth + " receives", "0 and more")
                    .exception();
        }
        checkCompletions(asked.sendCompletions);
        checkCompletions(asked.receiveCompletions);
        SharedReceiveQueue shared = asked.sharedReceives;
        if (shared != null && shared.protectionDomain() != asked.domain) {
            throw SharedReceiveRefusals.foreignDomain(asked.domain, shared);
        }
        if (asked.psn < 0) {
            asked.psn = ThreadLocalRandom.current().nextInt() & PSN_MASK;
        } else if (asked.psn > PSN_MASK) {
            throw refusal(Errno.EINVAL).limit("PSN " + asked.psn, PSN_MASK).exception();
        }
        if (asked.qkey == 0) {
            // Not the privileged half of the numbers, which a kernel may refuse to a program.
            asked.qkey = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        }
    }

    private void checkCompletions(CompletionQueue completions) {
        if (completions.context() != asked.domain.context()) {
            throw refusal(Errno.EINVAL)
                    .rule(completions + " belongs to another context than " + asked.domain)
                    .remedy("Create completion queue and protection domain in the same context")
                    .exception();
        }
    }

    private QueuePair create() {
        CompletionPromise promise = CompletionPromise.of(asked);
        SharedReceiveQueue shared = asked.sharedReceives;
        boolean created = false;
        try {
            EventTargets targets = asked.domain.context().targets();
            asked.cookie = targets.newCookie();
            ProviderQueuePair provider = asked.domain
                    .context()
                    .provider()
                    .createQueuePair(new QueuePairRequest(
                            asked.domain.handle(),
                            asked.type,
                            asked.sendCompletions.provider(),
                            asked.receiveCompletions.provider(),
                            shared == null ? null : shared.provider(),
                            capacity(),
                            asked.signalAll,
                            asked.cookie));
            QueuePair queuePair = new QueuePair(asked, provider, promise);
            targets.put(asked.cookie, queuePair);
            asked.domain.context().queuePairs().add(queuePair.number(), asked.cookie, queuePair);
            created = true;
            return queuePair;
        } catch (RuntimeException e) {
            throw explain(e);
        } finally {
            if (!created) {
                promise.release();
            }
        }
    }

    private QueuePairCapacity capacity() {
        return new QueuePairCapacity(
                asked.sendDepth, asked.receiveDepth, asked.sendSge, asked.receiveSge, asked.inline);
    }

    private VerbsException explain(RuntimeException fault) {
        Refusal refusal = Refusal.of(fault, "CREATE_QP", asked.domain.toString());
        if (refusal.errno != Errno.EINVAL && refusal.errno != Errno.ENOMEM) {
            return refusal.exception();
        }
        DeviceAttributes device = asked.domain.context().query();
        if (refusal.errno == Errno.ENOMEM) {
            return refusal.limit(capacity(), "what memory and " + device.maxQueuePairs() + " queue pairs leave")
                    .remedy(LockedMemory.remedy())
                    .exception();
        }
        return limit(refusal, device).remedy("Ask for less").exception();
    }

    /** The first size that is past the device's limit, or else all of them. */
    private Refusal limit(Refusal refusal, DeviceAttributes device) {
        int requests = device.maxWorkRequests();
        int elements = device.maxSge();
        if (asked.sendDepth > requests) {
            return refusal.limit(asked.sendDepth + " send work requests", requests);
        }
        if (asked.receiveDepth > requests) {
            return refusal.limit(asked.receiveDepth + " receive work requests", requests);
        }
        if (asked.sendSge < 0 || asked.sendSge > elements) {
            return refusal.limit(asked.sendSge + " elements of a send", "0 to " + elements);
        }
        if (asked.receiveSge < 0 || asked.receiveSge > elements) {
            return refusal.limit(asked.receiveSge + " elements of a receive", "0 to " + elements);
        }
        if (asked.inline != 0) {
            return refusal.rule("probably for the inline bytes, of which no device tells its limit")
                    .limit(asked.inline + " inline bytes", "fewer");
        }
        return refusal.limit(asked.type + " with " + capacity(), "what the device has");
    }

    private Refusal refusal(int errno) {
        return Refusal.of(errno, "CREATE_QP", asked.domain.toString());
    }
}
