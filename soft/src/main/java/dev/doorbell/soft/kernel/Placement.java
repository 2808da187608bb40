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
 * @param gids its GID table, without holes: a link-local address of its own, or else the link-local GID of the GUID; then
 *     one entry for each other address
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
        Gid first = addresses.stream().filter(Gid::isLinkLocal).findFirst().orElse(Gid.linkLocal(guid.value()));
        table.add(entry(0, first, netDevice));
        for (Gid address : addresses) {
            if (!address.equals(first)) {
                table.add(entry(table.size(), address, netDevice));
            }
        }
        return new Placement(guid, table);
    }

    /** Whether a GID of the table is made from the GUID, and not an address that can go. */
    boolean isMadeUp(Gid gid) {
        return gid.equals(Gid.linkLocal(guid.value()));
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
