package dev.doorbell.kernel;

/** Tells a device that a send queue has new work requests. Part of the data path. */
public interface Doorbell {
    /**
     * Rings once. The device sees every work request that was released into the ring before; whether it has executed
     * them when this returns is not said.
     *
     * @return 0, or an errno (positive)
     */
    int ring();

    /** Whether ringing enters an operating system's kernel: true for a system call, false for a store or a call. */
    boolean isSystemCall();
}
