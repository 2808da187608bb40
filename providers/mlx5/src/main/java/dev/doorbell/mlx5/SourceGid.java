package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.abi.AbiGidEntry;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What kind of GID an address names as its source: the kernel is asked for that entry, or for its table where it answers only that. */
final class SourceGid {
    private SourceGid() {}

    static GidType type(Mlx5Device device, int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(AbiGidEntry.SIZE, Long.BYTES);
            MethodCall call = new MethodCall(IoctlIds.OBJECT_DEVICE, IoctlIds.DEVICE_QUERY_GID_ENTRY)
                    .number(IoctlIds.QUERY_GID_ENTRY_PORT, port)
                    .number(IoctlIds.QUERY_GID_ENTRY_GID_INDEX, index)
                    .input(IoctlIds.QUERY_GID_ENTRY_FLAGS, arena.allocate(Integer.BYTES))
                    .output(IoctlIds.QUERY_GID_ENTRY_RESP_ENTRY, entry);
            return switch (device.channel().call(call)) {
                case 0 -> type(AbiGidEntry.gidType(entry, 0), index);
                case Errno.EPROTONOSUPPORT, Errno.ENOTTY -> inTable(device, port, index);
                default -> throw none(index);
            };
        }
    }

    private static GidType type(int number, int index) {
        GidType[] types = GidType.values();
        if (number < 0 || number >= types.length) {
            throw none(index);
        }
        return types[number];
    }

    private static GidType inTable(Mlx5Device device, int port, int index) {
        for (GidEntry entry :
                device.channel().gids(port).orElseGet(() -> device.identity().gids(port))) {
            if (entry.index() == index) {
                return entry.type();
            }
        }
        throw none(index);
    }

    private static VerbsFault none(int index) {
        return new VerbsFault(Errno.EINVAL, "CREATE_AH: no GID " + index);
    }
}
