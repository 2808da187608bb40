package dev.doorbell.linux;

import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;

/** How commands travel into the kernel. Any thread may send. */
interface CommandCarrier {
    /** See {@link dev.doorbell.kernel.CommandChannel#invoke}. */
    int send(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut);

    /** Its name, for people: that of the system call. */
    String name();
}
