package dev.doorbell.kernel.abi;

/** The accessors of connection manager commands. */
final class CmAccessors {
    private CmAccessors() {}

    static void addTo(Accessors all) {
        cmdHdr(all);
        createId(all);
        createIdResp(all);
        destroyId(all);
        destroyIdResp(all);
        bindIp(all);
        bind(all);
        resolveIp(all);
        resolveAddr(all);
        resolveRoute(all);
        query(all);
        connect(all);
        listen(all);
        accept(all);
        reject(all);
        disconnect(all);
        initQpAttr(all);
        notify(all);
        joinIpMcast(all);
        joinMcast(all);
        getEvent(all);
        setOption(all);
        migrateId(all);
        migrateResp(all);
    }

    private static void cmdHdr(Accessors all) {
        all.ints("rdma_ucm_cmd_hdr", "cmd", CmHeader::cmd, CmHeader::setCmd);
        all.ints("rdma_ucm_cmd_hdr", "in", CmHeader::in, CmHeader::setIn);
        all.ints("rdma_ucm_cmd_hdr", "out", CmHeader::out, CmHeader::setOut);
    }

    private static void createId(Accessors all) {
        all.longs("rdma_ucm_create_id", "uid", CmCreateId::uid, CmCreateId::setUid);
        all.longs("rdma_ucm_create_id", "response", CmCreateId::response, CmCreateId::setResponse);
        all.ints("rdma_ucm_create_id", "ps", CmCreateId::ps, CmCreateId::setPs);
        all.ints("rdma_ucm_create_id", "qp_type", CmCreateId::qpType, CmCreateId::setQpType);
    }

    private static void createIdResp(Accessors all) {
        all.ints("rdma_ucm_create_id_resp", "id", CmCreateIdResponse::id, CmCreateIdResponse::setId);
    }

    private static void destroyId(Accessors all) {
        all.longs("rdma_ucm_destroy_id", "response", CmDestroyId::response, CmDestroyId::setResponse);
        all.ints("rdma_ucm_destroy_id", "id", CmDestroyId::id, CmDestroyId::setId);
    }

    private static void destroyIdResp(Accessors all) {
        all.ints(
                "rdma_ucm_destroy_id_resp",
                "events_reported",
                CmDestroyIdResponse::eventsReported,
                CmDestroyIdResponse::setEventsReported);
    }

    private static void bindIp(Accessors all) {
        all.longs("rdma_ucm_bind_ip", "response", CmBindIp::response, CmBindIp::setResponse);
        all.ints("rdma_ucm_bind_ip", "id", CmBindIp::id, CmBindIp::setId);
    }

    private static void bind(Accessors all) {
        all.ints("rdma_ucm_bind", "id", CmBind::id, CmBind::setId);
        all.ints("rdma_ucm_bind", "addr_size", CmBind::addrSize, CmBind::setAddrSize);
    }

    private static void resolveIp(Accessors all) {
        all.ints("rdma_ucm_resolve_ip", "id", CmResolveIp::id, CmResolveIp::setId);
        all.ints("rdma_ucm_resolve_ip", "timeout_ms", CmResolveIp::timeoutMs, CmResolveIp::setTimeoutMs);
    }

    private static void resolveAddr(Accessors all) {
        all.ints("rdma_ucm_resolve_addr", "id", CmResolveAddr::id, CmResolveAddr::setId);
        all.ints("rdma_ucm_resolve_addr", "timeout_ms", CmResolveAddr::timeoutMs, CmResolveAddr::setTimeoutMs);
        all.ints("rdma_ucm_resolve_addr", "src_size", CmResolveAddr::srcSize, CmResolveAddr::setSrcSize);
        all.ints("rdma_ucm_resolve_addr", "dst_size", CmResolveAddr::dstSize, CmResolveAddr::setDstSize);
    }

    private static void resolveRoute(Accessors all) {
        all.ints("rdma_ucm_resolve_route", "id", CmResolveRoute::id, CmResolveRoute::setId);
        all.ints("rdma_ucm_resolve_route", "timeout_ms", CmResolveRoute::timeoutMs, CmResolveRoute::setTimeoutMs);
    }

    private static void query(Accessors all) {
        all.longs("rdma_ucm_query", "response", CmQuery::response, CmQuery::setResponse);
        all.ints("rdma_ucm_query", "id", CmQuery::id, CmQuery::setId);
        all.ints("rdma_ucm_query", "option", CmQuery::option, CmQuery::setOption);
    }

