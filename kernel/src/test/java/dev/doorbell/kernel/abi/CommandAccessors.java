package dev.doorbell.kernel.abi;

/** The accessors of all other commands, headers and events. */
final class CommandAccessors {
    private CommandAccessors() {}

    static void addTo(Accessors all) {
        writeHeader(all);
        extendedWriteHeader(all);
        ioctlHeader(all);
        ioctlAttribute(all);
        getContext(all);
        getContextResponse(all);
        allocPd(all);
        allocPdResponse(all);
        deallocPd(all);
        regMr(all);
        regMrResponse(all);
        reregMr(all);
        reregMrResponse(all);
        deregMr(all);
        allocMw(all);
        allocMwResponse(all);
        deallocMw(all);
        createCompChannel(all);
        createCompChannelResponse(all);
        createCq(all);
        createCqResponse(all);
        exCreateCq(all);
        exCreateCqResponse(all);
        exModifyCq(all);
        resizeCq(all);
        resizeCqResponse(all);
        pollCq(all);
        pollCqResponse(all);
        reqNotifyCq(all);
        postSend(all);
        postSendResponse(all);
        ahAttributes(all);
        createAh(all);
        createAhResponse(all);
        attachMcast(all);
        detachMcast(all);
        createSrq(all);
        createSrqResponse(all);
        modifySrq(all);
        querySrq(all);
        querySrqResponse(all);
        asyncEvent(all);
        completionEvent(all);
        abiGidEntry(all);
    }

    private static void writeHeader(Accessors all) {
        all.ints("ib_uverbs_cmd_hdr", "command", WriteHeader::command, WriteHeader::setCommand);
        all.ints("ib_uverbs_cmd_hdr", "in_words", WriteHeader::inWords, WriteHeader::setInWords);
        all.ints("ib_uverbs_cmd_hdr", "out_words", WriteHeader::outWords, WriteHeader::setOutWords);
    }

    private static void extendedWriteHeader(Accessors all) {
        all.longs("ib_uverbs_ex_cmd_hdr", "response", ExtendedWriteHeader::response, ExtendedWriteHeader::setResponse);
        all.ints(
                "ib_uverbs_ex_cmd_hdr",
                "provider_in_words",
                ExtendedWriteHeader::providerInWords,
                ExtendedWriteHeader::setProviderInWords);
        all.ints(
                "ib_uverbs_ex_cmd_hdr",
                "provider_out_words",
                ExtendedWriteHeader::providerOutWords,
                ExtendedWriteHeader::setProviderOutWords);
    }

    private static void ioctlHeader(Accessors all) {
        all.ints("ib_uverbs_ioctl_hdr", "length", IoctlHeader::length, IoctlHeader::setLength);
        all.ints("ib_uverbs_ioctl_hdr", "object_id", IoctlHeader::objectId, IoctlHeader::setObjectId);
        all.ints("ib_uverbs_ioctl_hdr", "method_id", IoctlHeader::methodId, IoctlHeader::setMethodId);
        all.ints("ib_uverbs_ioctl_hdr", "num_attrs", IoctlHeader::numAttrs, IoctlHeader::setNumAttrs);
        all.ints("ib_uverbs_ioctl_hdr", "driver_id", IoctlHeader::driverId, IoctlHeader::setDriverId);
    }

    private static void ioctlAttribute(Accessors all) {
        all.ints("ib_uverbs_attr", "attr_id", IoctlAttribute::attrId, IoctlAttribute::setAttrId);
        all.ints("ib_uverbs_attr", "len", IoctlAttribute::len, IoctlAttribute::setLen);
        all.ints("ib_uverbs_attr", "flags", IoctlAttribute::flags, IoctlAttribute::setFlags);
        all.ints("ib_uverbs_attr", "attr_data.enum_data.elem_id", IoctlAttribute::elemId, IoctlAttribute::setElemId);
        all.longs("ib_uverbs_attr", "data", IoctlAttribute::data, IoctlAttribute::setData);
    }

    private static void getContext(Accessors all) {
        all.longs("ib_uverbs_get_context", "response", GetContext::response, GetContext::setResponse);
    }

    private static void getContextResponse(Accessors all) {
        all.ints("ib_uverbs_get_context_resp", "async_fd", GetContextResponse::asyncFd, GetContextResponse::setAsyncFd);
        all.ints(
                "ib_uverbs_get_context_resp",
                "num_comp_vectors",
                GetContextResponse::numCompVectors,
                GetContextResponse::setNumCompVectors);
    }

