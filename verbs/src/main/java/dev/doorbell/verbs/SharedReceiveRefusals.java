package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;

/** What is said when a shared receive queue cannot be made or changed. */
final class SharedReceiveRefusals {
    private SharedReceiveRefusals() {}

    static VerbsException create(RuntimeException fault, ProtectionDomain domain, int depth, int sge) {
        Refusal refusal = Refusal.of(fault, "CREATE_SRQ", domain.toString());
        String asked = depth + " work requests of " + sge + " elements";
        if (refusal.errno == Errno.ENOMEM) {
            return refusal.limit(
                            asked,
                            "what memory and " + domain.context().query().maxSharedReceiveQueues() + " queues leave")
                    .remedy(LockedMemory.remedy())
                    .exception();
        }
        if (refusal.errno == Errno.EINVAL) {
            DeviceAttributes device = domain.context().query();
            return refusal.limit(
                            asked,
                            "1 to " + device.maxSharedReceiveRequests() + " of up to " + device.maxSharedReceiveSge())
                    .remedy("Ask for less")
                    .exception();
        }
        return refusal.exception();
    }

    /** Refuses what no completion queue could make room for, so that the refusal does not name one. */
    static void checkDepth(int depth, String name, Context context) {
        int most = context.query().maxSharedReceiveRequests();
        if (depth < 1 || depth > most) {
            throw Refusal.of(Errno.EINVAL, "MODIFY_SRQ", name)
                    .limit(depth + " work requests", "1 to " + most)
                    .exception();
        }
    }

    static VerbsException resize(RuntimeException fault, String name, int depth, Context context) {
        Refusal refusal = Refusal.of(fault, "MODIFY_SRQ", name);
        if (refusal.errno == Errno.ENOMEM) {
            return refusal.limit(depth + " work requests", "less")
                    .remedy(LockedMemory.remedy())
                    .exception();
        }
        if (refusal.errno == Errno.EINVAL) {
            return refusal.rule("it must hold what is posted, and reach the limit that is armed")
                    .limit(
                            depth + " work requests",
                            "what is posted to " + context.query().maxSharedReceiveRequests())
                    .exception();
        }
        return refusal.exception();
    }

    /** A receive was to be posted to a queue pair that has no receive queue of its own. */
    static VerbsException notOwn(String operation, String queuePair, SharedReceiveQueue shared) {
        return Refusal.of(Errno.EINVAL, operation, queuePair)
                .rule("it takes its receives from " + shared)
                .remedy("Post them there: sharedReceiveQueue().receives()")
                .exception();
    }

    /** A queue pair and the shared queue that it is to take from do not belong together. */
    static VerbsException foreignDomain(ProtectionDomain domain, SharedReceiveQueue shared) {
        return Refusal.of(Errno.EINVAL, "CREATE_QP", domain.toString())
                .rule(shared + " belongs to " + shared.protectionDomain()
                        + "; devices differ in whose keys count when the two are not the same")
                .remedy("Create both in the same protection domain")
                .exception();
    }
}
