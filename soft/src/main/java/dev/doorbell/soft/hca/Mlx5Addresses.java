package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that datagrams of one mlx5 queue name, which stand in full in each work request. The latest ones are
 * remembered, so that sending to them again makes no objects.
 *
 * <p>Belongs to the queue, and its lock.
 */
final class Mlx5Addresses {
    private static final int SLOTS = 16;
    private static final int GID_INDEX_SHIFT = 20;
    private static final int GID_INDEX_MASK = 0xff;
    private static final int LABEL_MASK = 0xf_ffff;
    private static final int MIX = 0x9e37_79b9;

    private final Hca hca;
    private final HcaProtectionDomain domain;
    private final @Nullable HcaAddressHandle[] handles = new HcaAddressHandle[SLOTS];
    private final int[] labels = new int[SLOTS];
    private final int[] classes = new int[SLOTS];

    /** The GID table that the remembered ones were made from. */
    private List<Gid> table = List.of();

    Mlx5Addresses(Hca hca, HcaProtectionDomain domain) {
        this.hca = hca;
        this.domain = domain;
    }

    /** The address in a segment; null if its source is not one of the device's. */
    @Nullable
    HcaAddressHandle find(MemorySegment memory, long at) {
        List<Gid> present = hca.gids();
        if (!present.equals(table)) {
            Arrays.fill(handles, null);
            table = present;
        }
        long high = Be.getLong(memory, at + DatagramSegment.GID);
        long low = Be.getLong(memory, at + DatagramSegment.GID + Long.BYTES);
        int label = DatagramSegment.gidAndFlow(memory, at);
        int kind = DatagramSegment.trafficClass(memory, at) << Byte.SIZE | DatagramSegment.hopLimit(memory, at);
        int slot = (Long.hashCode(high) * 31 + Long.hashCode(low) + label + kind) * MIX >>> Integer.SIZE - 4;
        HcaAddressHandle known = handles[slot];
        if (known != null
                && known.destination().low() == low
                && known.destination().high() == high
                && labels[slot] == label
                && classes[slot] == kind) {
            return known;
        }
        HcaAddressHandle made = make(new Gid(high, low), label, kind);
        handles[slot] = made;
        labels[slot] = label;
        classes[slot] = kind;
        return made;
    }

    private @Nullable HcaAddressHandle make(Gid destination, int label, int kind) {
        int slot = label >>> GID_INDEX_SHIFT & GID_INDEX_MASK;
        if (slot >= table.size() || table.get(slot).isZero() || destination.isZero()) {
            return null;
        }
        long fields = IpFields.toSend(kind >>> Byte.SIZE, label & LABEL_MASK, kind & 0xff, destination.isMulticast());
        return new HcaAddressHandle(hca, 0, domain, table.get(slot), destination, fields);
    }
}