    private static void allocPd(Accessors all) {
        all.longs("ib_uverbs_alloc_pd", "response", AllocPd::response, AllocPd::setResponse);
    }

    private static void allocPdResponse(Accessors all) {
        all.ints("ib_uverbs_alloc_pd_resp", "pd_handle", AllocPdResponse::pdHandle, AllocPdResponse::setPdHandle);
    }

    private static void deallocPd(Accessors all) {
        all.ints("ib_uverbs_dealloc_pd", "pd_handle", DeallocPd::pdHandle, DeallocPd::setPdHandle);
    }

    private static void regMr(Accessors all) {
        all.longs("ib_uverbs_reg_mr", "response", RegMr::response, RegMr::setResponse);
        all.longs("ib_uverbs_reg_mr", "start", RegMr::start, RegMr::setStart);
        all.longs("ib_uverbs_reg_mr", "length", RegMr::length, RegMr::setLength);
        all.longs("ib_uverbs_reg_mr", "hca_va", RegMr::hcaVa, RegMr::setHcaVa);
        all.ints("ib_uverbs_reg_mr", "pd_handle", RegMr::pdHandle, RegMr::setPdHandle);
        all.ints("ib_uverbs_reg_mr", "access_flags", RegMr::accessFlags, RegMr::setAccessFlags);
    }

    private static void regMrResponse(Accessors all) {
        all.ints("ib_uverbs_reg_mr_resp", "mr_handle", RegMrResponse::mrHandle, RegMrResponse::setMrHandle);
        all.ints("ib_uverbs_reg_mr_resp", "lkey", RegMrResponse::lkey, RegMrResponse::setLkey);
        all.ints("ib_uverbs_reg_mr_resp", "rkey", RegMrResponse::rkey, RegMrResponse::setRkey);
    }

    private static void reregMr(Accessors all) {
        all.longs("ib_uverbs_rereg_mr", "response", ReregMr::response, ReregMr::setResponse);
        all.ints("ib_uverbs_rereg_mr", "mr_handle", ReregMr::mrHandle, ReregMr::setMrHandle);
        all.ints("ib_uverbs_rereg_mr", "flags", ReregMr::flags, ReregMr::setFlags);
        all.longs("ib_uverbs_rereg_mr", "start", ReregMr::start, ReregMr::setStart);
        all.longs("ib_uverbs_rereg_mr", "length", ReregMr::length, ReregMr::setLength);
        all.longs("ib_uverbs_rereg_mr", "hca_va", ReregMr::hcaVa, ReregMr::setHcaVa);
        all.ints("ib_uverbs_rereg_mr", "pd_handle", ReregMr::pdHandle, ReregMr::setPdHandle);
        all.ints("ib_uverbs_rereg_mr", "access_flags", ReregMr::accessFlags, ReregMr::setAccessFlags);
    }

    private static void reregMrResponse(Accessors all) {
        all.ints("ib_uverbs_rereg_mr_resp", "lkey", ReregMrResponse::lkey, ReregMrResponse::setLkey);
        all.ints("ib_uverbs_rereg_mr_resp", "rkey", ReregMrResponse::rkey, ReregMrResponse::setRkey);
    }

    private static void deregMr(Accessors all) {
        all.ints("ib_uverbs_dereg_mr", "mr_handle", DeregMr::mrHandle, DeregMr::setMrHandle);
    }

    private static void allocMw(Accessors all) {
        all.longs("ib_uverbs_alloc_mw", "response", AllocMw::response, AllocMw::setResponse);
        all.ints("ib_uverbs_alloc_mw", "pd_handle", AllocMw::pdHandle, AllocMw::setPdHandle);
        all.ints("ib_uverbs_alloc_mw", "mw_type", AllocMw::mwType, AllocMw::setMwType);
    }

    private static void allocMwResponse(Accessors all) {
        all.ints("ib_uverbs_alloc_mw_resp", "mw_handle", AllocMwResponse::mwHandle, AllocMwResponse::setMwHandle);
        all.ints("ib_uverbs_alloc_mw_resp", "rkey", AllocMwResponse::rkey, AllocMwResponse::setRkey);
    }

    private static void deallocMw(Accessors all) {
        all.ints("ib_uverbs_dealloc_mw", "mw_handle", DeallocMw::mwHandle, DeallocMw::setMwHandle);
    }

