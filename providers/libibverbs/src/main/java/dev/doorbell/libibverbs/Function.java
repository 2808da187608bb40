package dev.doorbell.libibverbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/**
 * The exported functions that are called, with their signatures: first what they return, then what they take. {@code P} is a
 * pointer or a 64-bit number, {@code I} a number of 32 bits or fewer.
 */
enum Function {
    GET_DEVICE_LIST("ibv_get_device_list", "PP"),
    FREE_DEVICE_LIST("ibv_free_device_list", "VP"),
    GET_DEVICE_GUID("ibv_get_device_guid", "PP"),
    OPEN_DEVICE("ibv_open_device", "PP"),
    CLOSE_DEVICE("ibv_close_device", "IP"),
    QUERY_DEVICE("ibv_query_device", "IPP"),
    QUERY_PORT("ibv_query_port", "IPIP"),
    ALLOC_PD("ibv_alloc_pd", "PP"),
    DEALLOC_PD("ibv_dealloc_pd", "IP"),
    REG_MR("ibv_reg_mr_iova2", "PPPPPI"),
    REREG_MR("ibv_rereg_mr", "IPIPPPI"),
    DEREG_MR("ibv_dereg_mr", "IP"),
    CREATE_COMP_CHANNEL("ibv_create_comp_channel", "PP"),
    DESTROY_COMP_CHANNEL("ibv_destroy_comp_channel", "IP"),
    GET_CQ_EVENT("ibv_get_cq_event", "IPPP"),
    ACK_CQ_EVENTS("ibv_ack_cq_events", "VPI"),
    CREATE_CQ("ibv_create_cq", "PPIPPI"),
    RESIZE_CQ("ibv_resize_cq", "IPI"),
    DESTROY_CQ("ibv_destroy_cq", "IP"),
    CREATE_SRQ("ibv_create_srq", "PPP"),
    MODIFY_SRQ("ibv_modify_srq", "IPPI"),
    QUERY_SRQ("ibv_query_srq", "IPP"),
    DESTROY_SRQ("ibv_destroy_srq", "IP"),
    CREATE_QP("ibv_create_qp", "PPP"),
    MODIFY_QP("ibv_modify_qp", "IPPI"),
    QUERY_QP("ibv_query_qp", "IPPIP"),
    DESTROY_QP("ibv_destroy_qp", "IP"),
    CREATE_AH("ibv_create_ah", "PPP"),
    DESTROY_AH("ibv_destroy_ah", "IP"),
    ATTACH_MCAST("ibv_attach_mcast", "IPPI"),
    DETACH_MCAST("ibv_detach_mcast", "IPPI"),
    GET_ASYNC_EVENT("ibv_get_async_event", "IPP"),
    ACK_ASYNC_EVENT("ibv_ack_async_event", "VP"),
    /** Not called: it came with rdma-core 44, and so says that the library is no older. */
    QUERY_QP_DATA_IN_ORDER("ibv_query_qp_data_in_order", "IPII");

    private final String symbol;
    private final String signature;

    Function(String symbol, String signature) {
        this.symbol = symbol;
        this.signature = signature;
    }

    /** Its name in C. */
    String symbol() {
        return symbol;
    }

    FunctionDescriptor descriptor() {
        MemoryLayout[] arguments =
                signature.substring(1).chars().mapToObj(Function::layout).toArray(MemoryLayout[]::new);
        char result = signature.charAt(0);
        return result == 'V' ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(layout(result), arguments);
    }

    private static MemoryLayout layout(int code) {
        return code == 'P' ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
    }
}
