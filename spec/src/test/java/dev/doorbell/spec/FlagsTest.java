package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FlagsTest {
    private static <E extends Enum<E>> String list(E[] values, ToLongFunction<E> bit) {
        return Arrays.stream(values)
                .map(value -> value.name() + " " + Long.numberOfTrailingZeros(bit.applyAsLong(value)))
                .collect(Collectors.joining(", "));
    }

    @Test
    void bits() {
        assertThat(list(SendFlag.values(), SendFlag::bit))
                .isEqualTo("FENCE 0, SIGNALED 1, SOLICITED 2, INLINE 3, IP_CSUM 4");
        assertThat(list(WorkCompletionFlag.values(), WorkCompletionFlag::bit))
                .isEqualTo("GRH 0, WITH_IMM 1, IP_CSUM_OK 2, WITH_INV 3, TM_SYNC_REQ 4, TM_MATCH 5, TM_DATA_VALID 6");
        assertThat(list(AccessFlag.values(), AccessFlag::bit))
                .isEqualTo("LOCAL_WRITE 0, REMOTE_WRITE 1, REMOTE_READ 2, REMOTE_ATOMIC 3, MW_BIND 4, ZERO_BASED 5,"
                        + " ON_DEMAND 6, HUGETLB 7, FLUSH_GLOBAL 8, FLUSH_PERSISTENT 9, RELAXED_ORDERING 20");
        assertThat(list(DeviceCapability.values(), DeviceCapability::bit))
                .isEqualTo("RESIZE_MAX_WR 0, BAD_PKEY_CNTR 1, BAD_QKEY_CNTR 2, RAW_MULTI 3, AUTO_PATH_MIG 4,"
                        + " CHANGE_PHY_PORT 5, UD_AV_PORT_ENFORCE 6, CURR_QP_STATE_MOD 7, SHUTDOWN_PORT 8,"
                        + " PORT_ACTIVE_EVENT 10, SYS_IMAGE_GUID 11, RC_RNR_NAK_GEN 12, SRQ_RESIZE 13,"
                        + " N_NOTIFY_CQ 14, MEM_WINDOW 17, UD_IP_CSUM 18, XRC 20, MEM_MGT_EXTENSIONS 21,"
                        + " MEM_WINDOW_TYPE_2A 23, MEM_WINDOW_TYPE_2B 24, RC_IP_CSUM 25, RAW_IP_CSUM 26,"
                        + " MANAGED_FLOW_STEERING 29, RAW_SCATTER_FCS 34, PCI_WRITE_END_PADDING 36, FLUSH_GLOBAL 38,"
                        + " FLUSH_PERSISTENT 39, ATOMIC_WRITE 40, CC_DMA_BOUNCE 41");
    }

    @Test
    void setsAndMasksConvert() {
        EnumSet<AccessFlag> flags = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
        assertThat(AccessFlag.mask(flags)).isEqualTo(5);
        assertThat(AccessFlag.set(5 | 1 << 25)).isEqualTo(flags);
        assertThat(AccessFlag.unnamed(5 | 1 << 25)).isEqualTo(1 << 25);
        assertThat(DeviceCapability.mask(EnumSet.of(DeviceCapability.ATOMIC_WRITE)))
                .isEqualTo(1L << 40);
        assertThat(DeviceCapability.set(-1L)).isEqualTo(EnumSet.allOf(DeviceCapability.class));
        assertThat(SendFlag.SIGNALED.isIn(2)).isTrue();
        assertThat(SendFlag.SIGNALED.isIn(~2)).isFalse();
        assertThat(WorkCompletionFlag.set(0)).isEmpty();
    }

    @Test
    void whoLetsPeersWriteLetsTheDeviceWrite() {
        for (int mask = 0; mask < 1 << 10; mask++) {
            boolean refused = (mask & 0b1010) != 0 && (mask & 1) == 0;
            assertThat(AccessFlag.missing(mask).isPresent())
                    .as("mask 0x%x", mask)
                    .isEqualTo(refused);
        }
        assertThat(AccessFlag.missing(2)).contains(AccessFlag.LOCAL_WRITE);
        assertThat(AccessFlag.queuePairMask()).isEqualTo(0b11_0000_1110);
    }
}
