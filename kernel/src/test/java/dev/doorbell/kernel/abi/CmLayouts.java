package dev.doorbell.kernel.abi;

import java.util.Map;

/** The layouts of the connection manager, by their classes. */
final class CmLayouts {
    private CmLayouts() {}

    static void addTo(Map<String, Layout> all) {
        all.put("CmHeader", CmHeader.layout());
        all.put("CmCreateId", CmCreateId.layout());
        all.put("CmCreateIdResponse", CmCreateIdResponse.layout());
        all.put("CmDestroyId", CmDestroyId.layout());
        all.put("CmDestroyIdResponse", CmDestroyIdResponse.layout());
        all.put("SockaddrIn", SockaddrIn.layout());
        all.put("SockaddrIn6", SockaddrIn6.layout());
        all.put("CmBindIp", CmBindIp.layout());
        all.put("CmBind", CmBind.layout());
        all.put("CmResolveIp", CmResolveIp.layout());
        all.put("CmResolveAddr", CmResolveAddr.layout());
        all.put("CmResolveRoute", CmResolveRoute.layout());
        all.put("CmQuery", CmQuery.layout());
        all.put("CmUserPathRecord", CmUserPathRecord.layout());
        all.put("CmQueryRouteResponse", CmQueryRouteResponse.layout());
        all.put("CmQueryAddrResponse", CmQueryAddrResponse.layout());
        all.put("CmPathRecordData", CmPathRecordData.layout());
        all.put("CmQueryPathResponse", CmQueryPathResponse.layout());
        all.put("CmConnectionParameters", CmConnectionParameters.layout());
        all.put("CmDatagramParameters", CmDatagramParameters.layout());
        all.put("CmEce", CmEce.layout());
        all.put("CmConnect", CmConnect.layout());
        all.put("CmListen", CmListen.layout());
        all.put("CmAccept", CmAccept.layout());
        all.put("CmReject", CmReject.layout());
        all.put("CmDisconnect", CmDisconnect.layout());
        all.put("CmInitQpAttr", CmInitQpAttr.layout());
        all.put("CmQpAttributes", CmQpAttributes.layout());
        all.put("CmNotify", CmNotify.layout());
        all.put("CmJoinIpMcast", CmJoinIpMcast.layout());
        all.put("CmJoinMcast", CmJoinMcast.layout());
        all.put("CmGetEvent", CmGetEvent.layout());
        all.put("CmEventRecord", CmEventRecord.layout());
        all.put("CmSetOption", CmSetOption.layout());
        all.put("CmMigrateId", CmMigrateId.layout());
        all.put("CmMigrateIdResponse", CmMigrateIdResponse.layout());
    }
}
