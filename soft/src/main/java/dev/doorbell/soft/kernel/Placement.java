package dev.doorbell.soft.kernel;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Guid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a device is, and what follows from it.
 *
 * @param guid its node GUID: the same in every run, made from a locally administered MAC that holds the end of the first
 *     address
 * @param gids its GID table, without holes: the link-local GID of the GUID, then one entry for each address
 */
public record Placement(Guid guid, List<GidEntry> gids) {
    private static final byte LOCALLY_ADMINISTERED = 0x02;

    /** Copies the table. */
    public Placement {
        gids = List.copyOf(gids);
    }

    /** A device at some addresses, at least one, of a network interface. */
    public static Placement at(List<Gid> addresses, String netDevice) {
        Guid guid = guid(addresses.getFirst());
        List<GidEntry> table = new ArrayList<>();
        table.add(entry(0, Gid.linkLocal(guid.value()), netDevice));
        for (Gid address : addresses) {
            table.add(entry(table.size(), address, netDevice));
        }
        return new Placement(guid, table);
    }

    private static GidEntry entry(int index, Gid gid, String netDevice) {
        return new GidEntry(SoftDevice.PORT, index, gid, GidType.ROCE_V2, netDevice);
    }

    private static Guid guid(Gid address) {
        byte[] mac = new byte[6];
        mac[0] = LOCALLY_ADMINISTERED;
        mac[1] = (byte) (address.isIpv4Mapped() ? 0xdb : 0xd6);
        ByteBuffer.wrap(mac).putInt(2, (int) address.low());
        return Guid.ofMac(mac);
    }
}
