package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.GidEntry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** How commands travel into the kernel. Any thread may send. */
interface CommandCarrier {
    /** See {@link dev.doorbell.kernel.CommandChannel#invoke}. */
    int send(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut);

    /** See {@link dev.doorbell.kernel.CommandChannel#call}. */
    default int call(MethodCall call) {
        return Errno.ENOTTY;
    }

    /** See {@link dev.doorbell.kernel.CommandChannel#gids}. */
    default Optional<List<GidEntry>> gids(int port) {
        return Optional.empty();
    }

    /** Its name, for people: that of the system call. */
    String name();
}