    private static void connect(Accessors all) {
        all.ints("rdma_ucm_connect", "id", CmConnect::id, CmConnect::setId);
    }

    private static void listen(Accessors all) {
        all.ints("rdma_ucm_listen", "id", CmListen::id, CmListen::setId);
        all.ints("rdma_ucm_listen", "backlog", CmListen::backlog, CmListen::setBacklog);
    }

    private static void accept(Accessors all) {
        all.longs("rdma_ucm_accept", "uid", CmAccept::uid, CmAccept::setUid);
        all.ints("rdma_ucm_accept", "id", CmAccept::id, CmAccept::setId);
    }

    private static void reject(Accessors all) {
        all.ints("rdma_ucm_reject", "id", CmReject::id, CmReject::setId);
        all.ints("rdma_ucm_reject", "private_data_len", CmReject::privateDataLen, CmReject::setPrivateDataLen);
        all.ints("rdma_ucm_reject", "reason", CmReject::reason, CmReject::setReason);
    }

    private static void disconnect(Accessors all) {
        all.ints("rdma_ucm_disconnect", "id", CmDisconnect::id, CmDisconnect::setId);
    }

    private static void initQpAttr(Accessors all) {
        all.longs("rdma_ucm_init_qp_attr", "response", CmInitQpAttr::response, CmInitQpAttr::setResponse);
        all.ints("rdma_ucm_init_qp_attr", "id", CmInitQpAttr::id, CmInitQpAttr::setId);
        all.ints("rdma_ucm_init_qp_attr", "qp_state", CmInitQpAttr::qpState, CmInitQpAttr::setQpState);
    }

    private static void notify(Accessors all) {
        all.ints("rdma_ucm_notify", "id", CmNotify::id, CmNotify::setId);
        all.ints("rdma_ucm_notify", "event", CmNotify::event, CmNotify::setEvent);
    }

    private static void joinIpMcast(Accessors all) {
        all.longs("rdma_ucm_join_ip_mcast", "response", CmJoinIpMcast::response, CmJoinIpMcast::setResponse);
        all.longs("rdma_ucm_join_ip_mcast", "uid", CmJoinIpMcast::uid, CmJoinIpMcast::setUid);
        all.ints("rdma_ucm_join_ip_mcast", "id", CmJoinIpMcast::id, CmJoinIpMcast::setId);
    }

    private static void joinMcast(Accessors all) {
        all.longs("rdma_ucm_join_mcast", "response", CmJoinMcast::response, CmJoinMcast::setResponse);
        all.longs("rdma_ucm_join_mcast", "uid", CmJoinMcast::uid, CmJoinMcast::setUid);
        all.ints("rdma_ucm_join_mcast", "id", CmJoinMcast::id, CmJoinMcast::setId);
        all.ints("rdma_ucm_join_mcast", "addr_size", CmJoinMcast::addrSize, CmJoinMcast::setAddrSize);
        all.ints("rdma_ucm_join_mcast", "join_flags", CmJoinMcast::joinFlags, CmJoinMcast::setJoinFlags);
    }

    private static void getEvent(Accessors all) {
        all.longs("rdma_ucm_get_event", "response", CmGetEvent::response, CmGetEvent::setResponse);
    }

    private static void setOption(Accessors all) {
        all.longs("rdma_ucm_set_option", "optval", CmSetOption::optval, CmSetOption::setOptval);
        all.ints("rdma_ucm_set_option", "id", CmSetOption::id, CmSetOption::setId);
        all.ints("rdma_ucm_set_option", "level", CmSetOption::level, CmSetOption::setLevel);
        all.ints("rdma_ucm_set_option", "optname", CmSetOption::optname, CmSetOption::setOptname);
        all.ints("rdma_ucm_set_option", "optlen", CmSetOption::optlen, CmSetOption::setOptlen);
    }

    private static void migrateId(Accessors all) {
        all.longs("rdma_ucm_migrate_id", "response", CmMigrateId::response, CmMigrateId::setResponse);
        all.ints("rdma_ucm_migrate_id", "id", CmMigrateId::id, CmMigrateId::setId);
        all.ints("rdma_ucm_migrate_id", "fd", CmMigrateId::fd, CmMigrateId::setFd);
    }

    private static void migrateResp(Accessors all) {
        all.ints(
                "rdma_ucm_migrate_resp",
                "events_reported",
                CmMigrateIdResponse::eventsReported,
                CmMigrateIdResponse::setEventsReported);
    }
}
