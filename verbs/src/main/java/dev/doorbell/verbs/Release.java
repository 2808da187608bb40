package dev.doorbell.verbs;

/**
 * Gives back what an object has in the kernel. Must not hold on to the public object, or that could never become
 * unreachable.
 */
@FunctionalInterface
interface Release {
    /** Called once by one thread, with no call on the object in progress. May be called again if it threw. */
    void release(Closing mode);

    /** Destroys a kernel object; a refusal says which operation on which object it was. */
    static Release destroying(String operation, String name, Runnable destroy) {
        return mode -> {
            try {
                destroy.run();
            } catch (RuntimeException e) {
                throw Refusal.of(e, operation, name).exception();
            }
        };
    }

    /** Whether children that the kernel refuses to close go with it, rather than keep it from closing. */
    default boolean takesChildren() {
        return false;
    }
}
