package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AbiGidEntry;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The GID tables of an open device in one system call (QUERY_GID_TABLE, since kernel 5.10). The same in sysfs is three files
 * for each of a thousand slots.
 */
final class GidTable {
    /** Enough for most, in a buffer of the usual size; then as many as an attribute can be long. */
    private static final int[] ROOMS = {64, 2000};

    private GidTable() {}

    /** The used slots of a port in order of their index; empty where the kernel has no such method, or refuses. */
    static Optional<List<GidEntry>> read(
            IoctlRequest.Caller device, BufferPool buffers, int driverId, NetDevices netDevices, int port) {
        for (int room : ROOMS) {
            long size = (long) room * AbiGidEntry.SIZE;
            MemorySegment buffer = buffers.take(IoctlRequest.DATA_AT + size + Long.BYTES);
            try {
                IoctlRequest request = new IoctlRequest(
                                buffer, IoctlIds.OBJECT_DEVICE, IoctlIds.DEVICE_QUERY_GID_TABLE, driverId)
                        .value(IoctlIds.QUERY_GID_TABLE_ENTRY_SIZE, AbiGidEntry.SIZE, Long.BYTES)
                        .value(IoctlIds.QUERY_GID_TABLE_FLAGS, 0);
                long entries = request.output(IoctlIds.QUERY_GID_TABLE_RESP_ENTRIES, size);
                long count = request.output(IoctlIds.QUERY_GID_TABLE_RESP_NUM_ENTRIES, Long.BYTES);
                int errno = request.send(device);
                if (errno == 0) {
                    int used = Math.clamp(request.number(count), 0, room);
                    return Optional.of(parse(buffer, entries, used, netDevices, port));
                }
                // What does not fit is EINVAL.
                if (errno != Errno.EINVAL) {
                    return Optional.empty();
                }
            } finally {
                buffers.give(buffer);
            }
        }
        return Optional.empty();
    }

    private static List<GidEntry> parse(
            MemorySegment buffer, long entries, int count, NetDevices netDevices, int port) {
        List<GidEntry> parsed = new ArrayList<>();
        GidType[] types = GidType.values();
        // Most entries of a port belong to one interface.
        Map<Integer, String> names = new HashMap<>();
        for (int i = 0; i < count; i++) {
            long at = entries + (long) i * AbiGidEntry.SIZE;
            Gid gid = AbiGidEntry.gid(buffer, at);
            int type = AbiGidEntry.gidType(buffer, at);
            if (AbiGidEntry.portNum(buffer, at) == port && !gid.isZero() && type >= 0 && type < types.length) {
                String netDevice = names.computeIfAbsent(AbiGidEntry.netdevIfindex(buffer, at), netDevices::name);
                parsed.add(new GidEntry(
                        port, AbiGidEntry.gidIndex(buffer, at), gid, types[type], netDevices.ifOwned(netDevice, gid)));
            }
        }
        return List.copyOf(parsed);
    }
}
