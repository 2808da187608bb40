package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Doorbell;

/** The doorbell of a handle that names no queue pair. As on Linux, one finds out by ringing. */
record UselessDoorbell(int errno) implements Doorbell {
    @Override
    public int ring() {
        return errno;
    }

    @Override
    public boolean isSystemCall() {
        return false;
    }
}
