package dev.doorbell.verbs;

import dev.doorbell.kernel.EventFile;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/**
 * The program's end of an event file: reads what is there, waits, and shows a selector whether there may be something.
 *
 * <p>Thread rules: any thread.
 */
final class EventInbox implements AutoCloseable {
    private final EventFile file;
    private final int recordLongs;
    private final String name;
    private volatile @Nullable ReadinessPipe pipe;
    private boolean closed;

    /**
     * @param recordBytes bytes of each record, a multiple of eight
     */
    EventInbox(EventFile file, int recordBytes, String name) {
        this.file = file;
        this.recordLongs = recordBytes / Long.BYTES;
        this.name = name;
    }

    /** Room for one record. */
    MemorySegment newRecord() {
        return MemorySegment.ofArray(new long[recordLongs]);
    }

    /** Takes one record if there is one. */
    boolean take(MemorySegment record) {
        try {
            return file.read(record, 0) > 0;
        } catch (RuntimeException e) {
            throw Refusal.of(e, "read event", name).exception();
        }
    }

    /** Waits for a record, and may come back for no reason; false if the time was up. See {@link EventFile#await}. */
    boolean await(long timeoutNs) {
        try {
            return file.await(timeoutNs);
        } catch (RuntimeException e) {
            throw Refusal.of(e, "wait for event", name).exception();
        }
    }

    /** Shows that there may be an event that was taken out of the file and not out of here. */
    void raise() {
        ReadinessPipe selectable = pipe;
        if (selectable != null) {
            selectable.raise();
        }
    }

    /** Says that nothing was there; whoever says so looks again afterwards. */
    void lower() {
        ReadinessPipe selectable = pipe;
        if (selectable != null) {
            selectable.lower();
        }
    }

    /** Whether a selector could be watching. */
    boolean isSelectable() {
        return pipe != null;
    }

    /** What a selector can wait for; one for all. */
    SelectableChannel selectable() {
        synchronized (this) {
            if (closed) {
                throw Lifetime.closed("make selectable", name);
            }
            ReadinessPipe known = pipe;
            if (known != null) {
                return known.source();
            }
            ReadinessPipe opened = ReadinessPipe.open(name);
            pipe = opened;
            file.onReadable(opened::raise);
            // What is not in the file any more, but not given out either.
            opened.raise();
            return opened.source();
        }
    }

    /** The error of a call after the close. Its caller knows now, so that its selector need not be woken any more. */
    VerbsException closed(String operation, Lifetime lifetime) {
        ReadinessPipe selectable = pipe;
        if (selectable != null) {
            selectable.abandon();
        }
        return lifetime.closed(operation);
    }

    int descriptor() {
        return file.descriptor();
    }

    /** Closes the file: whoever waits comes back. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            file.close();
            ReadinessPipe selectable = pipe;
            if (selectable != null) {
                selectable.close();
            }
        }
    }
}
