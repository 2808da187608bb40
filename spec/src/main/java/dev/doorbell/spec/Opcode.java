package dev.doorbell.spec;

import static dev.doorbell.spec.ExtendedHeader.AETH;
import static dev.doorbell.spec.ExtendedHeader.ATOMIC_ACK_ETH;
import static dev.doorbell.spec.ExtendedHeader.ATOMIC_ETH;
import static dev.doorbell.spec.ExtendedHeader.DETH;
import static dev.doorbell.spec.ExtendedHeader.FETH;
import static dev.doorbell.spec.ExtendedHeader.IETH;
import static dev.doorbell.spec.ExtendedHeader.IMM_DT;
import static dev.doorbell.spec.ExtendedHeader.RETH;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operation codes of packets: three bits of transport service, five bits of operation. They stay plain numbers, so that
 * an unknown one keeps its value; this class knows their names and properties. Every method answers for every int;
 * what is not {@link #isKnown known} has no property at all.
 *
 * <p>Services: RC (0x00), UC (0x20), UD (0x60); and the congestion notification 0x81.
 *
 * <p>Follows the InfiniBand Architecture Specification, volume 1, chapter 9 (transport layer).
 *
 * <p>Thread rules: static methods without state, from any thread.
 */
public final class Opcode {
    public static final int RC_SEND_FIRST = 0x00;
    public static final int RC_SEND_MIDDLE = 0x01;
    public static final int RC_SEND_LAST = 0x02;
    public static final int RC_SEND_LAST_IMM = 0x03;
    public static final int RC_SEND_ONLY = 0x04;
    public static final int RC_SEND_ONLY_IMM = 0x05;
    public static final int RC_WRITE_FIRST = 0x06;
    public static final int RC_WRITE_MIDDLE = 0x07;
    public static final int RC_WRITE_LAST = 0x08;
    public static final int RC_WRITE_LAST_IMM = 0x09;
    public static final int RC_WRITE_ONLY = 0x0a;
    public static final int RC_WRITE_ONLY_IMM = 0x0b;
    public static final int RC_READ_REQUEST = 0x0c;
    public static final int RC_READ_RESPONSE_FIRST = 0x0d;
    public static final int RC_READ_RESPONSE_MIDDLE = 0x0e;
    public static final int RC_READ_RESPONSE_LAST = 0x0f;
    public static final int RC_READ_RESPONSE_ONLY = 0x10;
    public static final int RC_ACKNOWLEDGE = 0x11;
    public static final int RC_ATOMIC_ACKNOWLEDGE = 0x12;
    public static final int RC_COMPARE_SWAP = 0x13;
    public static final int RC_FETCH_ADD = 0x14;
    public static final int RC_SEND_LAST_INV = 0x16;
    public static final int RC_SEND_ONLY_INV = 0x17;
    public static final int RC_FLUSH = 0x1c;
    public static final int RC_ATOMIC_WRITE = 0x1d;

    public static final int UC_SEND_FIRST = 0x20;
    public static final int UC_SEND_MIDDLE = 0x21;
    public static final int UC_SEND_LAST = 0x22;
    public static final int UC_SEND_LAST_IMM = 0x23;
    public static final int UC_SEND_ONLY = 0x24;
    public static final int UC_SEND_ONLY_IMM = 0x25;
    public static final int UC_WRITE_FIRST = 0x26;
    public static final int UC_WRITE_MIDDLE = 0x27;
    public static final int UC_WRITE_LAST = 0x28;
    public static final int UC_WRITE_LAST_IMM = 0x29;
    public static final int UC_WRITE_ONLY = 0x2a;
    public static final int UC_WRITE_ONLY_IMM = 0x2b;

    public static final int UD_SEND_ONLY = 0x64;
    public static final int UD_SEND_ONLY_IMM = 0x65;

    /** Congestion notification: sixteen zero bytes, no answer. */
    public static final int CNP = 0x81;

    private static final int CODES = 256;
    private static final int UC = 0x20;

    // One word a code: the lower byte is the set of extended headers, the rest are the bits below.
    private static final int KNOWN = 1 << 8;
    private static final int FIRST = 1 << 9;
    private static final int MIDDLE = 1 << 10;
    private static final int LAST = 1 << 11;
    private static final int ONLY = 1 << 12;
    private static final int PAYLOAD = 1 << 13;
    private static final int RESPONSE = 1 << 14;
    private static final int SEND = 1 << 15;
    private static final int WRITE = 1 << 16;
    private static final int READ_RESPONSE = 1 << 17;

    private static final int[] PROPERTIES = new int[CODES];
    private static final @Nullable String[] NAMES = new @Nullable String[CODES];

    static {
        defineSendsAndWrites(0, "RC");
        defineSendsAndWrites(UC, "UC");
        define(RC_READ_REQUEST, "RC RDMA READ REQUEST", 0, RETH);
        define(RC_READ_RESPONSE_FIRST, "RC RDMA READ RESPONSE FIRST", RESPONSE | READ_RESPONSE | PAYLOAD | FIRST, AETH);
        define(RC_READ_RESPONSE_MIDDLE, "RC RDMA READ RESPONSE MIDDLE", RESPONSE | READ_RESPONSE | PAYLOAD | MIDDLE);
        define(RC_READ_RESPONSE_LAST, "RC RDMA READ RESPONSE LAST", RESPONSE | READ_RESPONSE | PAYLOAD | LAST, AETH);
        define(RC_READ_RESPONSE_ONLY, "RC RDMA READ RESPONSE ONLY", RESPONSE | READ_RESPONSE | PAYLOAD | ONLY, AETH);
        define(RC_ACKNOWLEDGE, "RC ACKNOWLEDGE", RESPONSE, AETH);
        define(RC_ATOMIC_ACKNOWLEDGE, "RC ATOMIC ACKNOWLEDGE", RESPONSE, AETH, ATOMIC_ACK_ETH);
        define(RC_COMPARE_SWAP, "RC COMPARE SWAP", 0, ATOMIC_ETH);
        define(RC_FETCH_ADD, "RC FETCH ADD", 0, ATOMIC_ETH);
        define(RC_SEND_LAST_INV, "RC SEND LAST INVALIDATE", SEND | PAYLOAD | LAST, IETH);
        define(RC_SEND_ONLY_INV, "RC SEND ONLY INVALIDATE", SEND | PAYLOAD | ONLY, IETH);
        define(RC_FLUSH, "RC FLUSH", 0, FETH, RETH);
        define(RC_ATOMIC_WRITE, "RC ATOMIC WRITE", PAYLOAD | ONLY, RETH);
        define(UD_SEND_ONLY, "UD SEND ONLY", SEND | PAYLOAD | ONLY, DETH);
        define(UD_SEND_ONLY_IMM, "UD SEND ONLY IMMEDIATE", SEND | PAYLOAD | ONLY, DETH, IMM_DT);
        define(CNP, "CNP", PAYLOAD);
    }

    private Opcode() {}

    /** Whether the code has a meaning here. */
    public static boolean isKnown(int opcode) {
        return is(opcode, KNOWN);
    }

    /** Whether a queue pair of this type may get the packet. */
    public static boolean serves(int opcode, QueuePairType type) {
        int base = switch (type) {
            case RC -> RC_SEND_FIRST;
            case UC -> UC_SEND_FIRST;
            case UD -> 0x60;
        };
        return isKnown(opcode) && (opcode & 0xe0) == base;
    }

    /** Whether the packet begins a message of several packets. */
    public static boolean isFirst(int opcode) {
        return is(opcode, FIRST);
    }

    /** Whether the packet goes on with a message. */
    public static boolean isMiddle(int opcode) {
        return is(opcode, MIDDLE);
    }

    /** Whether the packet ends a message of several packets. */
    public static boolean isLast(int opcode) {
        return is(opcode, LAST);
    }

    /** Whether the packet is a whole message with payload. */
    public static boolean isOnly(int opcode) {
        return is(opcode, ONLY);
    }

    /** Whether a message with payload begins here: first or only. */
    public static boolean startsMessage(int opcode) {
        return is(opcode, FIRST | ONLY);
    }

    /** Whether a message with payload ends here: last or only. */
    public static boolean endsMessage(int opcode) {
        return is(opcode, LAST | ONLY);
    }

    /** Whether the packet may carry payload. */
    public static boolean hasPayload(int opcode) {
        return is(opcode, PAYLOAD);
    }

    /** Whether the packet answers a request: acknowledgements and READ responses. */
    public static boolean isResponse(int opcode) {
        return is(opcode, RESPONSE);
    }

    /** Whether the packet asks for something: known, no response, no congestion notification. */
    public static boolean isRequest(int opcode) {
        return isKnown(opcode) && !is(opcode, RESPONSE) && opcode != CNP;
    }

    /** Whether the packet is part of a SEND. */
    public static boolean isSend(int opcode) {
        return is(opcode, SEND);
    }

    /** Whether the packet is part of an RDMA WRITE. */
    public static boolean isWrite(int opcode) {
        return is(opcode, WRITE);
    }

    /** Whether the packet is part of the answer to a READ. */
    public static boolean isReadResponse(int opcode) {
        return is(opcode, READ_RESPONSE);
    }

    /** Whether the packet carries immediate data. */
    public static boolean hasImmediate(int opcode) {
        return has(opcode, IMM_DT);
    }

    /** Whether the packet carries a key to invalidate. */
    public static boolean hasInvalidate(int opcode) {
        return has(opcode, IETH);
    }

    /** Whether the packet has this header. */
    public static boolean has(int opcode, ExtendedHeader header) {
        return is(opcode, header.bit());
    }

    /** The headers between base transport header and payload, in order. Allocates. */
    public static List<ExtendedHeader> headers(int opcode) {
        List<ExtendedHeader> headers = new ArrayList<>();
        for (ExtendedHeader header : ExtendedHeader.values()) {
            if (has(opcode, header)) {
                headers.add(header);
            }
        }
        return headers;
    }

    /** The name, such as {@code RC SEND ONLY}; {@code opcode 0x55} for an unknown one. */
    public static String name(int opcode) {
        String name = opcode >= 0 && opcode < CODES ? NAMES[opcode] : null;
        return name == null ? "opcode 0x%02x".formatted(opcode) : name;
    }

    private static boolean is(int opcode, int property) {
        return (opcode & ~(CODES - 1)) == 0 && (PROPERTIES[opcode] & property) != 0;
    }

    private static void defineSendsAndWrites(int base, String service) {
        String send = service + " SEND ";
        define(base + RC_SEND_FIRST, send + "FIRST", SEND | PAYLOAD | FIRST);
        define(base + RC_SEND_MIDDLE, send + "MIDDLE", SEND | PAYLOAD | MIDDLE);
        define(base + RC_SEND_LAST, send + "LAST", SEND | PAYLOAD | LAST);
        define(base + RC_SEND_LAST_IMM, send + "LAST IMMEDIATE", SEND | PAYLOAD | LAST, IMM_DT);
        define(base + RC_SEND_ONLY, send + "ONLY", SEND | PAYLOAD | ONLY);
        define(base + RC_SEND_ONLY_IMM, send + "ONLY IMMEDIATE", SEND | PAYLOAD | ONLY, IMM_DT);
        String write = service + " RDMA WRITE ";
        define(base + RC_WRITE_FIRST, write + "FIRST", WRITE | PAYLOAD | FIRST, RETH);
        define(base + RC_WRITE_MIDDLE, write + "MIDDLE", WRITE | PAYLOAD | MIDDLE);
        define(base + RC_WRITE_LAST, write + "LAST", WRITE | PAYLOAD | LAST);
        define(base + RC_WRITE_LAST_IMM, write + "LAST IMMEDIATE", WRITE | PAYLOAD | LAST, IMM_DT);
        define(base + RC_WRITE_ONLY, write + "ONLY", WRITE | PAYLOAD | ONLY, RETH);
        define(base + RC_WRITE_ONLY_IMM, write + "ONLY IMMEDIATE", WRITE | PAYLOAD | ONLY, RETH, IMM_DT);
    }

    private static void define(int opcode, String name, int properties, ExtendedHeader... headers) {
        int word = KNOWN | properties;
        for (ExtendedHeader header : headers) {
            word |= header.bit();
        }
        PROPERTIES[opcode] = word;
        NAMES[opcode] = name;
    }
}
