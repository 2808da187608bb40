package dev.doorbell.libibverbs;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import java.lang.foreign.MemorySegment;

/**
 * Where packets go, in C.
 *
 * <pre>
 *   struct ibv_ah_attr
 *      0  u8[16] grh.dgid
 *     16  u32    grh.flow_label
 *     20  u8     grh.sgid_index
 *     21  u8     grh.hop_limit
 *     22  u8     grh.traffic_class
 *     24  u16    dlid
 *     26  u8     sl
 *     27  u8     src_path_bits
 *     28  u8     static_rate
 *     29  u8     is_global
 *     30  u8     port_num
 *     32  bytes in all
 * </pre>
 */
final class AhAttr {
    static final int SIZE = 32;
    static final int DGID = 0;
    static final int FLOW_LABEL = 16;
    static final int SGID_INDEX = 20;
    static final int HOP_LIMIT = 21;
    static final int TRAFFIC_CLASS = 22;
    static final int DLID = 24;
    static final int SL = 26;
    static final int SRC_PATH_BITS = 27;
    static final int STATIC_RATE = 28;
    static final int IS_GLOBAL = 29;
    static final int PORT_NUM = 30;

    private AhAttr() {}

    static void write(MemorySegment out, long at, AddressVector address) {
        writeGid(out, at + DGID, address.destination());
        Host.setInt(out, at + FLOW_LABEL, address.flowLabel());
        Host.setByte(out, at + SGID_INDEX, address.sourceGidIndex());
        Host.setByte(out, at + HOP_LIMIT, address.hopLimit());
        Host.setByte(out, at + TRAFFIC_CLASS, address.trafficClass());
        Host.setShort(out, at + DLID, address.destinationLid());
        Host.setByte(out, at + SL, address.serviceLevel());
        Host.setByte(out, at + SRC_PATH_BITS, address.sourcePathBits());
        Host.setByte(out, at + STATIC_RATE, address.rate().code());
        Host.setByte(out, at + IS_GLOBAL, address.isGlobal() ? 1 : 0);
        Host.setByte(out, at + PORT_NUM, address.port());
    }

    static void writeGid(MemorySegment out, long at, Gid gid) {
        Be.setLong(out, at, gid.high());
        Be.setLong(out, at + Long.BYTES, gid.low());
    }

    static AddressVector read(MemorySegment in, long at) {
        return new AddressVector(
                new Gid(Be.getLong(in, at + DGID), Be.getLong(in, at + DGID + Long.BYTES)),
                Host.getUnsignedByte(in, at + SGID_INDEX),
                Host.getInt(in, at + FLOW_LABEL),
                Host.getUnsignedByte(in, at + HOP_LIMIT),
                Host.getUnsignedByte(in, at + TRAFFIC_CLASS),
                Host.getUnsignedByte(in, at + PORT_NUM),
                Host.getUnsignedByte(in, at + SL),
                Host.getUnsignedShort(in, at + DLID),
                Host.getUnsignedByte(in, at + IS_GLOBAL) != 0,
                Host.getUnsignedByte(in, at + SRC_PATH_BITS),
                Rate.of(Host.getUnsignedByte(in, at + STATIC_RATE)));
    }
}
