package dev.doorbell.verbs;

/**
 * Sees what a context asks of its kernel: commands, mappings, registrations and doorbells. Each method is called after
 * the event in the thread that caused it, must be quick and must not throw. {@link KernelCounters} is a ready one.
 *
 * <p>A context that is opened without an observer has nothing on its paths that would ask for one.
 *
 * <p>Thread rules: several threads may call at the same time.
 *
 * <p>The C library has nothing like it. Sizes are bytes, times nanoseconds; commands have the names of the kernel's
 * uverbs interface.
 */
public interface KernelObserver {
    /**
     * A command was answered.
     *
     * @param name such as {@code CREATE_QP}
     * @param errno 0, or the errno with which the kernel refused
     */
    void onCommand(String name, int errno, long elapsedNs);

    /** Memory of the kernel was mapped. */
    default void onMap(long bytes) {}

    /** A mapping was ended. */
    default void onUnmap(long bytes) {}

    /** Memory was announced for a registration. */
    default void onPin(long bytes) {}

    /**
     * A doorbell was rung. Part of the data path.
     *
     * @param systemCall whether that entered an operating system's kernel
     * @param errno 0, or what the doorbell answered
     */
    default void onDoorbell(boolean systemCall, int errno) {}
}
