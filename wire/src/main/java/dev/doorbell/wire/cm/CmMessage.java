package dev.doorbell.wire.cm;

import java.lang.foreign.MemorySegment;

/** A message of the connection manager: what follows the header of its management datagram. */
public sealed interface CmMessage
        permits CmReq, CmMra, CmRej, CmRep, CmRtu, CmDreq, CmDrep, CmSidrReq, CmSidrRep, CmLap, CmApr {
    /** Which message this is. */
    CmAttribute attribute();

    /** Writes the message behind a header; into zeros, of which reserved fields stay. */
    void write(MemorySegment segment, long at);

    /** The message that stands behind a header; there are as many bytes as a management datagram has. */
    static CmMessage read(CmAttribute attribute, MemorySegment segment, long at) {
        return switch (attribute) {
            case REQ -> CmReq.read(segment, at);
            case MRA -> CmMra.read(segment, at);
            case REJ -> CmRej.read(segment, at);
            case REP -> CmRep.read(segment, at);
            case RTU -> CmRtu.read(segment, at);
            case DREQ -> CmDreq.read(segment, at);
            case DREP -> CmDrep.read(segment, at);
            case SIDR_REQ -> CmSidrReq.read(segment, at);
            case SIDR_REP -> CmSidrRep.read(segment, at);
            case LAP -> CmLap.read(segment, at);
            case APR -> CmApr.read(segment, at);
        };
    }
}
