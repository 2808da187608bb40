package dev.doorbell.kernel.abi;

/** The accessors of addresses, paths, parameters and events of the connection manager. */
final class CmRecordAccessors {
    private CmRecordAccessors() {}

    static void addTo(Accessors all) {
        sockaddrIn(all);
        sockaddrIn6(all);
        ibUserPathRec(all);
        queryRouteResp(all);
        queryAddrResp(all);
        ibPathRecData(all);
        queryPathResp(all);
        connParam(all);
        udParam(all);
        ece(all);
        ibUverbsQpAttr(all);
        eventResp(all);
    }

    private static void sockaddrIn(Accessors all) {
        all.ints("sockaddr_in", "sin_family", SockaddrIn::family, SockaddrIn::setFamily);
        all.ints("sockaddr_in", "sin_port", SockaddrIn::port, SockaddrIn::setPort);
        all.ints("sockaddr_in", "sin_addr", SockaddrIn::address, SockaddrIn::setAddress);
    }

    private static void sockaddrIn6(Accessors all) {
        all.ints("sockaddr_in6", "sin6_family", SockaddrIn6::family, SockaddrIn6::setFamily);
        all.ints("sockaddr_in6", "sin6_port", SockaddrIn6::port, SockaddrIn6::setPort);
        all.ints("sockaddr_in6", "sin6_flowinfo", SockaddrIn6::flowInfo, SockaddrIn6::setFlowInfo);
        all.gids("sockaddr_in6", "sin6_addr", SockaddrIn6::address, SockaddrIn6::setAddress);
        all.ints("sockaddr_in6", "sin6_scope_id", SockaddrIn6::scopeId, SockaddrIn6::setScopeId);
    }

    private static void ibUserPathRec(Accessors all) {
        all.gids("ib_user_path_rec", "dgid", CmUserPathRecord::dgid, CmUserPathRecord::setDgid);
        all.gids("ib_user_path_rec", "sgid", CmUserPathRecord::sgid, CmUserPathRecord::setSgid);
        all.ints("ib_user_path_rec", "dlid", CmUserPathRecord::dlid, CmUserPathRecord::setDlid);
        all.ints("ib_user_path_rec", "slid", CmUserPathRecord::slid, CmUserPathRecord::setSlid);
        all.ints("ib_user_path_rec", "raw_traffic", CmUserPathRecord::rawTraffic, CmUserPathRecord::setRawTraffic);
        all.ints("ib_user_path_rec", "flow_label", CmUserPathRecord::flowLabel, CmUserPathRecord::setFlowLabel);
        all.ints("ib_user_path_rec", "reversible", CmUserPathRecord::reversible, CmUserPathRecord::setReversible);
        all.ints("ib_user_path_rec", "mtu", CmUserPathRecord::mtu, CmUserPathRecord::setMtu);
        all.ints("ib_user_path_rec", "pkey", CmUserPathRecord::pkey, CmUserPathRecord::setPkey);
        all.ints("ib_user_path_rec", "hop_limit", CmUserPathRecord::hopLimit, CmUserPathRecord::setHopLimit);
        all.ints(
                "ib_user_path_rec", "traffic_class", CmUserPathRecord::trafficClass, CmUserPathRecord::setTrafficClass);
        all.ints("ib_user_path_rec", "numb_path", CmUserPathRecord::numbPath, CmUserPathRecord::setNumbPath);
        all.ints("ib_user_path_rec", "sl", CmUserPathRecord::sl, CmUserPathRecord::setSl);
        all.ints("ib_user_path_rec", "mtu_selector", CmUserPathRecord::mtuSelector, CmUserPathRecord::setMtuSelector);
        all.ints(
                "ib_user_path_rec", "rate_selector", CmUserPathRecord::rateSelector, CmUserPathRecord::setRateSelector);
        all.ints("ib_user_path_rec", "rate", CmUserPathRecord::rate, CmUserPathRecord::setRate);
        all.ints(
                "ib_user_path_rec",
                "packet_life_time_selector",
                CmUserPathRecord::packetLifeTimeSelector,
                CmUserPathRecord::setPacketLifeTimeSelector);
        all.ints(
                "ib_user_path_rec",
                "packet_life_time",
                CmUserPathRecord::packetLifeTime,
                CmUserPathRecord::setPacketLifeTime);
        all.ints("ib_user_path_rec", "preference", CmUserPathRecord::preference, CmUserPathRecord::setPreference);
    }

