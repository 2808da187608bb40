package dev.doorbell.libibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every offset that is written down in Java, as a C compiler has it from the installed headers. */
@Timeout(120)
class LayoutTest {
    private final Map<String, Long> known = new LinkedHashMap<>();

    private void field(String struct, String field, long offset) {
        known.put("(long)offsetof(struct %s, %s)".formatted(struct, field), offset);
    }

    private void size(String struct, long size) {
        known.put("(long)sizeof(struct %s)".formatted(struct), size);
    }

    private void extended(String field, long distance) {
        known.put(
                "(long)offsetof(struct verbs_context, %s) - (long)offsetof(struct verbs_context, context)"
                        .formatted(field),
                distance);
    }

    @Test
    void theCompilerAgrees() throws IOException, InterruptedException {
        Stub.library();
        objects();
        workRequests();
        attributes();

        assertThat(measured()).isEqualTo(known);
    }

    private void objects() {
        size("ibv_device", Heads.DEVICE_SIZE);
        field("ibv_device", "name", Heads.DEVICE_NAME);
        field("ibv_device", "dev_name", Heads.DEVICE_NODE_NAME);
        size("ibv_context", ContextStruct.SIZE);
        field("ibv_context", "ops", ContextStruct.OPS);
        field("ibv_context", "cmd_fd", ContextStruct.CMD_FD);
        field("ibv_context", "async_fd", ContextStruct.ASYNC_FD);
        field("ibv_context", "num_comp_vectors", ContextStruct.COMPLETION_VECTORS);
        field("ibv_context", "abi_compat", ContextStruct.ABI_COMPAT);
        field("ibv_context_ops", "alloc_mw", ContextStruct.ALLOC_MW);
        field("ibv_context_ops", "bind_mw", ContextStruct.BIND_MW);
        field("ibv_context_ops", "dealloc_mw", ContextStruct.DEALLOC_MW);
        field("ibv_context_ops", "poll_cq", ContextStruct.POLL_CQ);
        field("ibv_context_ops", "req_notify_cq", ContextStruct.REQ_NOTIFY_CQ);
        field("ibv_context_ops", "post_srq_recv", ContextStruct.POST_SRQ_RECV);
        field("ibv_context_ops", "post_send", ContextStruct.POST_SEND);
        field("ibv_context_ops", "post_recv", ContextStruct.POST_RECV);
        extended("sz", ContextStruct.EXTENDED_SIZE);
        extended("modify_cq", ContextStruct.MODIFY_CQ);
        extended("query_device_ex", ContextStruct.QUERY_DEVICE_EX);
        field("ibv_pd", "handle", Heads.PD_HANDLE);
        field("ibv_mr", "pd", Heads.PARENTS_SIZE - Long.BYTES);
        field("ibv_mw", "pd", Heads.PARENTS_SIZE - Long.BYTES);
        field("ibv_mr", "lkey", Heads.MR_LKEY);
        field("ibv_mr", "rkey", Heads.MR_RKEY);
        field("ibv_mw", "rkey", Heads.MW_RKEY);
        field("ibv_comp_channel", "fd", Heads.CHANNEL_FD);
        field("ibv_cq", "cq_context", Heads.CQ_COOKIE);
        field("ibv_cq", "handle", Heads.CQ_HANDLE);
        field("ibv_cq", "cqe", Heads.CQ_ENTRIES);
        field("ibv_qp", "qp_context", Heads.QP_COOKIE);
        field("ibv_qp", "handle", Heads.QP_HANDLE);
        field("ibv_qp", "qp_num", Heads.QP_NUMBER);
        field("ibv_qp", "qp_type", Heads.QP_TYPE);
        field("ibv_srq", "srq_context", Heads.SRQ_COOKIE);
        field("ibv_srq", "handle", Heads.SRQ_HANDLE);
    }

