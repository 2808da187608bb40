package dev.doorbell.soft.kernel;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of one command.
 *
 * @param in core request
 * @param out core answer
 * @param driverIn driver's part of the request
 * @param driverOut driver's part of the answer
 */
record Call(MemorySegment in, MemorySegment out, MemorySegment driverIn, MemorySegment driverOut) {
    /** Whether this thread can read the requests and write the answers. */
    boolean isUsable() {
        return isReadable(in) && isReadable(driverIn) && isWritable(out) && isWritable(driverOut);
    }

    private static boolean isReadable(MemorySegment segment) {
        return segment.byteSize() == 0 || (segment.scope().isAlive() && segment.isAccessibleBy(Thread.currentThread()));
    }

    private static boolean isWritable(MemorySegment segment) {
        return segment.byteSize() == 0 || (isReadable(segment) && !segment.isReadOnly());
    }
}