    private static void createCompChannel(Accessors all) {
        all.longs(
                "ib_uverbs_create_comp_channel",
                "response",
                CreateCompChannel::response,
                CreateCompChannel::setResponse);
    }

    private static void createCompChannelResponse(Accessors all) {
        all.ints(
                "ib_uverbs_create_comp_channel_resp",
                "fd",
                CreateCompChannelResponse::fd,
                CreateCompChannelResponse::setFd);
    }

    private static void createCq(Accessors all) {
        all.longs("ib_uverbs_create_cq", "response", CreateCq::response, CreateCq::setResponse);
        all.longs("ib_uverbs_create_cq", "user_handle", CreateCq::userHandle, CreateCq::setUserHandle);
        all.ints("ib_uverbs_create_cq", "cqe", CreateCq::cqe, CreateCq::setCqe);
        all.ints("ib_uverbs_create_cq", "comp_vector", CreateCq::compVector, CreateCq::setCompVector);
        all.ints("ib_uverbs_create_cq", "comp_channel", CreateCq::compChannel, CreateCq::setCompChannel);
    }

    private static void createCqResponse(Accessors all) {
        all.ints("ib_uverbs_create_cq_resp", "cq_handle", CreateCqResponse::cqHandle, CreateCqResponse::setCqHandle);
        all.ints("ib_uverbs_create_cq_resp", "cqe", CreateCqResponse::cqe, CreateCqResponse::setCqe);
    }

    private static void exCreateCq(Accessors all) {
        all.longs("ib_uverbs_ex_create_cq", "user_handle", ExCreateCq::userHandle, ExCreateCq::setUserHandle);
        all.ints("ib_uverbs_ex_create_cq", "cqe", ExCreateCq::cqe, ExCreateCq::setCqe);
        all.ints("ib_uverbs_ex_create_cq", "comp_vector", ExCreateCq::compVector, ExCreateCq::setCompVector);
        all.ints("ib_uverbs_ex_create_cq", "comp_channel", ExCreateCq::compChannel, ExCreateCq::setCompChannel);
        all.ints("ib_uverbs_ex_create_cq", "comp_mask", ExCreateCq::compMask, ExCreateCq::setCompMask);
        all.ints("ib_uverbs_ex_create_cq", "flags", ExCreateCq::flags, ExCreateCq::setFlags);
    }

    private static void exCreateCqResponse(Accessors all) {
        all.ints(
                "ib_uverbs_ex_create_cq_resp",
                "comp_mask",
                ExCreateCqResponse::compMask,
                ExCreateCqResponse::setCompMask);
        all.ints(
                "ib_uverbs_ex_create_cq_resp",
                "response_length",
                ExCreateCqResponse::responseLength,
                ExCreateCqResponse::setResponseLength);
    }

    private static void exModifyCq(Accessors all) {
        all.ints("ib_uverbs_ex_modify_cq", "cq_handle", ExModifyCq::cqHandle, ExModifyCq::setCqHandle);
        all.ints("ib_uverbs_ex_modify_cq", "attr_mask", ExModifyCq::attrMask, ExModifyCq::setAttrMask);
        all.ints("ib_uverbs_ex_modify_cq", "attr.cq_count", ExModifyCq::count, ExModifyCq::setCount);
        all.ints("ib_uverbs_ex_modify_cq", "attr.cq_period", ExModifyCq::period, ExModifyCq::setPeriod);
    }

    private static void resizeCq(Accessors all) {
        all.longs("ib_uverbs_resize_cq", "response", ResizeCq::response, ResizeCq::setResponse);
        all.ints("ib_uverbs_resize_cq", "cq_handle", ResizeCq::cqHandle, ResizeCq::setCqHandle);
        all.ints("ib_uverbs_resize_cq", "cqe", ResizeCq::cqe, ResizeCq::setCqe);
    }

    private static void resizeCqResponse(Accessors all) {
        all.ints("ib_uverbs_resize_cq_resp", "cqe", ResizeCqResponse::cqe, ResizeCqResponse::setCqe);
    }

    private static void pollCq(Accessors all) {
        all.longs("ib_uverbs_poll_cq", "response", PollCq::response, PollCq::setResponse);
        all.ints("ib_uverbs_poll_cq", "cq_handle", PollCq::cqHandle, PollCq::setCqHandle);
        all.ints("ib_uverbs_poll_cq", "ne", PollCq::ne, PollCq::setNe);
    }

