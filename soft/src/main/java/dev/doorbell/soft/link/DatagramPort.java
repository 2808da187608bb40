package dev.doorbell.soft.link;

import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One bound address: where datagrams leave from. */
interface DatagramPort {
    /** The address. */
    Gid gid();

    /** What a sender keeps for one destination; null if no datagram gets there from here. */
    @Nullable
    Route route(Gid destination);

    /** The way to one destination. One thread at a time. */
    interface Route {
        /**
         * What the headers of the next send will say. Asked before its first packet gets an ICRC; what it says holds until
         * that send, or those sends, were made.
         */
        SentHeaders headers();

        /**
         * After a send was refused: whether there is another way to try, with other headers.
         *
         * @param errno why it was refused
         */
        default boolean retreat(int errno) {
            return false;
        }

        /** Sets the {@link IpFields} of what is sent from now on, where the system lets one. */
        default void mark(long fields) {}

        /**
         * Sends bytes: as one datagram, or cut into datagrams of {@code segmentBytes}, of which only the last may be
         * shorter.
         *
         * @param segmentBytes bytes of a datagram, or 0 for one datagram
         * @return 0 or more, or a negative errno
         */
        long send(MemorySegment memory, long at, int length, int segmentBytes);
    }
}
