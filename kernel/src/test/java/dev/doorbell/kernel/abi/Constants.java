package dev.doorbell.kernel.abi;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkRequestOpcode;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;

/** Every number that has a name here and in the kernel's headers, by its name there. */
final class Constants {
    private Constants() {}

    static Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        addIds(all);
        addAttributes(all);
        addQueueAttributes(all);
        addDrivers(all);
        addEnums(all);
        addNetlink(all);
        CmConstants.addTo(all);
        return all;
    }

    private static void addIds(Map<String, Long> all) {
        put(all, "RDMA_VERBS_IOCTL", Integer.toUnsignedLong(IoctlIds.RDMA_VERBS_IOCTL));
        put(all, "IB_USER_VERBS_CMD_FLAG_EXTENDED", Integer.toUnsignedLong(UverbsCommand.EXTENDED_FLAG));
        put(all, "UVERBS_ATTR_F_MANDATORY", IoctlIds.FLAG_MANDATORY);
        put(all, "UVERBS_ATTR_F_VALID_OUTPUT", IoctlIds.FLAG_VALID_OUTPUT);
        put(all, "UVERBS_ATTR_UHW_IN", IoctlIds.UHW_IN);
        put(all, "UVERBS_ATTR_UHW_OUT", IoctlIds.UHW_OUT);
        put(all, "UVERBS_OBJECT_DEVICE", IoctlIds.OBJECT_DEVICE);
        put(all, "UVERBS_OBJECT_PD", IoctlIds.OBJECT_PD);
        put(all, "UVERBS_OBJECT_COMP_CHANNEL", IoctlIds.OBJECT_COMP_CHANNEL);
        put(all, "UVERBS_OBJECT_CQ", IoctlIds.OBJECT_CQ);
        put(all, "UVERBS_OBJECT_QP", IoctlIds.OBJECT_QP);
        put(all, "UVERBS_OBJECT_SRQ", IoctlIds.OBJECT_SRQ);
        put(all, "UVERBS_OBJECT_AH", IoctlIds.OBJECT_AH);
        put(all, "UVERBS_OBJECT_MR", IoctlIds.OBJECT_MR);
        put(all, "UVERBS_OBJECT_MW", IoctlIds.OBJECT_MW);
        put(all, "UVERBS_OBJECT_ASYNC_EVENT", IoctlIds.OBJECT_ASYNC_EVENT);
        put(all, "UVERBS_METHOD_INVOKE_WRITE", IoctlIds.DEVICE_INVOKE_WRITE);
        put(all, "UVERBS_METHOD_QUERY_PORT", IoctlIds.DEVICE_QUERY_PORT);
        put(all, "UVERBS_METHOD_GET_CONTEXT", IoctlIds.DEVICE_GET_CONTEXT);
        put(all, "UVERBS_METHOD_QUERY_CONTEXT", IoctlIds.DEVICE_QUERY_CONTEXT);
        put(all, "UVERBS_METHOD_QUERY_GID_TABLE", IoctlIds.DEVICE_QUERY_GID_TABLE);
        put(all, "UVERBS_METHOD_QUERY_GID_ENTRY", IoctlIds.DEVICE_QUERY_GID_ENTRY);
        put(all, "UVERBS_METHOD_ASYNC_EVENT_ALLOC", IoctlIds.ASYNC_EVENT_ALLOC);
        put(all, "UVERBS_METHOD_CQ_CREATE", IoctlIds.CQ_CREATE);
        put(all, "UVERBS_METHOD_CQ_DESTROY", IoctlIds.CQ_DESTROY);
        put(all, "UVERBS_METHOD_QP_CREATE", IoctlIds.QP_CREATE);
        put(all, "UVERBS_METHOD_QP_DESTROY", IoctlIds.QP_DESTROY);
        put(all, "UVERBS_METHOD_SRQ_CREATE", IoctlIds.SRQ_CREATE);
        put(all, "UVERBS_METHOD_SRQ_DESTROY", IoctlIds.SRQ_DESTROY);
        put(all, "UVERBS_METHOD_MR_DESTROY", IoctlIds.MR_DESTROY);
        put(all, "UVERBS_METHOD_PD_DESTROY", IoctlIds.SIMPLE_DESTROY);
        put(all, "UVERBS_METHOD_AH_DESTROY", IoctlIds.SIMPLE_DESTROY);
        put(all, "UVERBS_METHOD_MW_DESTROY", IoctlIds.SIMPLE_DESTROY);
    }

    private static void addAttributes(Map<String, Long> all) {
        put(all, "UVERBS_ATTR_CORE_IN", IoctlIds.INVOKE_WRITE_CORE_IN);
        put(all, "UVERBS_ATTR_CORE_OUT", IoctlIds.INVOKE_WRITE_CORE_OUT);
        put(all, "UVERBS_ATTR_WRITE_CMD", IoctlIds.INVOKE_WRITE_CMD);
        put(all, "UVERBS_ATTR_QUERY_PORT_PORT_NUM", IoctlIds.QUERY_PORT_PORT_NUM);
        put(all, "UVERBS_ATTR_QUERY_PORT_RESP", IoctlIds.QUERY_PORT_RESP);
        put(all, "UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS", IoctlIds.GET_CONTEXT_NUM_COMP_VECTORS);
        put(all, "UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT", IoctlIds.GET_CONTEXT_CORE_SUPPORT);
        put(all, "UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE", IoctlIds.QUERY_GID_TABLE_ENTRY_SIZE);
        put(all, "UVERBS_ATTR_QUERY_GID_TABLE_FLAGS", IoctlIds.QUERY_GID_TABLE_FLAGS);
        put(all, "UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES", IoctlIds.QUERY_GID_TABLE_RESP_ENTRIES);
        put(all, "UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES", IoctlIds.QUERY_GID_TABLE_RESP_NUM_ENTRIES);
        put(all, "UVERBS_ATTR_QUERY_GID_ENTRY_PORT", IoctlIds.QUERY_GID_ENTRY_PORT);
        put(all, "UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX", IoctlIds.QUERY_GID_ENTRY_GID_INDEX);
        put(all, "UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS", IoctlIds.QUERY_GID_ENTRY_FLAGS);
        put(all, "UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY", IoctlIds.QUERY_GID_ENTRY_RESP_ENTRY);
        put(all, "UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE", IoctlIds.ASYNC_EVENT_ALLOC_FD_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_CQ_HANDLE", IoctlIds.CQ_CREATE_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_CQ_CQE", IoctlIds.CQ_CREATE_CQE);
        put(all, "UVERBS_ATTR_CREATE_CQ_USER_HANDLE", IoctlIds.CQ_CREATE_USER_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL", IoctlIds.CQ_CREATE_COMP_CHANNEL);
        put(all, "UVERBS_ATTR_CREATE_CQ_COMP_VECTOR", IoctlIds.CQ_CREATE_COMP_VECTOR);
        put(all, "UVERBS_ATTR_CREATE_CQ_FLAGS", IoctlIds.CQ_CREATE_FLAGS);
        put(all, "UVERBS_ATTR_CREATE_CQ_EVENT_FD", IoctlIds.CQ_CREATE_EVENT_FD);
        put(all, "UVERBS_ATTR_CREATE_CQ_RESP_CQE", IoctlIds.CQ_CREATE_RESP_CQE);
        put(all, "UVERBS_ATTR_DESTROY_CQ_HANDLE", IoctlIds.CQ_DESTROY_HANDLE);
        put(all, "UVERBS_ATTR_DESTROY_CQ_RESP", IoctlIds.CQ_DESTROY_RESP);
        put(all, "UVERBS_ATTR_DESTROY_MR_HANDLE", IoctlIds.MR_DESTROY_HANDLE);
    }

    private static void addQueueAttributes(Map<String, Long> all) {
        put(all, "UVERBS_ATTR_CREATE_QP_HANDLE", IoctlIds.QP_CREATE_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_XRCD_HANDLE", IoctlIds.QP_CREATE_XRCD_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_PD_HANDLE", IoctlIds.QP_CREATE_PD_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_SRQ_HANDLE", IoctlIds.QP_CREATE_SRQ_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE", IoctlIds.QP_CREATE_SEND_CQ_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE", IoctlIds.QP_CREATE_RECV_CQ_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE", IoctlIds.QP_CREATE_IND_TABLE_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_USER_HANDLE", IoctlIds.QP_CREATE_USER_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_QP_CAP", IoctlIds.QP_CREATE_CAP);
        put(all, "UVERBS_ATTR_CREATE_QP_TYPE", IoctlIds.QP_CREATE_TYPE);
        put(all, "UVERBS_ATTR_CREATE_QP_FLAGS", IoctlIds.QP_CREATE_FLAGS);
        put(all, "UVERBS_ATTR_CREATE_QP_SOURCE_QPN", IoctlIds.QP_CREATE_SOURCE_QPN);
        put(all, "UVERBS_ATTR_CREATE_QP_EVENT_FD", IoctlIds.QP_CREATE_EVENT_FD);
        put(all, "UVERBS_ATTR_CREATE_QP_RESP_CAP", IoctlIds.QP_CREATE_RESP_CAP);
        put(all, "UVERBS_ATTR_CREATE_QP_RESP_QP_NUM", IoctlIds.QP_CREATE_RESP_QP_NUM);
        put(all, "UVERBS_ATTR_DESTROY_QP_HANDLE", IoctlIds.QP_DESTROY_HANDLE);
        put(all, "UVERBS_ATTR_DESTROY_QP_RESP", IoctlIds.QP_DESTROY_RESP);
        put(all, "UVERBS_ATTR_CREATE_SRQ_HANDLE", IoctlIds.SRQ_CREATE_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_PD_HANDLE", IoctlIds.SRQ_CREATE_PD_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE", IoctlIds.SRQ_CREATE_XRCD_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE", IoctlIds.SRQ_CREATE_CQ_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_USER_HANDLE", IoctlIds.SRQ_CREATE_USER_HANDLE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_MAX_WR", IoctlIds.SRQ_CREATE_MAX_WR);
        put(all, "UVERBS_ATTR_CREATE_SRQ_MAX_SGE", IoctlIds.SRQ_CREATE_MAX_SGE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_LIMIT", IoctlIds.SRQ_CREATE_LIMIT);
        put(all, "UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS", IoctlIds.SRQ_CREATE_MAX_NUM_TAGS);
        put(all, "UVERBS_ATTR_CREATE_SRQ_TYPE", IoctlIds.SRQ_CREATE_TYPE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_EVENT_FD", IoctlIds.SRQ_CREATE_EVENT_FD);
        put(all, "UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR", IoctlIds.SRQ_CREATE_RESP_MAX_WR);
        put(all, "UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE", IoctlIds.SRQ_CREATE_RESP_MAX_SGE);
        put(all, "UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM", IoctlIds.SRQ_CREATE_RESP_SRQ_NUM);
        put(all, "UVERBS_ATTR_DESTROY_SRQ_HANDLE", IoctlIds.SRQ_DESTROY_HANDLE);
        put(all, "UVERBS_ATTR_DESTROY_SRQ_RESP", IoctlIds.SRQ_DESTROY_RESP);
        put(all, "IB_UVERBS_QP_CREATE_SQ_SIG_ALL", IoctlIds.QP_CREATE_SQ_SIG_ALL);
    }

    private static void addDrivers(Map<String, Long> all) {
        put(all, "RDMA_DRIVER_UNKNOWN", DriverId.UNKNOWN);
        put(all, "RDMA_DRIVER_MLX5", DriverId.MLX5);
        put(all, "RDMA_DRIVER_MLX4", DriverId.MLX4);
        put(all, "RDMA_DRIVER_CXGB3", DriverId.CXGB3);
        put(all, "RDMA_DRIVER_CXGB4", DriverId.CXGB4);
        put(all, "RDMA_DRIVER_MTHCA", DriverId.MTHCA);
        put(all, "RDMA_DRIVER_BNXT_RE", DriverId.BNXT_RE);
        put(all, "RDMA_DRIVER_OCRDMA", DriverId.OCRDMA);
        put(all, "RDMA_DRIVER_NES", DriverId.NES);
        put(all, "RDMA_DRIVER_IRDMA", DriverId.IRDMA);
        put(all, "RDMA_DRIVER_VMW_PVRDMA", DriverId.VMW_PVRDMA);
        put(all, "RDMA_DRIVER_QEDR", DriverId.QEDR);
        put(all, "RDMA_DRIVER_HNS", DriverId.HNS);
        put(all, "RDMA_DRIVER_USNIC", DriverId.USNIC);
        put(all, "RDMA_DRIVER_RXE", DriverId.RXE);
        put(all, "RDMA_DRIVER_HFI1", DriverId.HFI1);
        put(all, "RDMA_DRIVER_QIB", DriverId.QIB);
        put(all, "RDMA_DRIVER_EFA", DriverId.EFA);
        put(all, "RDMA_DRIVER_SIW", DriverId.SIW);
        put(all, "RDMA_DRIVER_ERDMA", DriverId.ERDMA);
        put(all, "RDMA_DRIVER_MANA", DriverId.MANA);
        put(all, "RDMA_DRIVER_IONIC", DriverId.IONIC);
    }

    private static void addEnums(Map<String, Long> all) {
        for (UverbsCommand command : UverbsCommand.values()) {
            String name = command.isExtended()
                    ? "EX_CMD_" + command.name().substring("EX_".length())
                    : "CMD_" + command.name();
            put(all, "IB_USER_VERBS_" + name, command.number());
        }
        EnumSet<WorkRequestOpcode> requests =
                EnumSet.complementOf(EnumSet.of(WorkRequestOpcode.UNKNOWN, WorkRequestOpcode.DRIVER1));
        requests.forEach(value -> put(all, "IB_UVERBS_WR_" + value, value.code()));
        EnumSet.range(WorkCompletionOpcode.SEND, WorkCompletionOpcode.ATOMIC_WRITE)
                .forEach(value -> put(all, "IB_UVERBS_WC_" + value, value.code()));
        EnumSet.allOf(AccessFlag.class).forEach(value -> put(all, "IB_UVERBS_ACCESS_" + value, value.bit()));
        EnumSet.allOf(QueuePairType.class).forEach(value -> put(all, "IB_UVERBS_QPT_" + value, value.code()));
        put(all, "IB_UVERBS_GID_TYPE_IB", GidType.INFINIBAND.code());
        put(all, "IB_UVERBS_GID_TYPE_ROCE_V1", GidType.ROCE_V1.code());
        put(all, "IB_UVERBS_GID_TYPE_ROCE_V2", GidType.ROCE_V2.code());
    }

    private static void addNetlink(Map<String, Long> all) {
        put(all, "NETLINK_RDMA", NldevIds.FAMILY_RDMA);
        put(all, "RDMA_NL_NLDEV", NldevIds.CLIENT_NLDEV);
        put(all, "NLMSG_ERROR", NldevIds.MESSAGE_ERROR);
        put(all, "NLMSG_DONE", NldevIds.MESSAGE_DONE);
        put(all, "NLM_F_REQUEST", NldevIds.FLAG_REQUEST);
        put(all, "NLM_F_MULTI", NldevIds.FLAG_MULTI);
        put(all, "NLM_F_ACK", NldevIds.FLAG_ACK);
        put(all, "NLM_F_DUMP_INTR", NldevIds.FLAG_DUMP_INTERRUPTED);
        put(all, "NLM_F_DUMP", NldevIds.FLAG_DUMP);
        put(all, "NLA_F_NESTED", NldevIds.FLAG_NESTED);
        put(all, "NLA_F_NET_BYTEORDER", NldevIds.FLAG_NETWORK_ORDER);
        put(all, "RDMA_NLDEV_CMD_GET", NldevIds.GET);
        put(all, "RDMA_NLDEV_CMD_NEWLINK", NldevIds.NEW_LINK);
        put(all, "RDMA_NLDEV_CMD_DELLINK", NldevIds.DELETE_LINK);
        put(all, "RDMA_NLDEV_CMD_PORT_GET", NldevIds.PORT_GET);
        put(all, "RDMA_NLDEV_CMD_SYS_GET", NldevIds.SYSTEM_GET);
        put(all, "RDMA_NLDEV_CMD_RES_GET", NldevIds.RESOURCES_GET);
        put(all, "RDMA_NLDEV_CMD_GET_CHARDEV", NldevIds.CHARDEV_GET);
        put(all, "RDMA_NLDEV_CMD_RES_CTX_GET", NldevIds.CONTEXTS_GET);
        put(all, "RDMA_NLDEV_ATTR_DEV_INDEX", NldevIds.DEVICE_INDEX);
        put(all, "RDMA_NLDEV_ATTR_DEV_NAME", NldevIds.DEVICE_NAME);
        put(all, "RDMA_NLDEV_ATTR_PORT_INDEX", NldevIds.PORT_INDEX);
        put(all, "RDMA_NLDEV_ATTR_FW_VERSION", NldevIds.FIRMWARE_VERSION);
        put(all, "RDMA_NLDEV_ATTR_NODE_GUID", NldevIds.NODE_GUID);
        put(all, "RDMA_NLDEV_ATTR_PORT_STATE", NldevIds.PORT_STATE);
        put(all, "RDMA_NLDEV_ATTR_PORT_PHYS_STATE", NldevIds.PORT_PHYSICAL_STATE);
        put(all, "RDMA_NLDEV_ATTR_DEV_NODE_TYPE", NldevIds.NODE_TYPE);
        put(all, "RDMA_NLDEV_ATTR_RES_SUMMARY", NldevIds.RESOURCES);
        put(all, "RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY", NldevIds.RESOURCE);
        put(all, "RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME", NldevIds.RESOURCE_NAME);
        put(all, "RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR", NldevIds.RESOURCE_COUNT);
        put(all, "RDMA_NLDEV_ATTR_RES_PID", NldevIds.PROCESS);
        put(all, "RDMA_NLDEV_ATTR_NDEV_INDEX", NldevIds.NET_DEVICE_INDEX);
        put(all, "RDMA_NLDEV_ATTR_NDEV_NAME", NldevIds.NET_DEVICE_NAME);
        put(all, "RDMA_NLDEV_ATTR_LINK_TYPE", NldevIds.LINK_TYPE);
        put(all, "RDMA_NLDEV_ATTR_DEV_PROTOCOL", NldevIds.PROTOCOL);
        put(all, "RDMA_NLDEV_ATTR_CHARDEV_TYPE", NldevIds.CHARDEV_TYPE);
        put(all, "RDMA_NLDEV_ATTR_CHARDEV_NAME", NldevIds.CHARDEV_NAME);
        put(all, "RDMA_NLDEV_ATTR_CHARDEV_ABI", NldevIds.CHARDEV_ABI);
        put(all, "RDMA_NLDEV_ATTR_CHARDEV", NldevIds.CHARDEV_NUMBER);
        put(all, "RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID", NldevIds.DRIVER_ID);
        put(all, "RDMA_NLDEV_ATTR_RES_CTX", NldevIds.CONTEXTS);
        put(all, "RDMA_NLDEV_ATTR_RES_CTX_ENTRY", NldevIds.CONTEXT);
    }

    private static void put(Map<String, Long> all, String name, long value) {
        all.put(name, value);
    }
}
