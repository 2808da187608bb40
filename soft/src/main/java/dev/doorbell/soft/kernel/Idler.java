package dev.doorbell.soft.kernel;

/**
 * How a program's thread waits on a device: parked while somebody else drives the device, or, where nobody does, by
 * driving it itself.
 */
interface Idler {
    /** The device's time. */
    long nowNs();

    /** Said once before a thread waits: it polls no more, others must look after the device. */
    void relinquish();

    /**
     * Waits until this thread is unparked, or for no reason, but not beyond the deadline.
     *
     * @return false if the deadline has passed
     */
    boolean idle(long deadlineNs);
}
