package dev.doorbell.verbs;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;

/**
 * One end of a connection: everything that the peer needs to connect to a queue pair. It travels over any road, as
 * {@linkplain #toBytes() bytes} or {@linkplain #toText() text}.
 *
 * <p>Bytes, all big-endian: u32 magic {@code DBEP}, u16 version 1, u8 type code, u8 MTU code, u32 QPN, u32 PSN, u32 Q_Key,
 * u16 LID, u8 port, u8 responder depth, u8 initiator depth, three bytes 0, 16 bytes GID.
 *
 * <p>The verbs leave to the program how the two ends exchange what ibv_modify_qp(3) asks for; this form is Doorbell's
 * own.
 *
 * <p>Thread rules: immutable.
 *
 * @param type transport service
 * @param queuePairNumber number of the queue pair, 24 bits
 * @param psn packet sequence number that it sends first, 24 bits
 * @param gid address of its port
 * @param lid LID of its port; 0 on Ethernet
 * @param port port of its device, from 1
 * @param mtu largest MTU that its port takes at the moment
 * @param responderDepth READs and atomics that it takes at a time, 0 to 255
 * @param initiatorDepth READs and atomics that it wants to have outstanding, 0 to 255
 * @param qkey Q_Key (UD); 0 otherwise
 */
public record Endpoint(
        QueuePairType type,
        int queuePairNumber,
        int psn,
        Gid gid,
        int lid,
        int port,
        Mtu mtu,
        int responderDepth,
        int initiatorDepth,
        int qkey) {
    /** Size of the serialised form. */
    public static final int BYTES = 44;

    private static final int MAGIC = 0x44424550;
    private static final int VERSION = 1;
    private static final String PREFIX = "endpoint/1:";
    private static final int MASK_24 = 0xff_ffff;

    /**
     * Checks that each number fits in its field.
     *
     * @throws IllegalArgumentException if a number does not fit in its bits
     */
    public Endpoint {
        fits("queue pair number", queuePairNumber, MASK_24);
        fits("PSN", psn, MASK_24);
        fits("LID", lid, 0xffff);
        fits("port", port, 0xff);
        fits("responder depth", responderDepth, 0xff);
        fits("initiator depth", initiatorDepth, 0xff);
    }

    private static void fits(String what, int value, int highest) {
        if (value < 0 || value > highest) {
            throw new IllegalArgumentException("the " + what + " of an endpoint is 0 to " + highest + ", not " + value);
        }
    }

    /** The {@value #BYTES} bytes of the serialised form. */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Be.setInt(segment, 0, MAGIC);
        Be.setShort(segment, 4, VERSION);
        Be.setByte(segment, 6, type.code());
        Be.setByte(segment, 7, mtu.code());
        Be.setInt(segment, 8, queuePairNumber);
        Be.setInt(segment, 12, psn);
        Be.setInt(segment, 16, qkey);
        Be.setShort(segment, 20, lid);
        Be.setByte(segment, 22, port);
        Be.setByte(segment, 23, responderDepth);
        Be.setByte(segment, 24, initiatorDepth);
        Be.setLong(segment, 28, gid.high());
        Be.setLong(segment, 36, gid.low());
        return bytes;
    }

    /**
     * Reads the serialised form.
     *
     * @throws IllegalArgumentException if it is anything else, or of a version that is not known here
     */
    public static Endpoint fromBytes(byte[] bytes) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Serialized.check("Endpoint", segment, BYTES, MAGIC, VERSION);
        return new Endpoint(
                QueuePairType.of(Be.getUnsignedByte(segment, 6)),
                Be.getInt(segment, 8),
                Be.getInt(segment, 12),
                new Gid(Be.getLong(segment, 28), Be.getLong(segment, 36)),
                Be.getUnsignedShort(segment, 20),
                Be.getUnsignedByte(segment, 22),
                Mtu.of(Be.getUnsignedByte(segment, 7)),
                Be.getUnsignedByte(segment, 23),
                Be.getUnsignedByte(segment, 24),
                Be.getInt(segment, 16));
    }

    /**
     * One line without spaces:
     * {@code endpoint/1:type=RC,qpn=0x11,psn=0x1f2e3d,gid=00000000000000000000ffff7f000001,lid=0,port=1,mtu=1024,...}.
     */
    public String toText() {
        return PREFIX + "type=" + type + ",qpn=0x" + Integer.toHexString(queuePairNumber) + ",psn=0x"
                + Integer.toHexString(psn) + ",gid=" + gid.toHex() + ",lid=" + lid + ",port=" + port + ",mtu=" + mtu
                + ",responder=" + responderDepth + ",initiator=" + initiatorDepth + ",qkey=0x"
                + Integer.toHexString(qkey);
    }

    /** For people: numbers of queue pairs and sequence numbers are hexadecimal, as in messages and captures. */
    @Override
    public String toString() {
        return type + " queue pair 0x" + Integer.toHexString(queuePairNumber) + " at " + gid
                + (lid == 0 ? "" : ", LID " + lid) + ", port " + port + ", PSN 0x" + Integer.toHexString(psn) + ", MTU "
                + mtu
                + ", depths " + responderDepth + " and " + initiatorDepth
                + (qkey == 0 ? "" : ", Q_Key 0x" + Integer.toHexString(qkey));
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is anything else, or of a version that is not known here
     */
    public static Endpoint fromText(String text) {
        Fields fields = Fields.parse("Endpoint", PREFIX, text);
        return new Endpoint(
                QueuePairType.valueOf(fields.text("type")),
                fields.integer("qpn"),
                fields.integer("psn"),
                Gid.parseHex(fields.text("gid")),
                fields.integer("lid"),
                fields.integer("port"),
                Mtu.ofBytes(fields.integer("mtu")),
                fields.integer("responder"),
                fields.integer("initiator"),
                (int) fields.number("qkey"));
    }
}
