package dev.doorbell.cm;

import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The library's part in each event: new identifiers for requests, queue pairs moved, groups attached. Only then is the program
 * told.
 *
 * <p>Called by one thread at a time.
 */
final class EventHandling {
    private final EventChannel channel;

    EventHandling(EventChannel channel) {
        this.channel = channel;
    }

    /** The event for the program; null if it belongs to something that is gone. */
    @Nullable
    CmEvent handle(MemorySegment record) {
        CmEventType type = CmEventType.of(CmEventRecord.event(record, 0));
        if (type == CmEventType.MULTICAST_JOIN || type == CmEventType.MULTICAST_ERROR) {
            return multicast(type, record);
        }
        CmId id = channel.id(CmEventRecord.uid(record, 0));
        if (type == CmEventType.CONNECT_REQUEST) {
            return request(id, record);
        }
        if (id == null) {
            return null;
        }
        try {
            return handle(type, id, record);
        } catch (ClosedException e) {
            return null;
        }
    }

    private CmEvent handle(CmEventType type, CmId id, MemorySegment record) {
        return switch (type) {
            case ADDR_RESOLVED -> resolved(id, record);
            case CONNECT_RESPONSE -> id.queuePairOrNull() == null ? connection(type, id, record) : answered(id, record);
            case ESTABLISHED -> {
                id.connected(!id.isDatagram());
                yield connection(type, id, record);
            }
            case REJECTED, UNREACHABLE, CONNECT_ERROR, DISCONNECTED -> {
                id.connected(false);
                quietly(id::failQueuePair);
                yield connection(type, id, record);
            }
            case ADDR_ERROR,
                    ROUTE_RESOLVED,
                    ROUTE_ERROR,
                    CONNECT_REQUEST,
                    DEVICE_REMOVAL,
                    MULTICAST_JOIN,
                    MULTICAST_ERROR,
                    ADDR_CHANGE,
                    TIMEWAIT_EXIT,
                    UNKNOWN -> event(type, id, record, CmEvent.Details.NONE);
        };
    }

    private static CmEvent event(CmEventType type, CmId id, MemorySegment record, CmEvent.Details details) {
        return new CmEvent(type, CmEventRecord.event(record, 0), id, CmEventRecord.status(record, 0), details);
    }

    /** With what the peer says. */
    private static CmEvent connection(CmEventType type, CmId id, MemorySegment record) {
        if (id.isDatagram()) {
            DatagramDestination datagrams =
                    type == CmEventType.ESTABLISHED ? DatagramDestination.read(record, CmEventRecord.PARAM_UD) : null;
            byte[] data = DatagramDestination.privateData(record, CmEventRecord.PARAM_UD);
            return event(type, id, record, CmEvent.Details.of(datagrams, data));
        }
        return event(type, id, record, CmEvent.Details.of(parameters(record)));
    }

    private static ConnectionParameters parameters(MemorySegment record) {
        return ConnectionParameters.read(record, CmEventRecord.PARAM_CONN, CmEventRecord.ECE);
    }

    private static CmEvent resolved(CmId id, MemorySegment record) {
        try {
            id.refresh();
            return event(CmEventType.ADDR_RESOLVED, id, record, CmEvent.Details.NONE);
        } catch (CmException e) {
            return failed(CmEventType.ADDR_ERROR, id, e);
        }
    }

    /** The peer has accepted: what remains is this side's. */
    private static CmEvent answered(CmId id, MemorySegment record) {
        try {
            id.complete();
            return connection(CmEventType.ESTABLISHED, id, record);
        } catch (ClosedException e) {
            throw e;
        } catch (VerbsException e) {
            quietly(id::failQueuePair);
            // The peer would wait for the confirmation otherwise.
            quietly(() -> id.commands().reject(id, 0, new byte[0]));
            return failed(CmEventType.CONNECT_ERROR, id, e);
        }
    }

    private static CmEvent failed(CmEventType type, CmId id, VerbsException cause) {
        return new CmEvent(type, type.code(), id, -cause.errno(), CmEvent.Details.of(cause));
    }

    private @Nullable CmEvent request(@Nullable CmId listener, MemorySegment record) {
        int number = CmEventRecord.id(record, 0);
        if (listener == null || !listener.isOpen()) {
            // The listener was closed after the event was read: nobody else knows the new identifier.
            quietly(() -> channel.commands().destroy(CmCommand.DESTROY_ID, "request " + number, number));
            return null;
        }
        CmId id = channel.adopt(listener, number);
        try {
            id.refresh();
        } catch (VerbsException e) {
            // The peer has given up, or the device is gone.
            quietly(id::close);
            return null;
        }
        if (!id.isDatagram()) {
            id.requested(parameters(record));
        }
        return connection(CmEventType.CONNECT_REQUEST, id, record);
    }

    private @Nullable CmEvent multicast(CmEventType type, MemorySegment record) {
        MulticastMembership membership = channel.membership(CmEventRecord.uid(record, 0));
        if (membership == null) {
            return null;
        }
        CmId id = membership.id();
        if (type == CmEventType.MULTICAST_ERROR) {
            return event(type, id, record, CmEvent.Details.of(membership, null));
        }
        DatagramDestination group = DatagramDestination.read(record, CmEventRecord.PARAM_UD);
        try {
            membership.joined(group.address().destination());
        } catch (ClosedException e) {
            return null;
        } catch (VerbsException e) {
            return failed(CmEventType.MULTICAST_ERROR, id, e);
        }
        return event(type, id, record, CmEvent.Details.of(membership, group));
    }

    private static void quietly(Runnable step) {
        try {
            step.run();
        } catch (VerbsException e) {
            // What it was to undo is gone already.
        }
    }
}
