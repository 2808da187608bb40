package dev.doorbell.soft.fault;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import java.net.InetAddress;
import java.util.BitSet;
import java.util.Locale;
import java.util.function.Predicate;

/** The packets that a text describes, such as {@code sent/READ_RESPONSE/psn=7}. */
record FaultMatch(String text, Predicate<PassingPacket> criteria) implements Predicate<PassingPacket> {
    private static final int CODES = 256;
    private static final int MAX_24_BITS = 0xff_ffff;

    /**
     * Reads a description.
     *
     * @throws IllegalArgumentException with what is wrong in it
     */
    static FaultMatch parse(String text) {
        Predicate<PassingPacket> all = passing -> true;
        for (String part : text.split("/", -1)) {
            all = all.and(criterion(part.strip()));
        }
        return new FaultMatch(text, all);
    }

    @Override
    public boolean test(PassingPacket passing) {
        return criteria.test(passing);
    }

    @Override
    public String toString() {
        return text;
    }

    private static Predicate<PassingPacket> criterion(String part) {
        int equals = part.indexOf('=');
        if (equals >= 0) {
            return field(part.substring(0, equals), part.substring(equals + 1));
        }
        return switch (part.toLowerCase(Locale.ROOT)) {
            case "any" -> passing -> true;
            case "sent" -> PassingPacket.going(Direction.SENT);
            case "received" -> PassingPacket.going(Direction.RECEIVED);
            default -> operation(part);
        };
    }

    private static Predicate<PassingPacket> field(String name, String value) {
        return switch (name) {
            case "psn" -> PassingPacket.withPsn(number(value, MAX_24_BITS));
            case "qp" -> PassingPacket.toQueuePair(number(value, MAX_24_BITS));
            case "peer" -> PassingPacket.ofPeer(address(value));
            default -> throw new IllegalArgumentException("packets have no '" + name + "'; there are psn, qp, peer");
        };
    }

    private static Predicate<PassingPacket> operation(String word) {
        BitSet codes = new BitSet(CODES);
        if (word.startsWith("0x")) {
            codes.set(number(word, CODES - 1));
        } else {
            String wanted = word.toUpperCase(Locale.ROOT).replace('-', '_');
            for (int code = 0; code < CODES; code++) {
                codes.set(code, Opcode.isKnown(code) && isNamed(code, wanted));
            }
        }
        if (codes.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + word + "' describes no packet; there are any, sent, received, psn=N, qp=N,"
                            + " peer=ADDRESS, and operations such as SEND, WRITE_ONLY, READ_REQUEST, READ_RESPONSE,"
                            + " ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, COMPARE_SWAP, FETCH_ADD, UC_SEND, UD_SEND, 0x11");
        }
        return passing -> codes.get(passing.packet().opcode());
    }

    /** Whether the words are the first ones of an operation's name, with or without the transport service before them. */
    private static boolean isNamed(int code, String wanted) {
        String name = Opcode.name(code).replace(" RDMA ", " ").replace(' ', '_');
        String service = name.substring(0, name.indexOf('_') + 1);
        return begins(name, wanted) || begins(name.substring(service.length()), wanted);
    }

    private static boolean begins(String name, String wanted) {
        return !wanted.isEmpty() && (name.equals(wanted) || name.startsWith(wanted + "_"));
    }

    private static int number(String text, int highest) {
        try {
            int value = Integer.decode(text);
            if (value >= 0 && value <= highest) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number out of range
        }
        throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + highest);
    }

    private static Gid address(String text) {
        try {
            return Gid.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address", e);
        }
    }
}
