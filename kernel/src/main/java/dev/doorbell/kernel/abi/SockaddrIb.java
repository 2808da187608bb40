package dev.doorbell.kernel.abi;

import dev.doorbell.memory.Be;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;

/**
 * A GID with a service, as QUERY answers for {@link CmIds#QUERY_GID}. The kernel's headers for programs lack this struct.
 *
 * <pre>
 *   struct sockaddr_ib
 *      0  u16    family    {@link CmIds#AF_IB}
 *      2  be16   pkey      P_Key
 *      4  be32   flowinfo  flow label
 *      8  be128  addr      GID
 *     24  be64   sid       service identifier
 *     32  be64   sid_mask  which of its bits count
 *     40  u64    scope_id  0
 *     48  bytes in all
 * </pre>
 */
public final class SockaddrIb {
    /** Bytes of the struct. */
    public static final int SIZE = 48;

    private static final int FAMILY = 0;
    private static final int PKEY = 2;
    private static final int ADDR = 8;
    private static final int SID = 24;
    private static final int SID_MASK = 32;

    private SockaddrIb() {}

    /** The GID. */
    public static Gid gid(MemorySegment segment, long at) {
        return new Gid(Be.getLong(segment, at + ADDR), Be.getLong(segment, at + ADDR + 8));
    }

    /** The service identifier. */
    public static long serviceId(MemorySegment segment, long at) {
        return Be.getLong(segment, at + SID);
    }

    /** Stores the whole struct. */
    public static void set(MemorySegment segment, long at, int pkey, Gid gid, long serviceId) {
        segment.asSlice(at, SIZE).fill((byte) 0);
        Host.setShort(segment, at + FAMILY, CmIds.AF_IB);
        Be.setShort(segment, at + PKEY, pkey);
        Be.setLong(segment, at + ADDR, gid.high());
        Be.setLong(segment, at + ADDR + 8, gid.low());
        Be.setLong(segment, at + SID, serviceId);
        Be.setLong(segment, at + SID_MASK, -1);
    }
}
