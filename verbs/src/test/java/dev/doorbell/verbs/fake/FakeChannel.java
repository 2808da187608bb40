package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.AsyncEvent;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Takes every command without looking at it, and keeps a log of what was asked, in order. */
public final class FakeChannel implements CommandChannel {
    /** Asynchronous events to be read: element and type. */
    public final Queue<long[]> events = new ConcurrentLinkedQueue<>();

    /** Commands, and {@code pin}, {@code unpin}, {@code close}, as they came. */
    public final List<String> log = new CopyOnWriteArrayList<>();

    /** Commands that are refused, with their errno. */
    public final Map<UverbsCommand, Integer> refusals = new EnumMap<>(UverbsCommand.class);

    /** What the doorbell answers. */
    public int doorbellErrno;

    public volatile boolean closed;

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        log.add(command.name());
        return closed ? Errno.EBADF : refusals.getOrDefault(command, 0);
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return Arena.ofAuto().allocate(length, 8);
    }

    @Override
    public void unmap(MemorySegment mapping) {}

    @Override
    public Pin pin(MemorySegment memory) {
        log.add("pin");
        return () -> log.add("unpin");
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        return new Doorbell() {
            @Override
            public int ring() {
                return doorbellErrno;
            }

            @Override
            public boolean isSystemCall() {
                return true;
            }
        };
    }

    @Override
    public EventFile eventFile(int descriptor) {
        return new EventFile() {
            @Override
            public int read(MemorySegment record, long timeoutNs) {
                long[] event = events.poll();
                if (event == null) {
                    return 0;
                }
                AsyncEvent.setElement(record, 0, event[0]);
                AsyncEvent.setEventType(record, 0, (int) event[1]);
                return AsyncEvent.SIZE;
            }

            @Override
            public boolean await(long timeoutNs) {
                return true;
            }

            @Override
            public void onReadable(@Nullable Runnable action) {}

            @Override
            public int descriptor() {
                return descriptor;
            }

            @Override
            public void close() {
                log.add("close events");
            }
        };
    }

    @Override
    public Progress progress() {
        return Progress.NONE;
    }

    @Override
    public String description() {
        return "fake channel";
    }

    @Override
    public void close() {
        log.add("close");
        closed = true;
    }
}
