package dev.doorbell.kernel.abi;

/** The accessors of the commands for queue pairs. */
final class QueuePairAccessors {
    private QueuePairAccessors() {}

    static void addTo(Accessors all) {
        destroyCq(all);
        destroyCqResponse(all);
        createQp(all);
        createQpResponse(all);
        qpDestination(all);
        modifyQp(all);
        queryQp(all);
        queryQpResponse(all);
        destroyQp(all);
        destroyQpResponse(all);
        destroyAh(all);
        destroySrq(all);
        destroySrqResponse(all);
        qpCap(all);
    }

    private static void destroyCq(Accessors all) {
        all.longs("ib_uverbs_destroy_cq", "response", DestroyCq::response, DestroyCq::setResponse);
        all.ints("ib_uverbs_destroy_cq", "cq_handle", DestroyCq::cqHandle, DestroyCq::setCqHandle);
    }

    private static void destroyCqResponse(Accessors all) {
        all.ints(
                "ib_uverbs_destroy_cq_resp",
                "comp_events_reported",
                DestroyCqResponse::compEventsReported,
                DestroyCqResponse::setCompEventsReported);
        all.ints(
                "ib_uverbs_destroy_cq_resp",
                "async_events_reported",
                DestroyCqResponse::asyncEventsReported,
                DestroyCqResponse::setAsyncEventsReported);
    }

    private static void createQp(Accessors all) {
        all.longs("ib_uverbs_create_qp", "response", CreateQp::response, CreateQp::setResponse);
        all.longs("ib_uverbs_create_qp", "user_handle", CreateQp::userHandle, CreateQp::setUserHandle);
        all.ints("ib_uverbs_create_qp", "pd_handle", CreateQp::pdHandle, CreateQp::setPdHandle);
        all.ints("ib_uverbs_create_qp", "send_cq_handle", CreateQp::sendCqHandle, CreateQp::setSendCqHandle);
        all.ints("ib_uverbs_create_qp", "recv_cq_handle", CreateQp::recvCqHandle, CreateQp::setRecvCqHandle);
        all.ints("ib_uverbs_create_qp", "srq_handle", CreateQp::srqHandle, CreateQp::setSrqHandle);
        all.ints("ib_uverbs_create_qp", "max_send_wr", CreateQp::maxSendWr, CreateQp::setMaxSendWr);
        all.ints("ib_uverbs_create_qp", "max_recv_wr", CreateQp::maxRecvWr, CreateQp::setMaxRecvWr);
        all.ints("ib_uverbs_create_qp", "max_send_sge", CreateQp::maxSendSge, CreateQp::setMaxSendSge);
        all.ints("ib_uverbs_create_qp", "max_recv_sge", CreateQp::maxRecvSge, CreateQp::setMaxRecvSge);
        all.ints("ib_uverbs_create_qp", "max_inline_data", CreateQp::maxInlineData, CreateQp::setMaxInlineData);
        all.ints("ib_uverbs_create_qp", "sq_sig_all", CreateQp::sqSigAll, CreateQp::setSqSigAll);
        all.ints("ib_uverbs_create_qp", "qp_type", CreateQp::qpType, CreateQp::setQpType);
        all.ints("ib_uverbs_create_qp", "is_srq", CreateQp::isSrq, CreateQp::setIsSrq);
    }

    private static void createQpResponse(Accessors all) {
        all.ints("ib_uverbs_create_qp_resp", "qp_handle", CreateQpResponse::qpHandle, CreateQpResponse::setQpHandle);
        all.ints("ib_uverbs_create_qp_resp", "qpn", CreateQpResponse::qpn, CreateQpResponse::setQpn);
        all.ints(
                "ib_uverbs_create_qp_resp", "max_send_wr", CreateQpResponse::maxSendWr, CreateQpResponse::setMaxSendWr);
        all.ints(
                "ib_uverbs_create_qp_resp", "max_recv_wr", CreateQpResponse::maxRecvWr, CreateQpResponse::setMaxRecvWr);
        all.ints(
                "ib_uverbs_create_qp_resp",
                "max_send_sge",
                CreateQpResponse::maxSendSge,
                CreateQpResponse::setMaxSendSge);
        all.ints(
                "ib_uverbs_create_qp_resp",
                "max_recv_sge",
                CreateQpResponse::maxRecvSge,
                CreateQpResponse::setMaxRecvSge);
        all.ints(
                "ib_uverbs_create_qp_resp",
                "max_inline_data",
                CreateQpResponse::maxInlineData,
                CreateQpResponse::setMaxInlineData);
    }

