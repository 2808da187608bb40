package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.spec.CmEventType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One event of the connection manager as it waits to be read.
 *
 * @param source the identifier, or the listener of a request, that counts it
 * @param uid the cookie that goes into the record
 * @param id the number that goes into the record
 * @param type which event
 * @param status 0, a negative errno, or a reason
 * @param parameters what belongs to the event; {@link MemorySegment#NULL} for nothing
 * @param request the identifier that a request brings; null for other events
 */
record CmNotice(
        EventSource source,
        long uid,
        int id,
        CmEventType type,
        int status,
        MemorySegment parameters,
        @Nullable CmIdentifier request)
        implements FileEvent {
    /** Writes the record and hands a request over. Called by the file, under its lock. */
    void deliver(MemorySegment out) {
        out.asSlice(0, CmEventRecord.SIZE).fill((byte) 0);
        CmEventRecord.setUid(out, 0, uid);
        CmEventRecord.setId(out, 0, id);
        CmEventRecord.setEvent(out, 0, type.code());
        CmEventRecord.setStatus(out, 0, status);
        MemorySegment.copy(parameters, 0, out, CmEventRecord.PARAM_CONN, parameters.byteSize());
        if (request != null) {
            request.delivered();
        }
    }
}
