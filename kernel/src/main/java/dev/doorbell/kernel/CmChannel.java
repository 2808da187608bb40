package dev.doorbell.kernel;

import dev.doorbell.kernel.abi.CmCommand;
import java.lang.foreign.MemorySegment;

/**
 * An open connection manager of a kernel: what a program opens as {@code /dev/infiniband/rdma_cm}. Identifiers live in
 * the channel in which they were made, or to which they were migrated, and their events are read there.
 *
 * <pre>
 *   invoke(CREATE_ID, ...)   commands: {@link CmCommand} names the struct of each and of its answer
 *   events().read(record)    events: one {@link dev.doorbell.kernel.abi.CmEventRecord} a read
 * </pre>
 *
 * <p>What every kernel promises, as Linux does:
 * <ul>
 *   <li>An identifier's number is unique in its channel as long as it is not destroyed. A number that is unknown in the
 *       channel answers ENOENT; one whose state does not allow the command, EINVAL.
 *   <li>RESOLVE_ADDR, RESOLVE_ROUTE, CONNECT, ACCEPT and JOIN_MCAST return at once; what comes of them is an event.
 *   <li>CONNECT_REQUEST carries the listener's cookie and the number of a new identifier, which belongs to the program
 *       from then on. When it answers with ACCEPT, that command's uid becomes the cookie. Until then the new identifier has
 *       no events: if the peer gives up, ACCEPT fails.
 *   <li>A listener's backlog counts requests that were not read as events. A request beyond it is not answered, and nothing
 *       is kept of it: the peer repeats it later.
 *   <li>DESTROY_ID (and LEAVE_MCAST, MIGRATE_ID) says how many events of the identifier were <em>read</em> from the file;
 *       unread ones are forgotten (moved along, for MIGRATE_ID). A request that was read is not destroyed with its
 *       listener; one that was not, is.
 *   <li>The kernel never touches queue pairs: whoever connects moves them, with what INIT_QP_ATTR says.
 *   <li>Closing the channel destroys its identifiers; peers are told.
 * </ul>
 *
 * <p>Thread rules: every method may be called from any thread, also at the same time. After {@link #close()} commands
 * answer EBADF, and the event file is closed. Being interrupted neither fails a call nor closes the channel.
 */
public interface CmChannel extends AutoCloseable {
    /**
     * Sends one command and waits for its answer; never {@link CmCommand#GET_EVENT} (EINVAL), which is the event file's.
     *
     * <p>The request holds the command's struct without the header. The field for the answer's address is left to the
     * carrier. For SET_OPTION the bytes of the value follow the struct, and the field for their address is left to the
     * carrier too.
     *
     * @param request the struct; the carrier may overwrite the fields that are left to it
     * @param response room for the answer, zeroed beforehand; {@link MemorySegment#NULL} where there is none
     * @return 0, or the errno (positive) with which the kernel refused
     */
    int invoke(CmCommand command, MemorySegment request, MemorySegment response);

    /**
     * The file of this channel's events: the same object each time. Its {@link EventFile#descriptor()} names this channel
     * in MIGRATE_ID. It is closed with the channel; do not close it by itself.
     */
    EventFile events();

    /** Work of this kernel that a waiting program may do in its own thread, and the time by which it waits. */
    default Progress progress() {
        return Progress.NONE;
    }

    /** What was opened, for people. */
    String description();

    /** Closes the channel; identifiers are destroyed. Idempotent. */
    @Override
    void close();
}
