package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.DatagramSegment;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateAhResponse;
import dev.doorbell.memory.Be;
import dev.doorbell.spec.Rate;
import dev.doorbell.verbs.AddressVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;

/** Address vectors as work requests carry them. */
final class AddressVectors {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int GID_INDEX_SHIFT = 20;
    private static final int SERVICE_LEVELS = 7;
    private static final int MAC_BYTES = 6;
    /** Source ports of RoCE v2 lie in the upper quarter, and spread flows over paths. */
    private static final int PORT_BASE = 0xc000;

    private static final int PORT_BITS = 14;
    private static final int PORT_MASK = (1 << PORT_BITS) - 1;
    private static final int FIRST_RATE = 5;

    private AddressVectors() {}

    /** An address by LID, with a global route header where it is global. */
    static MemorySegment infiniband(AddressVector address) {
        MemorySegment vector = Arena.ofAuto().allocate(DatagramSegment.SIZE, Long.BYTES);
        DatagramSegment.setRateAndServiceLevel(vector, 0, rate(address.rate()) << 4 | address.serviceLevel());
        DatagramSegment.setSourcePath(vector, 0, address.sourcePathBits() & 0x7f);
        DatagramSegment.setLidOrPort(vector, 0, address.destinationLid());
        if (address.isGlobal()) {
            route(vector, address, DatagramSegment.GLOBAL);
        }
        return vector;
    }

    /** An address by MAC and GID. */
    static MemorySegment ethernet(AddressVector address, boolean overUdp, MemorySegment answer) {
        MemorySegment vector = Arena.ofAuto().allocate(DatagramSegment.SIZE, Long.BYTES);
        int priority = (address.serviceLevel() & SERVICE_LEVELS) << 1;
        DatagramSegment.setRateAndServiceLevel(vector, 0, rate(address.rate()) << 4 | priority);
        DatagramSegment.setLidOrPort(vector, 0, overUdp ? sourcePort(address.flowLabel()) : 0);
        MemorySegment.copy(answer, Mlx5CreateAhResponse.DESTINATION_MAC, vector, DatagramSegment.MAC, MAC_BYTES);
        route(vector, address, 0);
        return vector;
    }

    private static void route(MemorySegment vector, AddressVector address, int mark) {
        DatagramSegment.setTrafficClass(vector, 0, address.trafficClass());
        DatagramSegment.setHopLimit(vector, 0, address.hopLimit());
        DatagramSegment.setGidAndFlow(
                vector, 0, mark | address.sourceGidIndex() << GID_INDEX_SHIFT | address.flowLabel());
        Be.setLong(vector, DatagramSegment.GID, address.destination().high());
        Be.setLong(
                vector, DatagramSegment.GID + Long.BYTES, address.destination().low());
    }

    /** The flow's port; a random one for a flow without a label. */
    static int sourcePort(int flowLabel) {
        return flowLabel == 0
                ? PORT_BASE | RANDOM.nextInt(1 << PORT_BITS)
                : PORT_BASE | (flowLabel & PORT_MASK ^ flowLabel >>> PORT_BITS);
    }

    /** The device's number of a rate; 0, which is no limit, for one that it does not know. */
    private static int rate(Rate rate) {
        return switch (rate) {
            case GBPS_2_5, GBPS_10, GBPS_30, GBPS_5, GBPS_20, GBPS_40, GBPS_60, GBPS_80, GBPS_120 ->
                rate.code() + FIRST_RATE;
            case GBPS_14 -> Rate.GBPS_20.code() + FIRST_RATE;
            case GBPS_56 -> Rate.GBPS_60.code() + FIRST_RATE;
            case GBPS_100 -> Rate.GBPS_120.code() + FIRST_RATE;
            default -> 0;
        };
    }
}