    private static void queryRouteResp(Accessors all) {
        all.guids(
                "rdma_ucm_query_route_resp",
                "node_guid",
                CmQueryRouteResponse::nodeGuid,
                CmQueryRouteResponse::setNodeGuid);
        all.ints(
                "rdma_ucm_query_route_resp",
                "num_paths",
                CmQueryRouteResponse::numPaths,
                CmQueryRouteResponse::setNumPaths);
        all.ints(
                "rdma_ucm_query_route_resp",
                "port_num",
                CmQueryRouteResponse::portNum,
                CmQueryRouteResponse::setPortNum);
        all.ints(
                "rdma_ucm_query_route_resp",
                "ibdev_index",
                CmQueryRouteResponse::ibdevIndex,
                CmQueryRouteResponse::setIbdevIndex);
    }

    private static void queryAddrResp(Accessors all) {
        all.guids(
                "rdma_ucm_query_addr_resp",
                "node_guid",
                CmQueryAddrResponse::nodeGuid,
                CmQueryAddrResponse::setNodeGuid);
        all.ints("rdma_ucm_query_addr_resp", "port_num", CmQueryAddrResponse::portNum, CmQueryAddrResponse::setPortNum);
        all.ints("rdma_ucm_query_addr_resp", "pkey", CmQueryAddrResponse::pkey, CmQueryAddrResponse::setPkey);
        all.ints("rdma_ucm_query_addr_resp", "src_size", CmQueryAddrResponse::srcSize, CmQueryAddrResponse::setSrcSize);
        all.ints("rdma_ucm_query_addr_resp", "dst_size", CmQueryAddrResponse::dstSize, CmQueryAddrResponse::setDstSize);
        all.ints(
                "rdma_ucm_query_addr_resp",
                "ibdev_index",
                CmQueryAddrResponse::ibdevIndex,
                CmQueryAddrResponse::setIbdevIndex);
    }

    private static void ibPathRecData(Accessors all) {
        all.ints("ib_path_rec_data", "flags", CmPathRecordData::flags, CmPathRecordData::setFlags);
    }

    private static void queryPathResp(Accessors all) {
        all.ints(
                "rdma_ucm_query_path_resp",
                "num_paths",
                CmQueryPathResponse::numPaths,
                CmQueryPathResponse::setNumPaths);
    }

    private static void connParam(Accessors all) {
        all.ints("rdma_ucm_conn_param", "qp_num", CmConnectionParameters::qpNum, CmConnectionParameters::setQpNum);
        all.ints("rdma_ucm_conn_param", "qkey", CmConnectionParameters::qkey, CmConnectionParameters::setQkey);
        all.ints(
                "rdma_ucm_conn_param",
                "private_data_len",
                CmConnectionParameters::privateDataLen,
                CmConnectionParameters::setPrivateDataLen);
        all.ints("rdma_ucm_conn_param", "srq", CmConnectionParameters::srq, CmConnectionParameters::setSrq);
        all.ints(
                "rdma_ucm_conn_param",
                "responder_resources",
                CmConnectionParameters::responderResources,
                CmConnectionParameters::setResponderResources);
        all.ints(
                "rdma_ucm_conn_param",
                "initiator_depth",
                CmConnectionParameters::initiatorDepth,
                CmConnectionParameters::setInitiatorDepth);
        all.ints(
                "rdma_ucm_conn_param",
                "flow_control",
                CmConnectionParameters::flowControl,
                CmConnectionParameters::setFlowControl);
        all.ints(
                "rdma_ucm_conn_param",
                "retry_count",
                CmConnectionParameters::retryCount,
                CmConnectionParameters::setRetryCount);
        all.ints(
                "rdma_ucm_conn_param",
                "rnr_retry_count",
                CmConnectionParameters::rnrRetryCount,
                CmConnectionParameters::setRnrRetryCount);
        all.ints("rdma_ucm_conn_param", "valid", CmConnectionParameters::valid, CmConnectionParameters::setValid);
    }

    private static void udParam(Accessors all) {
        all.ints("rdma_ucm_ud_param", "qp_num", CmDatagramParameters::qpNum, CmDatagramParameters::setQpNum);
        all.ints("rdma_ucm_ud_param", "qkey", CmDatagramParameters::qkey, CmDatagramParameters::setQkey);
        all.ints(
                "rdma_ucm_ud_param",
                "private_data_len",
                CmDatagramParameters::privateDataLen,
                CmDatagramParameters::setPrivateDataLen);
    }

    private static void ece(Accessors all) {
        all.ints("rdma_ucm_ece", "vendor_id", CmEce::vendorId, CmEce::setVendorId);
        all.ints("rdma_ucm_ece", "attr_mod", CmEce::attrMod, CmEce::setAttrMod);
    }