    private static void qpDestination(Accessors all) {
        all.gids("ib_uverbs_qp_dest", "dgid", QpDestination::dgid, QpDestination::setDgid);
        all.ints("ib_uverbs_qp_dest", "flow_label", QpDestination::flowLabel, QpDestination::setFlowLabel);
        all.ints("ib_uverbs_qp_dest", "dlid", QpDestination::dlid, QpDestination::setDlid);
        all.ints("ib_uverbs_qp_dest", "sgid_index", QpDestination::sgidIndex, QpDestination::setSgidIndex);
        all.ints("ib_uverbs_qp_dest", "hop_limit", QpDestination::hopLimit, QpDestination::setHopLimit);
        all.ints("ib_uverbs_qp_dest", "traffic_class", QpDestination::trafficClass, QpDestination::setTrafficClass);
        all.ints("ib_uverbs_qp_dest", "sl", QpDestination::sl, QpDestination::setSl);
        all.ints("ib_uverbs_qp_dest", "src_path_bits", QpDestination::srcPathBits, QpDestination::setSrcPathBits);
        all.ints("ib_uverbs_qp_dest", "static_rate", QpDestination::staticRate, QpDestination::setStaticRate);
        all.ints("ib_uverbs_qp_dest", "is_global", QpDestination::isGlobal, QpDestination::setIsGlobal);
        all.ints("ib_uverbs_qp_dest", "port_num", QpDestination::portNum, QpDestination::setPortNum);
    }

    private static void modifyQp(Accessors all) {
        all.ints("ib_uverbs_modify_qp", "qp_handle", ModifyQp::qpHandle, ModifyQp::setQpHandle);
        all.ints("ib_uverbs_modify_qp", "attr_mask", ModifyQp::attrMask, ModifyQp::setAttrMask);
        all.ints("ib_uverbs_modify_qp", "qkey", ModifyQp::qkey, ModifyQp::setQkey);
        all.ints("ib_uverbs_modify_qp", "rq_psn", ModifyQp::rqPsn, ModifyQp::setRqPsn);
        all.ints("ib_uverbs_modify_qp", "sq_psn", ModifyQp::sqPsn, ModifyQp::setSqPsn);
        all.ints("ib_uverbs_modify_qp", "dest_qp_num", ModifyQp::destQpNum, ModifyQp::setDestQpNum);
        all.ints("ib_uverbs_modify_qp", "qp_access_flags", ModifyQp::qpAccessFlags, ModifyQp::setQpAccessFlags);
        all.ints("ib_uverbs_modify_qp", "pkey_index", ModifyQp::pkeyIndex, ModifyQp::setPkeyIndex);
        all.ints("ib_uverbs_modify_qp", "alt_pkey_index", ModifyQp::altPkeyIndex, ModifyQp::setAltPkeyIndex);
        all.ints("ib_uverbs_modify_qp", "qp_state", ModifyQp::qpState, ModifyQp::setQpState);
        all.ints("ib_uverbs_modify_qp", "cur_qp_state", ModifyQp::curQpState, ModifyQp::setCurQpState);
        all.ints("ib_uverbs_modify_qp", "path_mtu", ModifyQp::pathMtu, ModifyQp::setPathMtu);
        all.ints("ib_uverbs_modify_qp", "path_mig_state", ModifyQp::pathMigState, ModifyQp::setPathMigState);
        all.ints(
                "ib_uverbs_modify_qp",
                "en_sqd_async_notify",
                ModifyQp::enSqdAsyncNotify,
                ModifyQp::setEnSqdAsyncNotify);
        all.ints("ib_uverbs_modify_qp", "max_rd_atomic", ModifyQp::maxRdAtomic, ModifyQp::setMaxRdAtomic);
        all.ints("ib_uverbs_modify_qp", "max_dest_rd_atomic", ModifyQp::maxDestRdAtomic, ModifyQp::setMaxDestRdAtomic);
        all.ints("ib_uverbs_modify_qp", "min_rnr_timer", ModifyQp::minRnrTimer, ModifyQp::setMinRnrTimer);
        all.ints("ib_uverbs_modify_qp", "port_num", ModifyQp::portNum, ModifyQp::setPortNum);
        all.ints("ib_uverbs_modify_qp", "timeout", ModifyQp::timeout, ModifyQp::setTimeout);
        all.ints("ib_uverbs_modify_qp", "retry_cnt", ModifyQp::retryCnt, ModifyQp::setRetryCnt);
        all.ints("ib_uverbs_modify_qp", "rnr_retry", ModifyQp::rnrRetry, ModifyQp::setRnrRetry);
        all.ints("ib_uverbs_modify_qp", "alt_port_num", ModifyQp::altPortNum, ModifyQp::setAltPortNum);
        all.ints("ib_uverbs_modify_qp", "alt_timeout", ModifyQp::altTimeout, ModifyQp::setAltTimeout);
    }

