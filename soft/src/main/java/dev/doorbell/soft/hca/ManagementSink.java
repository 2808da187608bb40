package dev.doorbell.soft.hca;

import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * Takes management datagrams.
 *
 * <p>Thread rules: called by whichever thread drives the device, in the middle of its work: takes a copy and returns.
 */
@FunctionalInterface
public interface ManagementSink {
    /**
     * One has come; whether it makes sense was not looked at.
     *
     * @param memory holds it, until this returns
     * @param at where it starts
     * @param length its bytes
     * @param source the sender's address
     * @param destination the address to which it was sent
     */
    void onDatagram(MemorySegment memory, long at, int length, Gid source, Gid destination);
}
