package dev.doorbell.kernel.abi;

import dev.doorbell.spec.PortSpace;
import java.util.Map;

/** Every number of the connection manager that has a name here and in the kernel's headers. */
final class CmConstants {
    private CmConstants() {}

    static void addTo(Map<String, Long> all) {
        for (CmCommand command : CmCommand.values()) {
            put(all, "RDMA_USER_CM_CMD_" + command, command.number());
        }
        for (PortSpace space : PortSpace.values()) {
            put(all, "RDMA_PS_" + space, space.code());
        }
        put(all, "RDMA_USER_CM_ABI_VERSION", CmIds.ABI_VERSION);
        put(all, "RDMA_MAX_PRIVATE_DATA", CmIds.MAX_PRIVATE_DATA);
        put(all, "AF_INET", CmIds.AF_INET);
        put(all, "AF_INET6", CmIds.AF_INET6);
        put(all, "RDMA_USER_CM_QUERY_ADDR", CmIds.QUERY_ADDR);
        put(all, "RDMA_USER_CM_QUERY_PATH", CmIds.QUERY_PATH);
        put(all, "RDMA_USER_CM_QUERY_GID", CmIds.QUERY_GID);
        put(all, "RDMA_OPTION_ID", CmIds.LEVEL_ID);
        put(all, "RDMA_OPTION_IB", CmIds.LEVEL_IB);
        put(all, "RDMA_OPTION_ID_TOS", CmIds.OPTION_TOS);
        put(all, "RDMA_OPTION_ID_REUSEADDR", CmIds.OPTION_REUSEADDR);
        put(all, "RDMA_OPTION_ID_AFONLY", CmIds.OPTION_AFONLY);
        put(all, "RDMA_OPTION_ID_ACK_TIMEOUT", CmIds.OPTION_ACK_TIMEOUT);
        put(all, "RDMA_OPTION_IB_PATH", CmIds.OPTION_PATH);
        put(all, "RDMA_MC_JOIN_FLAG_FULLMEMBER", CmIds.JOIN_FULL_MEMBER);
        put(all, "RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER", CmIds.JOIN_SEND_ONLY);
        put(all, "IB_PATH_GMP", CmIds.PATH_GMP);
        put(all, "IB_PATH_PRIMARY", CmIds.PATH_PRIMARY);
        put(all, "IB_PATH_BIDIRECTIONAL", CmIds.PATH_BIDIRECTIONAL);
    }

    private static void put(Map<String, Long> all, String name, long value) {
        all.put(name, value);
    }
}
