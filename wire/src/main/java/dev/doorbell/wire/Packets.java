package dev.doorbell.wire;

import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.cm.CmMad;
import java.lang.foreign.MemorySegment;

/** Packets as people read them. */
public final class Packets {

    private Packets() {}

    /**
     * The packet on one line: base transport header, extended headers, bytes of payload. Bytes that are no packet are
     * described as far as they make sense.
     *
     * @param at where the base transport header starts
     * @param length bytes from there to the end of the pad, without the invariant CRC
     */
    public static String describe(MemorySegment segment, long at, long length) {
        long available = Math.min(length, segment.byteSize() - at);
        if (at < 0 || available < Bth.SIZE) {
            return "no packet: " + Math.max(available, 0) + " bytes";
        }
        StringBuilder text = new StringBuilder(Bth.print(segment, at));
        int opcode = Bth.opcode(segment, at);
        int headers = Headers.length(opcode);
        for (ExtendedHeader header : Opcode.headers(opcode)) {
            int offset = Headers.offset(opcode, header);
            if (offset + Headers.length(header) > available) {
                return text.append(" | cut off after ")
                        .append(available)
                        .append(" bytes")
                        .toString();
            }
            text.append(" | ").append(print(header, segment, at + offset));
        }
        long payload = available - headers - Bth.padCount(segment, at);
        if (payload > 0 && isManagement(segment, at, opcode)) {
            text.append(" | ").append(CmMad.describe(segment, at + headers, payload));
        } else if (payload > 0) {
            text.append(" | ").append(payload).append(payload == 1 ? " byte" : " bytes");
        } else if (payload < 0) {
            text.append(" | pad too long");
        }
        return text.toString();
    }

    /** Whether the payload is a management datagram: one for the queue pair number 1, with its Q_Key. */
    private static boolean isManagement(MemorySegment segment, long at, int opcode) {
        return opcode == Opcode.UD_SEND_ONLY
                && Bth.destQp(segment, at) == CmMad.QUEUE_PAIR
                && Deth.qkey(segment, at + Bth.SIZE) == CmMad.QKEY;
    }

    private static String print(ExtendedHeader header, MemorySegment segment, long at) {
        return switch (header) {
            case DETH -> Deth.print(segment, at);
            case FETH -> Feth.print(segment, at);
            case RETH -> Reth.print(segment, at);
            case ATOMIC_ETH -> AtomicEth.print(segment, at);
            case AETH -> Aeth.print(segment, at);
            case ATOMIC_ACK_ETH -> AtomicAckEth.print(segment, at);
            case IMM_DT -> ImmDt.print(segment, at);
            case IETH -> Ieth.print(segment, at);
        };
    }
}
