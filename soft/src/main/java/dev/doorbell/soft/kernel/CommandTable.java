package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands of one context: sizes that are checked before a handler sees a call, and the handler. */
final class CommandTable {
    private record Entry(int in, int out, Command command) {}

    private final Map<UverbsCommand, Entry> entries = new EnumMap<>(UverbsCommand.class);

    /**
     * Adds a command.
     *
     * @param in least bytes of the core request
     * @param out least bytes of the core answer
     */
    void add(UverbsCommand name, int in, int out, Command command) {
        entries.put(name, new Entry(in, out, command));
    }

    /** Runs a call, or refuses it: EOPNOTSUPP for what this kernel lacks, ENOSPC for segments that are too short. */
    int run(UverbsCommand name, Call call) {
        Entry entry = entries.get(name);
        if (entry == null) {
            return Errno.EOPNOTSUPP;
        }
        if (call.in().byteSize() < entry.in || call.out().byteSize() < entry.out) {
            return Errno.ENOSPC;
        }
        return entry.command.run(call);
    }

    boolean has(@Nullable UverbsCommand name) {
        return name != null && entries.containsKey(name);
    }
}
