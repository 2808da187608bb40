package dev.doorbell.kernel.abi;

import java.util.Map;
import java.util.TreeMap;

/** Every layout in this package, by its class. */
final class Layouts {
    private Layouts() {}

    static Map<String, Layout> all() {
        Map<String, Layout> all = new TreeMap<>();
        addFirstCommands(all);
        addLaterCommands(all);
        addRings(all);
        addNetlink(all);
        CmLayouts.addTo(all);
        return all;
    }

    private static void addFirstCommands(Map<String, Layout> all) {
        all.put("WriteHeader", WriteHeader.layout());
        all.put("ExtendedWriteHeader", ExtendedWriteHeader.layout());
        all.put("IoctlHeader", IoctlHeader.layout());
        all.put("IoctlAttribute", IoctlAttribute.layout());
        all.put("GetContext", GetContext.layout());
        all.put("GetContextResponse", GetContextResponse.layout());
        all.put("QueryDevice", QueryDevice.layout());
        all.put("QueryDeviceResponse", QueryDeviceResponse.layout());
        all.put("ExQueryDevice", ExQueryDevice.layout());
        all.put("ExQueryDeviceResponse", ExQueryDeviceResponse.layout());
        all.put("QueryPort", QueryPort.layout());
        all.put("QueryPortResponse", QueryPortResponse.layout());
        all.put("QueryPortExtendedResponse", QueryPortExtendedResponse.layout());
        all.put("AllocPd", AllocPd.layout());
        all.put("AllocPdResponse", AllocPdResponse.layout());
        all.put("DeallocPd", DeallocPd.layout());
        all.put("RegMr", RegMr.layout());
        all.put("RegMrResponse", RegMrResponse.layout());
        all.put("ReregMr", ReregMr.layout());
        all.put("ReregMrResponse", ReregMrResponse.layout());
        all.put("DeregMr", DeregMr.layout());
        all.put("AllocMw", AllocMw.layout());
        all.put("AllocMwResponse", AllocMwResponse.layout());
        all.put("DeallocMw", DeallocMw.layout());
        all.put("CreateCompChannel", CreateCompChannel.layout());
        all.put("CreateCompChannelResponse", CreateCompChannelResponse.layout());
        all.put("CreateCq", CreateCq.layout());
        all.put("CreateCqResponse", CreateCqResponse.layout());
        all.put("ExCreateCq", ExCreateCq.layout());
        all.put("ExCreateCqResponse", ExCreateCqResponse.layout());
        all.put("ExModifyCq", ExModifyCq.layout());
        all.put("ResizeCq", ResizeCq.layout());
        all.put("ResizeCqResponse", ResizeCqResponse.layout());
    }

    private static void addLaterCommands(Map<String, Layout> all) {
        all.put("PollCq", PollCq.layout());
        all.put("PollCqResponse", PollCqResponse.layout());
        all.put("ReqNotifyCq", ReqNotifyCq.layout());
        all.put("DestroyCq", DestroyCq.layout());
        all.put("DestroyCqResponse", DestroyCqResponse.layout());
        all.put("CreateQp", CreateQp.layout());
        all.put("CreateQpResponse", CreateQpResponse.layout());
        all.put("QpDestination", QpDestination.layout());
        all.put("ModifyQp", ModifyQp.layout());
        all.put("QueryQp", QueryQp.layout());
        all.put("QueryQpResponse", QueryQpResponse.layout());
        all.put("DestroyQp", DestroyQp.layout());
        all.put("DestroyQpResponse", DestroyQpResponse.layout());
        all.put("PostSend", PostSend.layout());
        all.put("PostSendResponse", PostSendResponse.layout());
        all.put("AhAttributes", AhAttributes.layout());
        all.put("CreateAh", CreateAh.layout());
        all.put("CreateAhResponse", CreateAhResponse.layout());
        all.put("DestroyAh", DestroyAh.layout());
        all.put("AttachMcast", AttachMcast.layout());
        all.put("DetachMcast", DetachMcast.layout());
        all.put("CreateSrq", CreateSrq.layout());
        all.put("CreateSrqResponse", CreateSrqResponse.layout());
        all.put("ModifySrq", ModifySrq.layout());
        all.put("QuerySrq", QuerySrq.layout());
        all.put("QuerySrqResponse", QuerySrqResponse.layout());
        all.put("DestroySrq", DestroySrq.layout());
        all.put("DestroySrqResponse", DestroySrqResponse.layout());
        all.put("AsyncEvent", AsyncEvent.layout());
        all.put("CompletionEvent", CompletionEvent.layout());
        all.put("AbiGidEntry", AbiGidEntry.layout());
        all.put("QpCap", QpCap.layout());
    }

    private static void addRings(Map<String, Layout> all) {
        all.put("RxeMmapInfo", RxeMmapInfo.layout());
        all.put("RxeCreateQpResponse", RxeCreateQpResponse.layout());
        all.put("RxeCreateSrqResponse", RxeCreateSrqResponse.layout());
        all.put("RxeCreateAhResponse", RxeCreateAhResponse.layout());
        all.put("RxeModifySrq", RxeModifySrq.layout());
        all.put("RxeSge", RxeSge.layout());
        all.put("RxeCqe", RxeCqe.layout());
        all.put("RxeRecvWqe", RxeRecvWqe.layout());
        all.put("RxeSendWqe", RxeSendWqe.layout());
        all.put("RxeRdmaWr", RxeRdmaWr.layout());
        all.put("RxeAtomicWr", RxeAtomicWr.layout());
        all.put("RxeFlushWr", RxeFlushWr.layout());
        all.put("RxeBindWr", RxeBindWr.layout());
        all.put("RxeAv", RxeAv.layout());
        all.put("RxeUdWr", RxeUdWr.layout());
        all.put("RxeQueueHeader", RxeQueueHeader.layout());
    }

    private static void addNetlink(Map<String, Layout> all) {
        all.put("NetlinkHeader", NetlinkHeader.layout());
        all.put("NetlinkAttribute", NetlinkAttribute.layout());
        all.put("NetlinkError", NetlinkError.layout());
    }
}
