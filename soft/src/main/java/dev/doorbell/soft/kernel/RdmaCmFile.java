package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.CmCommand;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The connection manager as a program has opened it. */
final class RdmaCmFile implements CmChannel {
    private record Entry(int in, int out, Command command) {}

    private final RdmaCm manager;
    private final EventQueue events;
    private final Map<CmCommand, Entry> commands = new EnumMap<>(CmCommand.class);
    private boolean closed;

    RdmaCmFile(RdmaCm manager, int descriptor, Idler idler) {
        this.manager = manager;
        this.events = new EventQueue(EventQueue.Kind.CONNECTION, descriptor, idler, () -> {});
        CmLifeCommands.register(this);
        CmAddressCommands.register(this);
        CmQueryCommands.register(this);
        CmConnectionCommands.register(this);
        CmAttributeCommand.register(this);
        CmMulticastCommands.register(this);
    }

    /** Adds a command, with the least bytes of its request and its answer. */
    void add(CmCommand name, int in, int out, Command command) {
        commands.put(name, new Entry(in, out, command));
    }

    /** A command about an identifier, whose number a request says: ENOENT where there is none. */
    static Command about(RdmaCmFile file, ToIntFunction<MemorySegment> number, About command) {
        return call -> {
            CmIdentifier id = file.manager.find(file, number.applyAsInt(call.in()));
            return id == null ? Errno.ENOENT : command.run(id, call);
        };
    }

    /** What a command does with an identifier. */
    @FunctionalInterface
    interface About {
        int run(CmIdentifier id, Call call);
    }

    RdmaCm manager() {
        return manager;
    }

    @Override
    public int invoke(CmCommand command, MemorySegment request, MemorySegment response) {
        Call call = new Call(request, response, MemorySegment.NULL, MemorySegment.NULL);
        if (!call.isUsable()) {
            return Errno.EFAULT;
        }
        return manager.locked(() -> closed ? Errno.EBADF : run(commands.get(command), call));
    }

    private static int run(@Nullable Entry entry, Call call) {
        if (entry == null) {
            return Errno.EINVAL;
        }
        if (call.in().byteSize() < entry.in) {
            return Errno.EINVAL;
        }
        return call.out().byteSize() < entry.out ? Errno.ENOSPC : entry.command.run(call);
    }

    void raise(CmNotice notice) {
        events.raise(notice);
    }

    /** Forgets a source's unread events; returns how many were read. */
    int retire(EventSource source) {
        return events.retire(source);
    }

    /** Moves a source's unread events to another file; returns how many were read here. */
    int moveEvents(EventSource source, RdmaCmFile to) {
        return events.move(source, to.events);
    }

    @Override
    public EventFile events() {
        return events;
    }

    @Override
    public Progress progress() {
        return manager.progress();
    }

    @Override
    public String description() {
        return "embedded connection manager, file " + events.descriptor();
    }

    @Override
    public void close() {
        manager.locked(() -> {
            if (!closed) {
                closed = true;
                manager.close(this);
            }
            return 0;
        });
        events.close();
    }
}