    private static void ibUverbsQpAttr(Accessors all) {
        all.ints("ib_uverbs_qp_attr", "qp_attr_mask", CmQpAttributes::qpAttrMask, CmQpAttributes::setQpAttrMask);
        all.ints("ib_uverbs_qp_attr", "qp_state", CmQpAttributes::qpState, CmQpAttributes::setQpState);
        all.ints("ib_uverbs_qp_attr", "cur_qp_state", CmQpAttributes::curQpState, CmQpAttributes::setCurQpState);
        all.ints("ib_uverbs_qp_attr", "path_mtu", CmQpAttributes::pathMtu, CmQpAttributes::setPathMtu);
        all.ints("ib_uverbs_qp_attr", "path_mig_state", CmQpAttributes::pathMigState, CmQpAttributes::setPathMigState);
        all.ints("ib_uverbs_qp_attr", "qkey", CmQpAttributes::qkey, CmQpAttributes::setQkey);
        all.ints("ib_uverbs_qp_attr", "rq_psn", CmQpAttributes::rqPsn, CmQpAttributes::setRqPsn);
        all.ints("ib_uverbs_qp_attr", "sq_psn", CmQpAttributes::sqPsn, CmQpAttributes::setSqPsn);
        all.ints("ib_uverbs_qp_attr", "dest_qp_num", CmQpAttributes::destQpNum, CmQpAttributes::setDestQpNum);
        all.ints(
                "ib_uverbs_qp_attr",
                "qp_access_flags",
                CmQpAttributes::qpAccessFlags,
                CmQpAttributes::setQpAccessFlags);
        all.ints("ib_uverbs_qp_attr", "max_send_wr", CmQpAttributes::maxSendWr, CmQpAttributes::setMaxSendWr);
        all.ints("ib_uverbs_qp_attr", "max_recv_wr", CmQpAttributes::maxRecvWr, CmQpAttributes::setMaxRecvWr);
        all.ints("ib_uverbs_qp_attr", "max_send_sge", CmQpAttributes::maxSendSge, CmQpAttributes::setMaxSendSge);
        all.ints("ib_uverbs_qp_attr", "max_recv_sge", CmQpAttributes::maxRecvSge, CmQpAttributes::setMaxRecvSge);
        all.ints(
                "ib_uverbs_qp_attr",
                "max_inline_data",
                CmQpAttributes::maxInlineData,
                CmQpAttributes::setMaxInlineData);
        all.ints("ib_uverbs_qp_attr", "pkey_index", CmQpAttributes::pkeyIndex, CmQpAttributes::setPkeyIndex);
        all.ints("ib_uverbs_qp_attr", "alt_pkey_index", CmQpAttributes::altPkeyIndex, CmQpAttributes::setAltPkeyIndex);
        all.ints(
                "ib_uverbs_qp_attr",
                "en_sqd_async_notify",
                CmQpAttributes::enSqdAsyncNotify,
                CmQpAttributes::setEnSqdAsyncNotify);
        all.ints("ib_uverbs_qp_attr", "sq_draining", CmQpAttributes::sqDraining, CmQpAttributes::setSqDraining);
        all.ints("ib_uverbs_qp_attr", "max_rd_atomic", CmQpAttributes::maxRdAtomic, CmQpAttributes::setMaxRdAtomic);
        all.ints(
                "ib_uverbs_qp_attr",
                "max_dest_rd_atomic",
                CmQpAttributes::maxDestRdAtomic,
                CmQpAttributes::setMaxDestRdAtomic);
        all.ints("ib_uverbs_qp_attr", "min_rnr_timer", CmQpAttributes::minRnrTimer, CmQpAttributes::setMinRnrTimer);
        all.ints("ib_uverbs_qp_attr", "port_num", CmQpAttributes::portNum, CmQpAttributes::setPortNum);
        all.ints("ib_uverbs_qp_attr", "timeout", CmQpAttributes::timeout, CmQpAttributes::setTimeout);
        all.ints("ib_uverbs_qp_attr", "retry_cnt", CmQpAttributes::retryCnt, CmQpAttributes::setRetryCnt);
        all.ints("ib_uverbs_qp_attr", "rnr_retry", CmQpAttributes::rnrRetry, CmQpAttributes::setRnrRetry);
        all.ints("ib_uverbs_qp_attr", "alt_port_num", CmQpAttributes::altPortNum, CmQpAttributes::setAltPortNum);
        all.ints("ib_uverbs_qp_attr", "alt_timeout", CmQpAttributes::altTimeout, CmQpAttributes::setAltTimeout);
    }

    private static void eventResp(Accessors all) {
        all.longs("rdma_ucm_event_resp", "uid", CmEventRecord::uid, CmEventRecord::setUid);
        all.ints("rdma_ucm_event_resp", "id", CmEventRecord::id, CmEventRecord::setId);
        all.ints("rdma_ucm_event_resp", "event", CmEventRecord::event, CmEventRecord::setEvent);
        all.ints("rdma_ucm_event_resp", "status", CmEventRecord::status, CmEventRecord::setStatus);
    }
}
