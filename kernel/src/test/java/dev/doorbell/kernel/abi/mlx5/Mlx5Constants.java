package dev.doorbell.kernel.abi.mlx5;

import java.util.Map;
import java.util.TreeMap;

/** Every number that has a name here and in the headers of mlx5, by its name there. */
public final class Mlx5Constants {
    private Mlx5Constants() {}

    /** All of them. */
    public static Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        addCommands(all);
        addMethods(all);
        addQueues(all);
        return all;
    }

    private static void addCommands(Map<String, Long> all) {
        all.put("MLX5_QP_FLAG_SIGNATURE", (long) Mlx5CreateQp.SIGNATURE);
        all.put("MLX5_QP_FLAG_SCATTER_CQE", (long) Mlx5CreateQp.SCATTER_TO_CQE);
        all.put("MLX5_QP_FLAG_BFREG_INDEX", (long) Mlx5CreateQp.NAMES_REGISTER);
        all.put("MLX5_QP_FLAG_UAR_PAGE_INDEX", (long) Mlx5CreateQp.NAMES_REGISTER_PAGE);
        all.put("MLX5_LIB_CAP_4K_UAR", Mlx5GetContext.SMALL_PAGES);
        all.put("MLX5_LIB_CAP_DYN_UAR", Mlx5GetContext.DYNAMIC_PAGES);
        all.put("MLX5_IB_ALLOC_UCTX_DEVX", (long) Mlx5GetContext.DEVX);
        all.put("MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET", (long) Mlx5GetContextResponse.HAS_CLOCK);
        all.put("MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY", (long) Mlx5GetContextResponse.HAS_FILL_KEY);
        all.put("MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_ECE", (long) Mlx5GetContextResponse.HAS_ECE);
        all.put("MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE", (long) Mlx5GetContextResponse.QUERY_DEVICE_ANSWERS);
        all.put("MLX5_USER_CMDS_SUPP_UHW_CREATE_AH", (long) Mlx5GetContextResponse.CREATE_AH_ANSWERS);
        all.put("MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX", (long) Mlx5CreateCq.NAMES_REGISTER_PAGE);
        all.put("MLX5_IB_MMAP_REGULAR_PAGE", (long) MappingOffset.REGULAR);
        all.put("MLX5_IB_MMAP_WC_PAGE", (long) MappingOffset.WRITE_COMBINING);
        all.put("MLX5_IB_MMAP_NC_PAGE", (long) MappingOffset.NON_CACHED);
        all.put("MLX5_IB_MMAP_CORE_CLOCK", (long) MappingOffset.CLOCK);
        all.put("MLX5_IB_MMAP_ALLOC_WC", (long) MappingOffset.ALLOCATE_WRITE_COMBINING);
        all.put("MLX5_IB_MMAP_CLOCK_INFO", (long) MappingOffset.CLOCK_INFO);
    }

    private static void addMethods(Map<String, Long> all) {
        all.put("MLX5_IB_OBJECT_DEVX", (long) Mlx5IoctlIds.OBJECT_DEVX);
        all.put("MLX5_IB_METHOD_DEVX_OTHER", (long) Mlx5IoctlIds.DEVX_OTHER);
        all.put("MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", (long) Mlx5IoctlIds.DEVX_OTHER_IN);
        all.put("MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT", (long) Mlx5IoctlIds.DEVX_OTHER_OUT);
        all.put("MLX5_IB_OBJECT_UAR", (long) Mlx5IoctlIds.OBJECT_UAR);
        all.put("MLX5_IB_METHOD_UAR_OBJ_ALLOC", (long) Mlx5IoctlIds.UAR_ALLOC);
        all.put("MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE", (long) Mlx5IoctlIds.UAR_ALLOC_HANDLE);
        all.put("MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE", (long) Mlx5IoctlIds.UAR_ALLOC_TYPE);
        all.put("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET", (long) Mlx5IoctlIds.UAR_ALLOC_MMAP_OFFSET);
        all.put("MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH", (long) Mlx5IoctlIds.UAR_ALLOC_MMAP_LENGTH);
        all.put("MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID", (long) Mlx5IoctlIds.UAR_ALLOC_PAGE_ID);
        all.put("MLX5_IB_METHOD_UAR_OBJ_DESTROY", (long) Mlx5IoctlIds.UAR_DESTROY);
        all.put("MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE", (long) Mlx5IoctlIds.UAR_DESTROY_HANDLE);
        all.put("MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF", (long) Mlx5IoctlIds.UAR_BLUE_FLAME);
        all.put("MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC", (long) Mlx5IoctlIds.UAR_NON_CACHED);
    }

    private static void addQueues(Map<String, Long> all) {
        all.put("MLX5_OPCODE_NOP", (long) WqeOpcode.NOP);
        all.put("MLX5_OPCODE_SEND_INVAL", (long) WqeOpcode.SEND_INVALIDATE);
        all.put("MLX5_OPCODE_RDMA_WRITE", (long) WqeOpcode.RDMA_WRITE);
        all.put("MLX5_OPCODE_RDMA_WRITE_IMM", (long) WqeOpcode.RDMA_WRITE_IMMEDIATE);
        all.put("MLX5_OPCODE_SEND", (long) WqeOpcode.SEND);
        all.put("MLX5_OPCODE_SEND_IMM", (long) WqeOpcode.SEND_IMMEDIATE);
        all.put("MLX5_OPCODE_RDMA_READ", (long) WqeOpcode.RDMA_READ);
        all.put("MLX5_OPCODE_ATOMIC_CS", (long) WqeOpcode.COMPARE_AND_SWAP);
        all.put("MLX5_OPCODE_ATOMIC_FA", (long) WqeOpcode.FETCH_AND_ADD);
        all.put("MLX5_OPCODE_UMR", (long) WqeOpcode.UMR);
        all.put("MLX5_CQE_REQ", (long) CqeOpcode.REQUEST);
        all.put("MLX5_CQE_RESP_WR_IMM", (long) CqeOpcode.RECEIVED_WRITE_IMMEDIATE);
        all.put("MLX5_CQE_RESP_SEND", (long) CqeOpcode.RECEIVED_SEND);
        all.put("MLX5_CQE_RESP_SEND_IMM", (long) CqeOpcode.RECEIVED_SEND_IMMEDIATE);
        all.put("MLX5_CQE_RESP_SEND_INV", (long) CqeOpcode.RECEIVED_SEND_INVALIDATE);
        all.put("MLX5_CQE_RESIZE_CQ", (long) CqeOpcode.RESIZE);
        all.put("MLX5_CQE_REQ_ERR", (long) CqeOpcode.REQUEST_ERROR);
        all.put("MLX5_CQE_RESP_ERR", (long) CqeOpcode.RESPONSE_ERROR);
        all.put("MLX5_CQE_INVALID", (long) CqeOpcode.INVALID);
        all.put("MLX5_CQE_OWNER_MASK", (long) Cqe.OWNER);
        all.put("MLX5_INLINE_SCATTER_32", (long) Cqe.DATA_32);
        all.put("MLX5_INLINE_SCATTER_64", (long) Cqe.DATA_64);
        all.put("MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR", (long) Syndrome.LOCAL_LENGTH);
        all.put("MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR", (long) Syndrome.LOCAL_QP_OPERATION);
        all.put("MLX5_CQE_SYNDROME_LOCAL_PROT_ERR", (long) Syndrome.LOCAL_PROTECTION);
        all.put("MLX5_CQE_SYNDROME_WR_FLUSH_ERR", (long) Syndrome.FLUSHED);
        all.put("MLX5_CQE_SYNDROME_MW_BIND_ERR", (long) Syndrome.WINDOW_BIND);
        all.put("MLX5_CQE_SYNDROME_BAD_RESP_ERR", (long) Syndrome.BAD_RESPONSE);
        all.put("MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR", (long) Syndrome.LOCAL_ACCESS);
        all.put("MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR", (long) Syndrome.REMOTE_INVALID_REQUEST);
        all.put("MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR", (long) Syndrome.REMOTE_ACCESS);
        all.put("MLX5_CQE_SYNDROME_REMOTE_OP_ERR", (long) Syndrome.REMOTE_OPERATION);
        all.put("MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR", (long) Syndrome.TRANSPORT_RETRIES);
        all.put("MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR", (long) Syndrome.RNR_RETRIES);
        all.put("MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR", (long) Syndrome.REMOTE_ABORTED);
        all.put("MLX5_WQE_CTRL_CQ_UPDATE", (long) ControlSegment.COMPLETION);
        all.put("MLX5_WQE_CTRL_SOLICITED", (long) ControlSegment.SOLICITED);
        all.put("MLX5_WQE_CTRL_FENCE", (long) ControlSegment.FENCE);
        all.put("MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE", (long) ControlSegment.SMALL_FENCE);
        all.put("MLX5_SEND_WQE_BB", (long) ControlSegment.BLOCK);
        all.put("MLX5_INLINE_SEG", Integer.toUnsignedLong(InlineSegment.MARK));
        all.put("MLX5_INVALID_LKEY", (long) DataSegment.NO_KEY);
        all.put("MLX5_EXTENDED_UD_AV", Integer.toUnsignedLong(DatagramSegment.EXTENDED));
        all.put("MLX5_RCV_DBR", (long) DoorbellRecord.RECEIVE / Integer.BYTES);
        all.put("MLX5_SND_DBR", (long) DoorbellRecord.SEND / Integer.BYTES);
    }
}
