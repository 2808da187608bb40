package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.linux.syscall.RecordFile;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.AsyncEventType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Asynchronous events, which the library reads itself; each is acknowledged as soon as it is taken. */
final class AsyncRecords implements RecordFile.Records {
    private static final int EVENT_SIZE = 16;
    private static final int TYPE = 8;

    private final VerbsLibrary library;
    private final ContextStruct context;
    private final MemorySegment event = Arena.ofAuto().allocate(EVENT_SIZE, Long.BYTES);

    // Guarded by this.
    private boolean closed;

    private AsyncRecords(VerbsLibrary library, ContextStruct context) {
        this.library = library;
        this.context = context;
    }

    /** The events of a context; its descriptor is closed with the context. */
    static RecordFile of(VerbsLibrary library, ContextStruct context) {
        return RecordFile.of(context.asyncDescriptor(), new AsyncRecords(library, context));
    }

    @Override
    public synchronized int take(MemorySegment record) {
        if (closed) {
            return 0;
        }
        if (record.byteSize() < AsyncEvent.SIZE) {
            throw new KernelException(Errno.EINVAL, "a record does not fit in " + record.byteSize() + " bytes");
        }
        if (library.number(Function.GET_ASYNC_EVENT, context.address(), event.address()) != 0) {
            return refused(library.errno(), context.asyncDescriptor());
        }
        int type = Host.getInt(event, TYPE);
        AsyncEvent.setElement(record, 0, element(type, Host.getLong(event, 0)));
        AsyncEvent.setEventType(record, 0, type);
        library.run(Function.ACK_ASYNC_EVENT, event.address());
        return AsyncEvent.SIZE;
    }

    /** The cookie of the queue that it concerns, read while the library still keeps the queue, or a port number. */
    private static long element(int type, long pointer) {
        if (type < 0 || type > AsyncEventType.GID_CHANGE.code()) {
            return 0;
        }
        return switch (AsyncEventType.of(type)) {
            case CQ_ERR -> Foreign.longAt(pointer + Heads.CQ_COOKIE);
            case QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PATH_MIG,
                    PATH_MIG_ERR,
                    QP_LAST_WQE_REACHED -> Foreign.longAt(pointer + Heads.QP_COOKIE);
            case SRQ_ERR, SRQ_LIMIT_REACHED -> Foreign.longAt(pointer + Heads.SRQ_COOKIE);
            // A port's number fills half of the field.
            default -> (int) pointer;
        };
    }

    /** What reading without an event means: 0, or an exception. */
    static int refused(int errno, int descriptor) {
        return switch (errno) {
            case Errno.EAGAIN, Errno.EINTR, Errno.EBADF -> 0;
            case Errno.EIO ->
                throw new KernelException(Errno.EIO, "the device of event file " + descriptor + " is gone");
            default -> throw new KernelException(errno, "reading event file " + descriptor);
        };
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