    private static void queryQp(Accessors all) {
        all.longs("ib_uverbs_query_qp", "response", QueryQp::response, QueryQp::setResponse);
        all.ints("ib_uverbs_query_qp", "qp_handle", QueryQp::qpHandle, QueryQp::setQpHandle);
        all.ints("ib_uverbs_query_qp", "attr_mask", QueryQp::attrMask, QueryQp::setAttrMask);
    }

    private static void queryQpResponse(Accessors all) {
        all.ints("ib_uverbs_query_qp_resp", "max_send_wr", QueryQpResponse::maxSendWr, QueryQpResponse::setMaxSendWr);
        all.ints("ib_uverbs_query_qp_resp", "max_recv_wr", QueryQpResponse::maxRecvWr, QueryQpResponse::setMaxRecvWr);
        all.ints(
                "ib_uverbs_query_qp_resp", "max_send_sge", QueryQpResponse::maxSendSge, QueryQpResponse::setMaxSendSge);
        all.ints(
                "ib_uverbs_query_qp_resp", "max_recv_sge", QueryQpResponse::maxRecvSge, QueryQpResponse::setMaxRecvSge);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "max_inline_data",
                QueryQpResponse::maxInlineData,
                QueryQpResponse::setMaxInlineData);
        all.ints("ib_uverbs_query_qp_resp", "qkey", QueryQpResponse::qkey, QueryQpResponse::setQkey);
        all.ints("ib_uverbs_query_qp_resp", "rq_psn", QueryQpResponse::rqPsn, QueryQpResponse::setRqPsn);
        all.ints("ib_uverbs_query_qp_resp", "sq_psn", QueryQpResponse::sqPsn, QueryQpResponse::setSqPsn);
        all.ints("ib_uverbs_query_qp_resp", "dest_qp_num", QueryQpResponse::destQpNum, QueryQpResponse::setDestQpNum);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "qp_access_flags",
                QueryQpResponse::qpAccessFlags,
                QueryQpResponse::setQpAccessFlags);
        all.ints("ib_uverbs_query_qp_resp", "pkey_index", QueryQpResponse::pkeyIndex, QueryQpResponse::setPkeyIndex);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "alt_pkey_index",
                QueryQpResponse::altPkeyIndex,
                QueryQpResponse::setAltPkeyIndex);
        all.ints("ib_uverbs_query_qp_resp", "qp_state", QueryQpResponse::qpState, QueryQpResponse::setQpState);
        all.ints(
                "ib_uverbs_query_qp_resp", "cur_qp_state", QueryQpResponse::curQpState, QueryQpResponse::setCurQpState);
        all.ints("ib_uverbs_query_qp_resp", "path_mtu", QueryQpResponse::pathMtu, QueryQpResponse::setPathMtu);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "path_mig_state",
                QueryQpResponse::pathMigState,
                QueryQpResponse::setPathMigState);
        all.ints("ib_uverbs_query_qp_resp", "sq_draining", QueryQpResponse::sqDraining, QueryQpResponse::setSqDraining);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "max_rd_atomic",
                QueryQpResponse::maxRdAtomic,
                QueryQpResponse::setMaxRdAtomic);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "max_dest_rd_atomic",
                QueryQpResponse::maxDestRdAtomic,
                QueryQpResponse::setMaxDestRdAtomic);
        all.ints(
                "ib_uverbs_query_qp_resp",
                "min_rnr_timer",
                QueryQpResponse::minRnrTimer,
                QueryQpResponse::setMinRnrTimer);
        all.ints("ib_uverbs_query_qp_resp", "port_num", QueryQpResponse::portNum, QueryQpResponse::setPortNum);
        all.ints("ib_uverbs_query_qp_resp", "timeout", QueryQpResponse::timeout, QueryQpResponse::setTimeout);
        all.ints("ib_uverbs_query_qp_resp", "retry_cnt", QueryQpResponse::retryCnt, QueryQpResponse::setRetryCnt);
        all.ints("ib_uverbs_query_qp_resp", "rnr_retry", QueryQpResponse::rnrRetry, QueryQpResponse::setRnrRetry);
        all.ints(
                "ib_uverbs_query_qp_resp", "alt_port_num", QueryQpResponse::altPortNum, QueryQpResponse::setAltPortNum);
        all.ints("ib_uverbs_query_qp_resp", "alt_timeout", QueryQpResponse::altTimeout, QueryQpResponse::setAltTimeout);
        all.ints("ib_uverbs_query_qp_resp", "sq_sig_all", QueryQpResponse::sqSigAll, QueryQpResponse::setSqSigAll);
    }

    private static void destroyQp(Accessors all) {
        all.longs("ib_uverbs_destroy_qp", "response", DestroyQp::response, DestroyQp::setResponse);
        all.ints("ib_uverbs_destroy_qp", "qp_handle", DestroyQp::qpHandle, DestroyQp::setQpHandle);
    }

    private static void destroyQpResponse(Accessors all) {
        all.ints(
                "ib_uverbs_destroy_qp_resp",
                "events_reported",
                DestroyQpResponse::eventsReported,
                DestroyQpResponse::setEventsReported);
    }

    private static void destroyAh(Accessors all) {
        all.ints("ib_uverbs_destroy_ah", "ah_handle", DestroyAh::ahHandle, DestroyAh::setAhHandle);
    }

    private static void destroySrq(Accessors all) {
        all.longs("ib_uverbs_destroy_srq", "response", DestroySrq::response, DestroySrq::setResponse);
        all.ints("ib_uverbs_destroy_srq", "srq_handle", DestroySrq::srqHandle, DestroySrq::setSrqHandle);
    }

    private static void destroySrqResponse(Accessors all) {
        all.ints(
                "ib_uverbs_destroy_srq_resp",
                "events_reported",
                DestroySrqResponse::eventsReported,
                DestroySrqResponse::setEventsReported);
    }

    private static void qpCap(Accessors all) {
        all.ints("ib_uverbs_qp_cap", "max_send_wr", QpCap::maxSendWr, QpCap::setMaxSendWr);
        all.ints("ib_uverbs_qp_cap", "max_recv_wr", QpCap::maxRecvWr, QpCap::setMaxRecvWr);
        all.ints("ib_uverbs_qp_cap", "max_send_sge", QpCap::maxSendSge, QpCap::setMaxSendSge);
        all.ints("ib_uverbs_qp_cap", "max_recv_sge", QpCap::maxRecvSge, QpCap::setMaxRecvSge);
        all.ints("ib_uverbs_qp_cap", "max_inline_data", QpCap::maxInlineData, QpCap::setMaxInlineData);
    }
}