    private static void pollCqResponse(Accessors all) {
        all.ints("ib_uverbs_poll_cq_resp", "count", PollCqResponse::count, PollCqResponse::setCount);
    }

    private static void reqNotifyCq(Accessors all) {
        all.ints("ib_uverbs_req_notify_cq", "cq_handle", ReqNotifyCq::cqHandle, ReqNotifyCq::setCqHandle);
        all.ints(
                "ib_uverbs_req_notify_cq", "solicited_only", ReqNotifyCq::solicitedOnly, ReqNotifyCq::setSolicitedOnly);
    }

    private static void postSend(Accessors all) {
        all.longs("ib_uverbs_post_send", "response", PostSend::response, PostSend::setResponse);
        all.ints("ib_uverbs_post_send", "qp_handle", PostSend::qpHandle, PostSend::setQpHandle);
        all.ints("ib_uverbs_post_send", "wr_count", PostSend::wrCount, PostSend::setWrCount);
        all.ints("ib_uverbs_post_send", "sge_count", PostSend::sgeCount, PostSend::setSgeCount);
        all.ints("ib_uverbs_post_send", "wqe_size", PostSend::wqeSize, PostSend::setWqeSize);
    }

    private static void postSendResponse(Accessors all) {
        all.ints("ib_uverbs_post_send_resp", "bad_wr", PostSendResponse::badWr, PostSendResponse::setBadWr);
    }

    private static void ahAttributes(Accessors all) {
        all.gids("ib_uverbs_ah_attr", "grh.dgid", AhAttributes::dgid, AhAttributes::setDgid);
        all.ints("ib_uverbs_ah_attr", "grh.flow_label", AhAttributes::flowLabel, AhAttributes::setFlowLabel);
        all.ints("ib_uverbs_ah_attr", "grh.sgid_index", AhAttributes::sgidIndex, AhAttributes::setSgidIndex);
        all.ints("ib_uverbs_ah_attr", "grh.hop_limit", AhAttributes::hopLimit, AhAttributes::setHopLimit);
        all.ints("ib_uverbs_ah_attr", "grh.traffic_class", AhAttributes::trafficClass, AhAttributes::setTrafficClass);
        all.ints("ib_uverbs_ah_attr", "dlid", AhAttributes::dlid, AhAttributes::setDlid);
        all.ints("ib_uverbs_ah_attr", "sl", AhAttributes::sl, AhAttributes::setSl);
        all.ints("ib_uverbs_ah_attr", "src_path_bits", AhAttributes::srcPathBits, AhAttributes::setSrcPathBits);
        all.ints("ib_uverbs_ah_attr", "static_rate", AhAttributes::staticRate, AhAttributes::setStaticRate);
        all.ints("ib_uverbs_ah_attr", "is_global", AhAttributes::isGlobal, AhAttributes::setIsGlobal);
        all.ints("ib_uverbs_ah_attr", "port_num", AhAttributes::portNum, AhAttributes::setPortNum);
    }

    private static void createAh(Accessors all) {
        all.longs("ib_uverbs_create_ah", "response", CreateAh::response, CreateAh::setResponse);
        all.longs("ib_uverbs_create_ah", "user_handle", CreateAh::userHandle, CreateAh::setUserHandle);
        all.ints("ib_uverbs_create_ah", "pd_handle", CreateAh::pdHandle, CreateAh::setPdHandle);
    }

    private static void createAhResponse(Accessors all) {
        all.ints("ib_uverbs_create_ah_resp", "ah_handle", CreateAhResponse::ahHandle, CreateAhResponse::setAhHandle);
    }

    private static void attachMcast(Accessors all) {
        all.gids("ib_uverbs_attach_mcast", "gid", AttachMcast::gid, AttachMcast::setGid);
        all.ints("ib_uverbs_attach_mcast", "qp_handle", AttachMcast::qpHandle, AttachMcast::setQpHandle);
        all.ints("ib_uverbs_attach_mcast", "mlid", AttachMcast::mlid, AttachMcast::setMlid);
    }

    private static void detachMcast(Accessors all) {
        all.gids("ib_uverbs_detach_mcast", "gid", DetachMcast::gid, DetachMcast::setGid);
        all.ints("ib_uverbs_detach_mcast", "qp_handle", DetachMcast::qpHandle, DetachMcast::setQpHandle);
        all.ints("ib_uverbs_detach_mcast", "mlid", DetachMcast::mlid, DetachMcast::setMlid);
    }

