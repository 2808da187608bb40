package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AbiGidEntry;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.IoctlAttribute;
import dev.doorbell.kernel.abi.IoctlHeader;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** QUERY_GID_TABLE against a kernel of a few lines. */
class GidTableTest {
    private static final Gid HERE = new Gid(0, 0x0000_ffff_0a4d_0001L);
    private static final Gid ELSEWHERE = new Gid(0, 0x0000_ffff_0a4d_0002L);

    private final List<Integer> rooms = new ArrayList<>();
    private final List<GidEntry> table = new ArrayList<>();
    private int refusal;
    private long said = -1;

    private final NetDevices netDevices = new NetDevices() {
        @Override
        public boolean owns(String name, Gid gid) {
            return name.equals("lab0") && gid.equals(HERE);
        }

        @Override
        public String name(int index) {
            return index == 7 ? "lab0" : "";
        }
    };

    private Optional<List<GidEntry>> read() {
        return GidTable.read(this::ioctl, new BufferPool(), DriverId.RXE, netDevices, 1);
    }

    @Test
    void entriesOfThePortWithTypeAndNetDevice() {
        table.add(new GidEntry(1, 0, HERE, GidType.ROCE_V1, "7"));
        table.add(new GidEntry(2, 0, HERE, GidType.ROCE_V2, "7"));
        table.add(new GidEntry(1, 3, HERE, GidType.ROCE_V2, "7"));
        table.add(new GidEntry(1, 5, ELSEWHERE, GidType.ROCE_V2, "7"));
        table.add(new GidEntry(1, 6, HERE, GidType.ROCE_V2, "9"));
        assertThat(read())
                .contains(List.of(
                        new GidEntry(1, 0, HERE, GidType.ROCE_V1, "lab0"),
                        new GidEntry(1, 3, HERE, GidType.ROCE_V2, "lab0"),
                        new GidEntry(1, 5, ELSEWHERE, GidType.ROCE_V2, ""),
                        new GidEntry(1, 6, HERE, GidType.ROCE_V2, "")));
        assertThat(rooms).containsExactly(64);
    }

    @Test
    void aLongTableIsAskedForAgain() {
        for (int i = 0; i < 1000; i++) {
            table.add(new GidEntry(1, i, HERE, GidType.ROCE_V2, "7"));
        }
        assertThat(read().orElseThrow()).hasSize(1000);
        assertThat(rooms).containsExactly(64, 2000);
    }

    @Test
    void whoRefusesIsNotBelieved() {
        for (int errno : new int[] {Errno.EINVAL, Errno.ENOTTY, Errno.EPROTONOSUPPORT, Errno.EBADF, Errno.EIO}) {
            refusal = errno;
            assertThat(read()).isEmpty();
        }
    }

    @Test
    void aCountBeyondTheRoomIsNotBelieved() {
        table.add(new GidEntry(1, 0, HERE, GidType.ROCE_V2, "7"));
        said = 1L << 31 | 5;
        assertThat(read().orElseThrow()).hasSizeLessThanOrEqualTo(64);
    }

    private int ioctl(int stripe, long request, long address) {
        MemorySegment message = MemorySegment.ofAddress(address).reinterpret(1 << 17);
        assertThat(IoctlHeader.methodId(message, 0)).isEqualTo(IoctlIds.DEVICE_QUERY_GID_TABLE);
        long at = IoctlHeader.SIZE;
        assertThat(IoctlAttribute.attrId(message, at)).isEqualTo(IoctlIds.QUERY_GID_TABLE_ENTRY_SIZE);
        assertThat(IoctlAttribute.data(message, at)).isEqualTo(AbiGidEntry.SIZE);
        at += 2 * IoctlAttribute.SIZE;
        assertThat(IoctlAttribute.attrId(message, at)).isEqualTo(IoctlIds.QUERY_GID_TABLE_RESP_ENTRIES);
        int room = IoctlAttribute.len(message, at) / AbiGidEntry.SIZE;
        rooms.add(room);
        if (refusal != 0 || table.size() > room) {
            return refusal == 0 ? -Errno.EINVAL : -refusal;
        }
        MemorySegment entries =
                MemorySegment.ofAddress(IoctlAttribute.data(message, at)).reinterpret((long) room * AbiGidEntry.SIZE);
        for (int i = 0; i < table.size(); i++) {
            long entry = (long) i * AbiGidEntry.SIZE;
            AbiGidEntry.setGid(entries, entry, table.get(i).gid());
            AbiGidEntry.setGidIndex(entries, entry, table.get(i).index());
            AbiGidEntry.setPortNum(entries, entry, table.get(i).port());
            AbiGidEntry.setGidType(entries, entry, table.get(i).type().code());
            AbiGidEntry.setNetdevIfindex(
                    entries, entry, Integer.parseInt(table.get(i).netDevice()));
        }
        MemorySegment count = MemorySegment.ofAddress(IoctlAttribute.data(message, at + IoctlAttribute.SIZE))
                .reinterpret(Long.BYTES);
        Host.setLong(count, 0, said < 0 ? table.size() : said);
        return 0;
    }
}
