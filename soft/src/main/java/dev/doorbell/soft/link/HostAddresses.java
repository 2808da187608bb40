package dev.doorbell.soft.link;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses the host has at the moment: what a {@link UdpLink} follows.
 *
 * <p>Thread rules: any thread.
 */
public interface HostAddresses {
    /** The interface that has an address at present; null if none has. */
    @Nullable
    Place find(InetAddress address);

    /** Runs an action, in a thread of its own, whenever an answer of {@link #find} may have changed. */
    Watch watch(Runnable action);

    /** Those of the operating system. */
    static HostAddresses system() {
        return SystemAddresses.INSTANCE;
    }

    /**
     * A network interface.
     *
     * @param name its name
     * @param index its number; another interface of the same name has another
     * @param up whether it is up, and has a carrier
     * @param mtu the longest IP packet, in bytes
     */
    record Place(String name, int index, boolean up, int mtu) {}

    /** What {@link #watch} began. */
    interface Watch extends AutoCloseable {
        /** Runs the action again after a while, though nothing may change: what was refused may be granted then. */
        void runAgain();

        /** Ends it; the action may still be running. Idempotent. */
        @Override
        void close();
    }
}
