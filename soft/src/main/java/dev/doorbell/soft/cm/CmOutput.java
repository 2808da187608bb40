package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.cm.CmMad;

/** Sends messages. They may get lost. */
@FunctionalInterface
public interface CmOutput {
    /**
     * Sends one.
     *
     * @param from the device's address that it comes from
     * @param to the address that it goes to
     */
    void send(CmMad mad, Gid from, Gid to);
}
