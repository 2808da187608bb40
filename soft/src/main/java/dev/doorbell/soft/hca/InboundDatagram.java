package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.PacketView;
import java.lang.foreign.MemorySegment;

/** A datagram on its way into a receive work request. Both ways fill it: by direct copy, and by a packet. */
final class InboundDatagram extends Padded {
    /** The payload. */
    final MemoryCursor payload;

    /** What goes in front of the payload: {@link GrhArea#SIZE} bytes that say where it came from. */
    final MemorySegment header = Scratch.take(GrhArea.SIZE);

    long payloadBytes;
    int qkey;
    int sourceQueuePair;
    boolean hasImmediate;
    int immediate;
    boolean solicited;

    InboundDatagram(MemoryRegions regions) {
        payload = new MemoryCursor(regions);
    }

    /** Takes over a packet. */
    void read(PacketView packet, Gid source, Gid destination, long fields) {
        payload.range(packet.segment(), packet.payloadOffset(), packet.payloadLength());
        payloadBytes = packet.payloadLength();
        qkey = packet.qkey();
        sourceQueuePair = packet.srcQp();
        hasImmediate = Opcode.hasImmediate(packet.opcode());
        immediate = packet.immediate();
        solicited = packet.solicited();
        address(source, destination, fields);
    }

    /** Writes the header, with these {@link IpFields}. */
    void address(Gid source, Gid destination, long fields) {
        header.fill((byte) 0);
        GrhArea.write(header, 0, source, destination, DatagramSender.udpBytes(payloadBytes, hasImmediate));
        if (fields != IpFields.USUAL) {
            GrhArea.mark(
                    header, 0, IpFields.trafficClass(fields), IpFields.flowLabel(fields), IpFields.hopLimit(fields));
        }
    }
}
