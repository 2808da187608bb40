package dev.doorbell.kernel;

import dev.doorbell.kernel.abi.UverbsCommand;

/**
 * Sees what one open context asks of its kernel; {@link ObservedCommandChannel} calls it. Each method is called after
 * the event, in the thread that caused it, and must be quick, must not throw, and must not call back into the context.
 *
 * <p>Thread rules: several threads may call at the same time.
 */
public interface CommandObserver {
    /**
     * A command was answered.
     *
     * @param errno 0, or the errno with which the kernel refused
     * @param elapsedNs time from the call to the answer
     */
    void onCommand(UverbsCommand command, int errno, long elapsedNs);

    /** Memory was mapped. */
    default void onMap(long length, long elapsedNs) {}

    /** A mapping was ended. */
    default void onUnmap(long length) {}

    /** Memory was announced for a registration. */
    default void onPin(long length) {}

    /** Whether doorbells are to be reported too; asked once for each queue pair. */
    default boolean wantsDoorbells() {
        return true;
    }

    /**
     * A doorbell was rung. Part of the data path.
     *
     * @param systemCall whether that entered an operating system's kernel
     * @param errno 0, or what the doorbell answered
     */
    default void onDoorbell(boolean systemCall, int errno) {}
}
