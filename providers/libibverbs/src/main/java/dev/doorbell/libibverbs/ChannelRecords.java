package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.CompletionEvent;
import dev.doorbell.linux.syscall.RecordFile;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Events of a completion channel, which the library reads itself; each is acknowledged as soon as it is taken. */
final class ChannelRecords implements RecordFile.Records {
    private final VerbsLibrary library;
    private final ObjectTable objects;
    private final long channel;
    private final int descriptor;
    /** Two pointers that the library fills in: the completion queue, and its cookie. */
    private final MemorySegment answer = Arena.ofAuto().allocate(2L * Long.BYTES, Long.BYTES);

    // Guarded by this.
    private boolean closed;

    private ChannelRecords(VerbsLibrary library, ObjectTable objects, long channel, int descriptor) {
        this.library = library;
        this.objects = objects;
        this.channel = channel;
        this.descriptor = descriptor;
    }

    /** Makes a channel. */
    static RecordFile create(VerbsLibrary library, ObjectTable objects, ContextStruct context) {
        long channel = library.make(Function.CREATE_COMP_CHANNEL, context.address());
        int descriptor = Foreign.intAt(channel + Heads.CHANNEL_FD);
        objects.putChannel(descriptor, channel);
        return RecordFile.of(descriptor, new ChannelRecords(library, objects, channel, descriptor));
    }

    @Override
    public synchronized int take(MemorySegment record) {
        if (closed) {
            return 0;
        }
        if (record.byteSize() < CompletionEvent.SIZE) {
            throw new KernelException(Errno.EINVAL, "a record does not fit in " + record.byteSize() + " bytes");
        }
        int failed = library.number(Function.GET_CQ_EVENT, channel, answer.address(), answer.address() + Long.BYTES);
        if (failed != 0) {
            return AsyncRecords.refused(library.errno(), descriptor);
        }
        library.run(Function.ACK_CQ_EVENTS, Host.getLong(answer, 0), 1);
        CompletionEvent.setCookie(record, 0, Host.getLong(answer, Long.BYTES));
        return CompletionEvent.SIZE;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            objects.removeChannel(descriptor);
            library.number(Function.DESTROY_COMP_CHANNEL, channel);
        }
    }
}
