package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.AckTimeout;
import java.lang.foreign.MemorySegment;

/** What rdma_set_option(3) sets of an identifier. */
enum IdOption {
    TYPE_OF_SERVICE("type of service", CmIds.OPTION_TOS, 1, 0xff),
    ACK_TIMEOUT("ACK timeout", CmIds.OPTION_ACK_TIMEOUT, 1, AckTimeout.MAX_CODE),
    REUSE_ADDRESS("reuse of the address", CmIds.OPTION_REUSEADDR, Integer.BYTES, 1),
    IPV6_ONLY("IPv6 only", CmIds.OPTION_AFONLY, Integer.BYTES, 1);

    private final String label;
    private final int number;
    private final int size;
    private final int most;

    IdOption(String label, int number, int size, int most) {
        this.label = label;
        this.number = number;
        this.size = size;
        this.most = most;
    }

    /** Sets it; EINVAL for a value that it cannot have. */
    void set(CmId id, CmCommands commands, int value) {
        if (value < 0 || value > most) {
            throw new CmException("SET_OPTION", id.toString(), Errno.EINVAL, label + " " + value, "0 to " + most);
        }
        MemorySegment bytes = CmCommands.zeros(size);
        if (size == 1) {
            Host.setByte(bytes, 0, value);
        } else {
            Host.setInt(bytes, 0, value);
        }
        commands.setOption(id, CmIds.LEVEL_ID, number, bytes);
    }
}
