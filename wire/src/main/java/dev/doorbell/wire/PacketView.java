package dev.doorbell.wire;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import java.lang.foreign.MemorySegment;

/**
 * A packet that was checked once. Reusable and free of allocation: a receiver keeps one and parses each packet into it.
 *
 * <p>After {@link #parse} returned true no accessor fails, as long as the memory lives. The base transport header is
 * read during the parse, the other headers when they are asked for. A field of a header that the packet does not have
 * reads as 0.
 *
 * <p>Thread rules: none of its own; it belongs to one thread at a time.
 */
public final class PacketView {
    private MemorySegment segment = MemorySegment.NULL;
    private long at;
    private PacketDefect defect = PacketDefect.TOO_SHORT;
    private int opcode;
    private int psn;
    private int destQp;
    private int padCount;
    private int payloadLength;

    /** A view of nothing yet. */
    public PacketView() {}

    /**
     * Looks at the bytes from the base transport header to the pad; the invariant CRC does not belong to them.
     *
     * @return whether they are a packet: version 0, a known operation code, room for its headers and its pad. If not,
     *     {@link #defect()} says why, and nothing else may be asked
     */
    public boolean parse(MemorySegment packet, long offset, long length) {
        defect = check(packet, offset, length);
        return defect == PacketDefect.NONE;
    }

    private PacketDefect check(MemorySegment packet, long offset, long length) {
        if (length < Bth.SIZE || offset < 0 || offset > packet.byteSize() - length || length > Integer.MAX_VALUE) {
            return PacketDefect.TOO_SHORT;
        }
        if (Bth.version(packet, offset) != 0) {
            return PacketDefect.WRONG_VERSION;
        }
        int code = Bth.opcode(packet, offset);
        if (!Opcode.isKnown(code)) {
            return PacketDefect.UNKNOWN_OPCODE;
        }
        int behindHeaders = (int) length - Headers.length(code);
        if (behindHeaders < 0) {
            return PacketDefect.HEADERS_CUT_OFF;
        }
        int pad = Bth.padCount(packet, offset);
        if (pad > behindHeaders) {
            return PacketDefect.PAD_TOO_LONG;
        }
        segment = packet;
        at = offset;
        opcode = code;
        psn = Bth.psn(packet, offset);
        destQp = Bth.destQp(packet, offset);
        padCount = pad;
        payloadLength = behindHeaders - pad;
        return PacketDefect.NONE;
    }

    /** Why the last parse failed; {@link PacketDefect#NONE} if it did not. */
    public PacketDefect defect() {
        return defect;
    }

    /** The memory that holds the packet. */
    public MemorySegment segment() {
        return segment;
    }

    /** Where the packet starts in {@link #segment()}. */
    public long offset() {
        return at;
    }

    /** Operation code, see {@link Opcode}. */
    public int opcode() {
        return opcode;
    }

    /** Packet sequence number. */
    public int psn() {
        return psn;
    }

    /** Destination queue pair. */
    public int destQp() {
        return destQp;
    }

    /** Partition key. */
    public int pkey() {
        return Bth.pkey(segment, at);
    }

    /** Whether an acknowledgement is asked for. */
    public boolean ackRequested() {
        return Bth.ackRequested(segment, at);
    }

    /** Whether a solicited event is asked for. */
    public boolean solicited() {
        return Bth.solicited(segment, at);
    }

    /** Bytes of pad behind the payload. */
    public int padCount() {
        return padCount;
    }

    /** Where the payload starts in {@link #segment()}. */
    public long payloadOffset() {
        return at + Headers.length(opcode);
    }

    /** Bytes of payload, without pad. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Virtual address: of the RDMA header or of an atomic request. */
    public long va() {
        return getLong(memoryHeader(), 0);
    }

    /** Key of the memory: of the RDMA header or of an atomic request. */
    public int rkey() {
        return getInt(memoryHeader(), Long.BYTES);
    }

    /** Bytes of the whole message, of the RDMA header. */
    public long dmaLength() {
        long header = find(ExtendedHeader.RETH);
        return header < 0 ? 0 : Reth.dmaLength(segment, header);
    }

    /** Value to store or to add, of an atomic request. */
    public long swapOrAdd() {
        long header = find(ExtendedHeader.ATOMIC_ETH);
        return header < 0 ? 0 : AtomicEth.swapOrAdd(segment, header);
    }

    /** Value to compare with, of an atomic request. */
    public long compare() {
        long header = find(ExtendedHeader.ATOMIC_ETH);
        return header < 0 ? 0 : AtomicEth.compare(segment, header);
    }

    /** Kind of answer, of an acknowledgement; see {@link dev.doorbell.spec.Syndrome}. */
    public int syndrome() {
        long header = find(ExtendedHeader.AETH);
        return header < 0 ? 0 : Aeth.syndrome(segment, header);
    }

    /** Messages that the responder has done, of an acknowledgement. */
    public int msn() {
        long header = find(ExtendedHeader.AETH);
        return header < 0 ? 0 : Aeth.msn(segment, header);
    }

    /** What the memory held, of an atomic answer. */
    public long original() {
        return getLong(find(ExtendedHeader.ATOMIC_ACK_ETH), 0);
    }

    /** Immediate data, first byte most significant. */
    public int immediate() {
        return getInt(find(ExtendedHeader.IMM_DT), 0);
    }

    /** Key to invalidate. */
    public int invalidateKey() {
        return getInt(find(ExtendedHeader.IETH), 0);
    }

    /** Q_Key, of a datagram. */
    public int qkey() {
        return getInt(find(ExtendedHeader.DETH), 0);
    }

    /** Queue pair that sent it, of a datagram. */
    public int srcQp() {
        long header = find(ExtendedHeader.DETH);
        return header < 0 ? 0 : Deth.srcQp(segment, header);
    }

    /** Placement, of a FLUSH. */
    public int flushPlacement() {
        long header = find(ExtendedHeader.FETH);
        return header < 0 ? 0 : Feth.placement(segment, header);
    }

    /** Selectivity, of a FLUSH. */
    public int flushSelectivity() {
        long header = find(ExtendedHeader.FETH);
        return header < 0 ? 0 : Feth.selectivity(segment, header);
    }

    /** The packet on one line; why it is none, if it is none. */
    @Override
    public String toString() {
        if (defect != PacketDefect.NONE) {
            return "no packet: " + defect;
        }
        return Packets.describe(segment, at, Headers.length(opcode) + (long) payloadLength + padCount);
    }

    private long memoryHeader() {
        long header = find(ExtendedHeader.RETH);
        return header < 0 ? find(ExtendedHeader.ATOMIC_ETH) : header;
    }

    private long find(ExtendedHeader header) {
        int offset = Headers.offset(opcode, header);
        return offset < 0 ? Headers.ABSENT : at + offset;
    }

    private int getInt(long header, int offset) {
        return header < 0 ? 0 : Be.getInt(segment, header + offset);
    }

    private long getLong(long header, int offset) {
        return header < 0 ? 0 : Be.getLong(segment, header + offset);
    }
}
