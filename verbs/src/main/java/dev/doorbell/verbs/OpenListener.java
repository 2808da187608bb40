package dev.doorbell.verbs;

/**
 * Is told the steps of opening a device, in their order, each after it was done: enumerate, open the node, query the
 * context, match and initialise the driver, hand back. Called in the thread that opens; what it throws fails the open.
 *
 * <p>Thread rules: called by one thread, before {@link Device#open(OpenListener)} returns.
 */
@FunctionalInterface
public interface OpenListener {
    /** A step was done. */
    void onStep(OpenStep step);
}