    private static void createSrq(Accessors all) {
        all.longs("ib_uverbs_create_srq", "response", CreateSrq::response, CreateSrq::setResponse);
        all.longs("ib_uverbs_create_srq", "user_handle", CreateSrq::userHandle, CreateSrq::setUserHandle);
        all.ints("ib_uverbs_create_srq", "pd_handle", CreateSrq::pdHandle, CreateSrq::setPdHandle);
        all.ints("ib_uverbs_create_srq", "max_wr", CreateSrq::maxWr, CreateSrq::setMaxWr);
        all.ints("ib_uverbs_create_srq", "max_sge", CreateSrq::maxSge, CreateSrq::setMaxSge);
        all.ints("ib_uverbs_create_srq", "srq_limit", CreateSrq::srqLimit, CreateSrq::setSrqLimit);
    }

    private static void createSrqResponse(Accessors all) {
        all.ints(
                "ib_uverbs_create_srq_resp",
                "srq_handle",
                CreateSrqResponse::srqHandle,
                CreateSrqResponse::setSrqHandle);
        all.ints("ib_uverbs_create_srq_resp", "max_wr", CreateSrqResponse::maxWr, CreateSrqResponse::setMaxWr);
        all.ints("ib_uverbs_create_srq_resp", "max_sge", CreateSrqResponse::maxSge, CreateSrqResponse::setMaxSge);
        all.ints("ib_uverbs_create_srq_resp", "srqn", CreateSrqResponse::srqn, CreateSrqResponse::setSrqn);
    }

    private static void modifySrq(Accessors all) {
        all.ints("ib_uverbs_modify_srq", "srq_handle", ModifySrq::srqHandle, ModifySrq::setSrqHandle);
        all.ints("ib_uverbs_modify_srq", "attr_mask", ModifySrq::attrMask, ModifySrq::setAttrMask);
        all.ints("ib_uverbs_modify_srq", "max_wr", ModifySrq::maxWr, ModifySrq::setMaxWr);
        all.ints("ib_uverbs_modify_srq", "srq_limit", ModifySrq::srqLimit, ModifySrq::setSrqLimit);
    }

    private static void querySrq(Accessors all) {
        all.longs("ib_uverbs_query_srq", "response", QuerySrq::response, QuerySrq::setResponse);
        all.ints("ib_uverbs_query_srq", "srq_handle", QuerySrq::srqHandle, QuerySrq::setSrqHandle);
    }

    private static void querySrqResponse(Accessors all) {
        all.ints("ib_uverbs_query_srq_resp", "max_wr", QuerySrqResponse::maxWr, QuerySrqResponse::setMaxWr);
        all.ints("ib_uverbs_query_srq_resp", "max_sge", QuerySrqResponse::maxSge, QuerySrqResponse::setMaxSge);
        all.ints("ib_uverbs_query_srq_resp", "srq_limit", QuerySrqResponse::srqLimit, QuerySrqResponse::setSrqLimit);
    }

    private static void asyncEvent(Accessors all) {
        all.longs("ib_uverbs_async_event_desc", "element", AsyncEvent::element, AsyncEvent::setElement);
        all.ints("ib_uverbs_async_event_desc", "event_type", AsyncEvent::eventType, AsyncEvent::setEventType);
    }

    private static void completionEvent(Accessors all) {
        all.longs("ib_uverbs_comp_event_desc", "cq_handle", CompletionEvent::cookie, CompletionEvent::setCookie);
    }

    private static void abiGidEntry(Accessors all) {
        all.gids("ib_uverbs_gid_entry", "gid", AbiGidEntry::gid, AbiGidEntry::setGid);
        all.ints("ib_uverbs_gid_entry", "gid_index", AbiGidEntry::gidIndex, AbiGidEntry::setGidIndex);
        all.ints("ib_uverbs_gid_entry", "port_num", AbiGidEntry::portNum, AbiGidEntry::setPortNum);
        all.ints("ib_uverbs_gid_entry", "gid_type", AbiGidEntry::gidType, AbiGidEntry::setGidType);
        all.ints("ib_uverbs_gid_entry", "netdev_ifindex", AbiGidEntry::netdevIfindex, AbiGidEntry::setNetdevIfindex);
    }
}
