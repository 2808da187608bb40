package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;

/** What is said when a completion queue is refused. */
final class CompletionQueueRefusals {
    private CompletionQueueRefusals() {}

    /** The kernel or the driver does not create one. */
    static VerbsException create(RuntimeException fault, Context context, int entries, int vector) {
        Refusal refusal = Refusal.of(fault, "CREATE_CQ", context.device().name());
        if (refusal.errno == Errno.ENOMEM) {
            return refusal.limit(entries + " entries", "less")
                    .remedy(LockedMemory.remedy())
                    .exception();
        }
        if (refusal.errno == Errno.EINVAL) {
            int vectors = context.completionVectors();
            return vector < 0 || vector >= vectors
                    ? refusal.limit("vector " + vector, "0 to " + (vectors - 1)).exception()
                    : refusal.limit(
                                    entries + " entries",
                                    "1 to " + context.query().maxCompletions())
                            .exception();
        }
        return refusal.exception();
    }

    /** It does not get the capacity that was asked for. */
    static VerbsException resize(RuntimeException fault, String name, int entries, Context context) {
        Refusal refusal = Refusal.of(fault, "RESIZE_CQ", name);
        return switch (refusal.errno) {
            case Errno.ENOMEM ->
                refusal.limit(entries + " entries", "less")
                        .remedy(LockedMemory.remedy())
                        .exception();
            case Errno.EINVAL ->
                refusal.rule("it must hold the completions that were not polled yet")
                        .limit(
                                entries + " entries",
                                "what waits in it to " + context.query().maxCompletions())
                        .remedy("Poll it first, or ask for another size")
                        .exception();
            default -> refusal.exception();
        };
    }
}
