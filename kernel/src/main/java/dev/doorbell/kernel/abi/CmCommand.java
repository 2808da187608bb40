package dev.doorbell.kernel.abi;

/**
 * The commands of the connection manager, with the numbers of {@code rdma/rdma_user_cm.h}, and where in the request the
 * carrier of a command leaves the address of its answer.
 */
public enum CmCommand {
    /** {@link CmCreateId} → {@link CmCreateIdResponse}. */
    CREATE_ID(0, 8),
    /** {@link CmDestroyId} → {@link CmDestroyIdResponse}. */
    DESTROY_ID(1, 0),
    /** {@link CmBindIp}. */
    BIND_IP(2, -1),
    /** {@link CmResolveIp}. */
    RESOLVE_IP(3, -1),
    /** {@link CmResolveRoute}. */
    RESOLVE_ROUTE(4, -1),
    /** {@link CmQuery} → {@link CmQueryRouteResponse}. */
    QUERY_ROUTE(5, 0),
    /** {@link CmConnect}. */
    CONNECT(6, -1),
    /** {@link CmListen}. */
    LISTEN(7, -1),
    /** {@link CmAccept}. */
    ACCEPT(8, -1),
    /** {@link CmReject}. */
    REJECT(9, -1),
    /** {@link CmDisconnect}. */
    DISCONNECT(10, -1),
    /** {@link CmInitQpAttr} → {@link CmQpAttributes}. */
    INIT_QP_ATTR(11, 0),
    /** {@link CmGetEvent} → {@link CmEventRecord}; sent by the event file, nobody else. */
    GET_EVENT(12, 0),
    /** {@link CmSetOption}; no kernel has implemented it. */
    GET_OPTION(13, -1),
    /** {@link CmSetOption}, followed by the value. */
    SET_OPTION(14, -1),
    /** {@link CmNotify}. */
    NOTIFY(15, -1),
    /** {@link CmJoinIpMcast} → {@link CmCreateIdResponse}. */
    JOIN_IP_MCAST(16, 0),
    /** {@link CmDestroyId} with a membership → {@link CmDestroyIdResponse}. */
    LEAVE_MCAST(17, 0),
    /** {@link CmMigrateId} → {@link CmMigrateIdResponse}. */
    MIGRATE_ID(18, 0),
    /** {@link CmQuery} → {@link CmQueryAddrResponse} or {@link CmQueryPathResponse}. */
    QUERY(19, 0),
    /** {@link CmBind}. */
    BIND(20, -1),
    /** {@link CmResolveAddr}. */
    RESOLVE_ADDR(21, -1),
    /** {@link CmJoinMcast} → {@link CmCreateIdResponse}. */
    JOIN_MCAST(22, 0);

    private final int number;
    private final int responseAt;

    CmCommand(int number, int responseAt) {
        this.number = number;
        this.responseAt = responseAt;
    }

    /** The command's number. */
    public int number() {
        return number;
    }

    /** The offset in the request at which the address of the answer stands; -1 if there is no answer. */
    public int responseAt() {
        return responseAt;
    }

    /** Whether the command has an answer besides its errno. */
    public boolean hasResponse() {
        return responseAt >= 0;
    }
}