    private void workRequests() {
        size("ibv_send_wr", SendWr.SIZE);
        field("ibv_send_wr", "next", SendWr.NEXT);
        field("ibv_send_wr", "sg_list", SendWr.SG_LIST);
        field("ibv_send_wr", "num_sge", SendWr.NUM_SGE);
        field("ibv_send_wr", "opcode", SendWr.OPCODE);
        field("ibv_send_wr", "send_flags", SendWr.SEND_FLAGS);
        field("ibv_send_wr", "imm_data", SendWr.IMM_DATA);
        field("ibv_send_wr", "wr.rdma.remote_addr", SendWr.REMOTE_ADDR);
        field("ibv_send_wr", "wr.rdma.rkey", SendWr.RDMA_RKEY);
        field("ibv_send_wr", "wr.atomic.compare_add", SendWr.COMPARE_ADD);
        field("ibv_send_wr", "wr.atomic.swap", SendWr.SWAP);
        field("ibv_send_wr", "wr.atomic.rkey", SendWr.ATOMIC_RKEY);
        field("ibv_send_wr", "wr.ud.ah", SendWr.AH);
        field("ibv_send_wr", "wr.ud.remote_qpn", SendWr.REMOTE_QPN);
        field("ibv_send_wr", "wr.ud.remote_qkey", SendWr.REMOTE_QKEY);
        field("ibv_send_wr", "bind_mw.mw", SendWr.MW);
        field("ibv_send_wr", "bind_mw.rkey", SendWr.MW_RKEY);
        field("ibv_send_wr", "bind_mw.bind_info", SendWr.BIND_INFO);
        field("ibv_send_wr", "bind_mw.bind_info.addr", SendWr.BIND_ADDR);
        field("ibv_send_wr", "bind_mw.bind_info.length", SendWr.BIND_LENGTH);
        field("ibv_send_wr", "bind_mw.bind_info.mw_access_flags", SendWr.BIND_ACCESS);
        size("ibv_mw_bind_info", SendWr.BIND_INFO_SIZE);
        size("ibv_mw_bind", 48);
        field("ibv_mw_bind", "bind_info", 16);
        size("ibv_recv_wr", ReceiveWr.SIZE);
        field("ibv_recv_wr", "next", ReceiveWr.NEXT);
        field("ibv_recv_wr", "sg_list", ReceiveWr.SG_LIST);
        field("ibv_recv_wr", "num_sge", ReceiveWr.NUM_SGE);
        size("ibv_sge", Sge.SIZE);
        field("ibv_sge", "length", Sge.LENGTH);
        field("ibv_sge", "lkey", Sge.LKEY);
        size("ibv_wc", Wc.SIZE);
        field("ibv_wc", "status", Wc.STATUS);
        field("ibv_wc", "opcode", Wc.OPCODE);
        field("ibv_wc", "vendor_err", Wc.VENDOR_ERR);
        field("ibv_wc", "byte_len", Wc.BYTE_LEN);
        field("ibv_wc", "imm_data", Wc.IMM_DATA);
        field("ibv_wc", "qp_num", Wc.QP_NUM);
        field("ibv_wc", "src_qp", Wc.SRC_QP);
        field("ibv_wc", "wc_flags", Wc.WC_FLAGS);
        field("ibv_wc", "pkey_index", Wc.PKEY_INDEX);
        field("ibv_wc", "slid", Wc.SLID);
        field("ibv_wc", "sl", Wc.SL);
        field("ibv_wc", "dlid_path_bits", Wc.DLID_PATH_BITS);
    }

