package dev.doorbell.wire;

import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import java.util.Arrays;

/**
 * Where the headers of a packet stand. They follow the base transport header in the order of {@link ExtendedHeader};
 * which of them a packet has follows from its operation code.
 */
public final class Headers {
    /** The offset of a header that the packet does not have. */
    public static final int ABSENT = -1;

    private static final int CODES = 256;
    private static final byte[] LENGTHS = new byte[CODES];
    private static final byte[] OFFSETS = new byte[ExtendedHeader.values().length * CODES];

    static {
        Arrays.fill(OFFSETS, (byte) ABSENT);
        for (int opcode = 0; opcode < CODES; opcode++) {
            int length = Bth.SIZE;
            for (ExtendedHeader header : Opcode.headers(opcode)) {
                OFFSETS[header.ordinal() * CODES + opcode] = (byte) length;
                length += length(header);
            }
            LENGTHS[opcode] = (byte) length;
        }
    }

    private Headers() {}

    /** Bytes of a header. */
    public static int length(ExtendedHeader header) {
        return switch (header) {
            case DETH -> Deth.SIZE;
            case FETH -> Feth.SIZE;
            case RETH -> Reth.SIZE;
            case ATOMIC_ETH -> AtomicEth.SIZE;
            case AETH -> Aeth.SIZE;
            case ATOMIC_ACK_ETH -> AtomicAckEth.SIZE;
            case IMM_DT -> ImmDt.SIZE;
            case IETH -> Ieth.SIZE;
        };
    }

    /** Bytes before the payload: all headers together. Only the low 8 bits of the operation code count. */
    public static int length(int opcode) {
        return LENGTHS[opcode & CODES - 1];
    }

    /**
     * Bytes from the start of the packet to a header; {@link #ABSENT} if the packet does not have it. Only the low 8
     * bits of the operation code count.
     */
    public static int offset(int opcode, ExtendedHeader header) {
        return OFFSETS[header.ordinal() * CODES + (opcode & CODES - 1)];
    }

    /** Bytes of pad that make a payload a multiple of four. */
    public static int pad(long payloadLength) {
        return (int) -payloadLength & 3;
    }
}
