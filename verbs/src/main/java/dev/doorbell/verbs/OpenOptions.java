package dev.doorbell.verbs;

import org.jspecify.annotations.Nullable;

/**
 * How to open a device. Immutable.
 *
 * <p>ibv_open_device(3) takes none; these change what is told, and not what is opened.
 *
 * <p>Thread rules: immutable.
 *
 * @param listener is told the steps of opening, or null
 * @param observer sees what the context asks of the kernel, from the first command on, or null
 */
public record OpenOptions(
        @Nullable OpenListener listener, @Nullable KernelObserver observer) {
    private static final OpenOptions PLAIN = new OpenOptions(null, null);

    /** Nobody listens, nobody observes. */
    public static OpenOptions plain() {
        return PLAIN;
    }

    /** The same with a listener. */
    public OpenOptions listener(OpenListener value) {
        return new OpenOptions(value, observer);
    }

    /** The same with an observer. */
    public OpenOptions observer(KernelObserver value) {
        return new OpenOptions(listener, value);
    }
}