    private void attributes() {
        size("ibv_ah_attr", AhAttr.SIZE);
        field("ibv_ah_attr", "grh.flow_label", AhAttr.FLOW_LABEL);
        field("ibv_ah_attr", "grh.sgid_index", AhAttr.SGID_INDEX);
        field("ibv_ah_attr", "grh.hop_limit", AhAttr.HOP_LIMIT);
        field("ibv_ah_attr", "grh.traffic_class", AhAttr.TRAFFIC_CLASS);
        field("ibv_ah_attr", "dlid", AhAttr.DLID);
        field("ibv_ah_attr", "sl", AhAttr.SL);
        field("ibv_ah_attr", "src_path_bits", AhAttr.SRC_PATH_BITS);
        field("ibv_ah_attr", "static_rate", AhAttr.STATIC_RATE);
        field("ibv_ah_attr", "is_global", AhAttr.IS_GLOBAL);
        field("ibv_ah_attr", "port_num", AhAttr.PORT_NUM);
        size("ibv_qp_init_attr", QpInitAttr.SIZE);
        field("ibv_qp_init_attr", "send_cq", QpInitAttr.SEND_CQ);
        field("ibv_qp_init_attr", "recv_cq", QpInitAttr.RECV_CQ);
        field("ibv_qp_init_attr", "srq", QpInitAttr.SRQ);
        field("ibv_qp_init_attr", "cap.max_send_wr", QpInitAttr.MAX_SEND_WR);
        field("ibv_qp_init_attr", "cap.max_inline_data", QpInitAttr.MAX_INLINE_DATA);
        field("ibv_qp_init_attr", "qp_type", QpInitAttr.QP_TYPE);
        field("ibv_qp_init_attr", "sq_sig_all", QpInitAttr.SQ_SIG_ALL);
        size("ibv_qp_attr", QpAttr.SIZE);
        field("ibv_qp_attr", "path_mtu", QpAttr.PATH_MTU);
        field("ibv_qp_attr", "qkey", QpAttr.QKEY);
        field("ibv_qp_attr", "rq_psn", QpAttr.RQ_PSN);
        field("ibv_qp_attr", "sq_psn", QpAttr.SQ_PSN);
        field("ibv_qp_attr", "dest_qp_num", QpAttr.DEST_QP_NUM);
        field("ibv_qp_attr", "qp_access_flags", QpAttr.ACCESS_FLAGS);
        field("ibv_qp_attr", "ah_attr", QpAttr.AH_ATTR);
        field("ibv_qp_attr", "pkey_index", QpAttr.PKEY_INDEX);
        field("ibv_qp_attr", "en_sqd_async_notify", QpAttr.SQD_ASYNC_NOTIFY);
        field("ibv_qp_attr", "sq_draining", QpAttr.SQ_DRAINING);
        field("ibv_qp_attr", "max_rd_atomic", QpAttr.MAX_RD_ATOMIC);
        field("ibv_qp_attr", "max_dest_rd_atomic", QpAttr.MAX_DEST_RD_ATOMIC);
        field("ibv_qp_attr", "min_rnr_timer", QpAttr.MIN_RNR_TIMER);
        field("ibv_qp_attr", "port_num", QpAttr.PORT_NUM);
        field("ibv_qp_attr", "timeout", QpAttr.TIMEOUT);
        field("ibv_qp_attr", "retry_cnt", QpAttr.RETRY_CNT);
        field("ibv_qp_attr", "rnr_retry", QpAttr.RNR_RETRY);
        size("ibv_srq_init_attr", LibrarySharedReceiveQueue.INIT_SIZE);
        field("ibv_srq_init_attr", "attr", LibrarySharedReceiveQueue.INIT_ATTR);
        field("ibv_srq_attr", "max_sge", LibrarySharedReceiveQueue.MAX_SGE);
        field("ibv_srq_attr", "srq_limit", LibrarySharedReceiveQueue.LIMIT);
        field("ibv_port_attr", "max_msg_sz", PortAttr.MAX_MSG_SZ);
        field("ibv_port_attr", "pkey_tbl_len", PortAttr.PKEY_TBL_LEN);
        field("ibv_port_attr", "lid", PortAttr.LID);
        field("ibv_port_attr", "active_width", PortAttr.ACTIVE_WIDTH);
        field("ibv_port_attr", "phys_state", PortAttr.PHYS_STATE);
        field("ibv_port_attr", "link_layer", PortAttr.LINK_LAYER);
        deviceAttributes();
    }

    private void deviceAttributes() {
        size("ibv_device_attr", DeviceAttr.SIZE);
        field("ibv_device_attr", "node_guid", DeviceAttr.NODE_GUID);
        field("ibv_device_attr", "sys_image_guid", DeviceAttr.SYS_IMAGE_GUID);
        field("ibv_device_attr", "max_mr_size", DeviceAttr.MAX_MR_SIZE);
        field("ibv_device_attr", "page_size_cap", DeviceAttr.PAGE_SIZE_CAP);
        field("ibv_device_attr", "vendor_id", DeviceAttr.VENDOR_ID);
        field("ibv_device_attr", "max_qp", DeviceAttr.MAX_QP);
        field("ibv_device_attr", "device_cap_flags", DeviceAttr.DEVICE_CAP_FLAGS);
        field("ibv_device_attr", "max_sge", DeviceAttr.MAX_SGE);
        field("ibv_device_attr", "max_mr", DeviceAttr.MAX_MR);
        field("ibv_device_attr", "max_qp_rd_atom", DeviceAttr.MAX_QP_RD_ATOM);
        field("ibv_device_attr", "atomic_cap", DeviceAttr.ATOMIC_CAP);
        field("ibv_device_attr", "max_ee", DeviceAttr.MAX_EE);
        field("ibv_device_attr", "max_mw", DeviceAttr.MAX_MW);
        field("ibv_device_attr", "max_mcast_grp", DeviceAttr.MAX_MCAST_GRP);
        field("ibv_device_attr", "max_ah", DeviceAttr.MAX_AH);
        field("ibv_device_attr", "max_srq", DeviceAttr.MAX_SRQ);
        field("ibv_device_attr", "max_pkeys", DeviceAttr.MAX_PKEYS);
        field("ibv_device_attr", "local_ca_ack_delay", DeviceAttr.LOCAL_CA_ACK_DELAY);
        field("ibv_device_attr", "phys_port_cnt", DeviceAttr.PHYS_PORT_CNT);
        field("ibv_device_attr_ex", "odp_caps", DeviceAttr.ODP_CAPS);
        field("ibv_device_attr_ex", "completion_timestamp_mask", DeviceAttr.TIMESTAMP_MASK);
        field("ibv_device_attr_ex", "hca_core_clock", DeviceAttr.CORE_CLOCK);
        field("ibv_device_attr_ex", "device_cap_flags_ex", DeviceAttr.CAP_FLAGS_EX);
        field("ibv_device_attr_ex", "rss_caps.supported_qpts", DeviceAttr.RSS_CAPS);
        field("ibv_device_attr_ex", "max_wq_type_rq", DeviceAttr.MAX_WQ_TYPE_RQ);
        field("ibv_device_attr_ex", "raw_packet_caps", DeviceAttr.RAW_PACKET_CAPS);
        field("ibv_device_attr_ex", "tm_caps", DeviceAttr.TM_CAPS);
        field("ibv_device_attr_ex", "cq_mod_caps", DeviceAttr.CQ_MOD_CAPS);
        field("ibv_device_attr_ex", "max_dm_size", DeviceAttr.MAX_DM_SIZE);
        field("ibv_device_attr_ex", "xrc_odp_caps", DeviceAttr.XRC_ODP_CAPS);
    }

    /** What the compiler says of each expression. */
    private Map<String, Long> measured() throws IOException, InterruptedException {
        Path source = Path.of("target/stub/layout.c").toAbsolutePath();
        StringBuilder program = new StringBuilder(
                "#include <infiniband/verbs.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n");
        known.keySet()
                .forEach(expression -> program.append("  printf(\"%ld\\n\", ")
                        .append(expression)
                        .append(");\n"));
        Files.writeString(source, program.append("  return 0;\n}\n"));
        Path executable = source.resolveSibling("layout");
        Stub.compile(source, executable);
        String[] lines = output(executable.toString()).strip().split("\n", -1);
        Map<String, Long> measured = new LinkedHashMap<>();
        int next = 0;
        for (String expression : known.keySet()) {
            measured.put(expression, Long.parseLong(lines[next]));
            next++;
        }
        return measured;
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
