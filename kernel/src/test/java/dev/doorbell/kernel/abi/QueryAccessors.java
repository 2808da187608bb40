package dev.doorbell.kernel.abi;

/** The accessors of device and port queries. */
final class QueryAccessors {
    private QueryAccessors() {}

    static void addTo(Accessors all) {
        queryDevice(all);
        queryDeviceResponse(all);
        exQueryDevice(all);
        exQueryDeviceResponse(all);
        queryPort(all);
        queryPortResponse(all);
        queryPortExtendedResponse(all);
    }

    private static void queryDevice(Accessors all) {
        all.longs("ib_uverbs_query_device", "response", QueryDevice::response, QueryDevice::setResponse);
    }

    private static void queryDeviceResponse(Accessors all) {
        all.longs("ib_uverbs_query_device_resp", "fw_ver", QueryDeviceResponse::fwVer, QueryDeviceResponse::setFwVer);
        all.guids(
                "ib_uverbs_query_device_resp",
                "node_guid",
                QueryDeviceResponse::nodeGuid,
                QueryDeviceResponse::setNodeGuid);
        all.guids(
                "ib_uverbs_query_device_resp",
                "sys_image_guid",
                QueryDeviceResponse::sysImageGuid,
                QueryDeviceResponse::setSysImageGuid);
        all.longs(
                "ib_uverbs_query_device_resp",
                "max_mr_size",
                QueryDeviceResponse::maxMrSize,
                QueryDeviceResponse::setMaxMrSize);
        all.longs(
                "ib_uverbs_query_device_resp",
                "page_size_cap",
                QueryDeviceResponse::pageSizeCap,
                QueryDeviceResponse::setPageSizeCap);
        all.ints(
                "ib_uverbs_query_device_resp",
                "vendor_id",
                QueryDeviceResponse::vendorId,
                QueryDeviceResponse::setVendorId);
        all.ints(
                "ib_uverbs_query_device_resp",
                "vendor_part_id",
                QueryDeviceResponse::vendorPartId,
                QueryDeviceResponse::setVendorPartId);
        all.ints("ib_uverbs_query_device_resp", "hw_ver", QueryDeviceResponse::hwVer, QueryDeviceResponse::setHwVer);
        all.ints("ib_uverbs_query_device_resp", "max_qp", QueryDeviceResponse::maxQp, QueryDeviceResponse::setMaxQp);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_qp_wr",
                QueryDeviceResponse::maxQpWr,
                QueryDeviceResponse::setMaxQpWr);
        all.ints(
                "ib_uverbs_query_device_resp",
                "device_cap_flags",
                QueryDeviceResponse::deviceCapFlags,
                QueryDeviceResponse::setDeviceCapFlags);
        all.ints("ib_uverbs_query_device_resp", "max_sge", QueryDeviceResponse::maxSge, QueryDeviceResponse::setMaxSge);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_sge_rd",
                QueryDeviceResponse::maxSgeRd,
                QueryDeviceResponse::setMaxSgeRd);
        all.ints("ib_uverbs_query_device_resp", "max_cq", QueryDeviceResponse::maxCq, QueryDeviceResponse::setMaxCq);
        all.ints("ib_uverbs_query_device_resp", "max_cqe", QueryDeviceResponse::maxCqe, QueryDeviceResponse::setMaxCqe);
        all.ints("ib_uverbs_query_device_resp", "max_mr", QueryDeviceResponse::maxMr, QueryDeviceResponse::setMaxMr);
        all.ints("ib_uverbs_query_device_resp", "max_pd", QueryDeviceResponse::maxPd, QueryDeviceResponse::setMaxPd);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_qp_rd_atom",
                QueryDeviceResponse::maxQpRdAtom,
                QueryDeviceResponse::setMaxQpRdAtom);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_res_rd_atom",
                QueryDeviceResponse::maxResRdAtom,
                QueryDeviceResponse::setMaxResRdAtom);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_qp_init_rd_atom",
                QueryDeviceResponse::maxQpInitRdAtom,
                QueryDeviceResponse::setMaxQpInitRdAtom);
        all.ints(
                "ib_uverbs_query_device_resp",
                "atomic_cap",
                QueryDeviceResponse::atomicCap,
                QueryDeviceResponse::setAtomicCap);
        all.ints("ib_uverbs_query_device_resp", "max_mw", QueryDeviceResponse::maxMw, QueryDeviceResponse::setMaxMw);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_mcast_grp",
                QueryDeviceResponse::maxMcastGrp,
                QueryDeviceResponse::setMaxMcastGrp);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_mcast_qp_attach",
                QueryDeviceResponse::maxMcastQpAttach,
                QueryDeviceResponse::setMaxMcastQpAttach);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_total_mcast_qp_attach",
                QueryDeviceResponse::maxTotalMcastQpAttach,
                QueryDeviceResponse::setMaxTotalMcastQpAttach);
        all.ints("ib_uverbs_query_device_resp", "max_ah", QueryDeviceResponse::maxAh, QueryDeviceResponse::setMaxAh);
        all.ints("ib_uverbs_query_device_resp", "max_srq", QueryDeviceResponse::maxSrq, QueryDeviceResponse::setMaxSrq);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_srq_wr",
                QueryDeviceResponse::maxSrqWr,
                QueryDeviceResponse::setMaxSrqWr);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_srq_sge",
                QueryDeviceResponse::maxSrqSge,
                QueryDeviceResponse::setMaxSrqSge);
        all.ints(
                "ib_uverbs_query_device_resp",
                "max_pkeys",
                QueryDeviceResponse::maxPkeys,
                QueryDeviceResponse::setMaxPkeys);
        all.ints(
                "ib_uverbs_query_device_resp",
                "local_ca_ack_delay",
                QueryDeviceResponse::localCaAckDelay,
                QueryDeviceResponse::setLocalCaAckDelay);
        all.ints(
                "ib_uverbs_query_device_resp",
                "phys_port_cnt",
                QueryDeviceResponse::physPortCnt,
                QueryDeviceResponse::setPhysPortCnt);
    }

    private static void exQueryDevice(Accessors all) {
        all.ints("ib_uverbs_ex_query_device", "comp_mask", ExQueryDevice::compMask, ExQueryDevice::setCompMask);
    }

    private static void exQueryDeviceResponse(Accessors all) {
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "comp_mask",
                ExQueryDeviceResponse::compMask,
                ExQueryDeviceResponse::setCompMask);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "response_length",
                ExQueryDeviceResponse::responseLength,
                ExQueryDeviceResponse::setResponseLength);
        all.longs(
                "ib_uverbs_ex_query_device_resp",
                "odp_caps.general_caps",
                ExQueryDeviceResponse::odpGeneralCaps,
                ExQueryDeviceResponse::setOdpGeneralCaps);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "odp_caps.per_transport_caps.rc_odp_caps",
                ExQueryDeviceResponse::rcOdpCaps,
                ExQueryDeviceResponse::setRcOdpCaps);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "odp_caps.per_transport_caps.uc_odp_caps",
                ExQueryDeviceResponse::ucOdpCaps,
                ExQueryDeviceResponse::setUcOdpCaps);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "odp_caps.per_transport_caps.ud_odp_caps",
                ExQueryDeviceResponse::udOdpCaps,
                ExQueryDeviceResponse::setUdOdpCaps);
        all.longs(
                "ib_uverbs_ex_query_device_resp",
                "timestamp_mask",
                ExQueryDeviceResponse::timestampMask,
                ExQueryDeviceResponse::setTimestampMask);
        all.longs(
                "ib_uverbs_ex_query_device_resp",
                "hca_core_clock",
                ExQueryDeviceResponse::hcaCoreClock,
                ExQueryDeviceResponse::setHcaCoreClock);
        all.longs(
                "ib_uverbs_ex_query_device_resp",
                "device_cap_flags_ex",
                ExQueryDeviceResponse::deviceCapFlagsEx,
                ExQueryDeviceResponse::setDeviceCapFlagsEx);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "rss_caps.supported_qpts",
                ExQueryDeviceResponse::rssSupportedQpts,
                ExQueryDeviceResponse::setRssSupportedQpts);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "rss_caps.max_rwq_indirection_tables",
                ExQueryDeviceResponse::maxRwqIndirectionTables,
                ExQueryDeviceResponse::setMaxRwqIndirectionTables);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "rss_caps.max_rwq_indirection_table_size",
                ExQueryDeviceResponse::maxRwqIndirectionTableSize,
                ExQueryDeviceResponse::setMaxRwqIndirectionTableSize);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "max_wq_type_rq",
                ExQueryDeviceResponse::maxWqTypeRq,
                ExQueryDeviceResponse::setMaxWqTypeRq);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "raw_packet_caps",
                ExQueryDeviceResponse::rawPacketCaps,
                ExQueryDeviceResponse::setRawPacketCaps);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "tm_caps.max_rndv_hdr_size",
                ExQueryDeviceResponse::tmMaxRndvHdrSize,
                ExQueryDeviceResponse::setTmMaxRndvHdrSize);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "tm_caps.max_num_tags",
                ExQueryDeviceResponse::tmMaxNumTags,
                ExQueryDeviceResponse::setTmMaxNumTags);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "tm_caps.flags",
                ExQueryDeviceResponse::tmFlags,
                ExQueryDeviceResponse::setTmFlags);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "tm_caps.max_ops",
                ExQueryDeviceResponse::tmMaxOps,
                ExQueryDeviceResponse::setTmMaxOps);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "tm_caps.max_sge",
                ExQueryDeviceResponse::tmMaxSge,
                ExQueryDeviceResponse::setTmMaxSge);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "cq_moderation_caps.max_cq_moderation_count",
                ExQueryDeviceResponse::maxCqModerationCount,
                ExQueryDeviceResponse::setMaxCqModerationCount);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "cq_moderation_caps.max_cq_moderation_period",
                ExQueryDeviceResponse::maxCqModerationPeriod,
                ExQueryDeviceResponse::setMaxCqModerationPeriod);
        all.longs(
                "ib_uverbs_ex_query_device_resp",
                "max_dm_size",
                ExQueryDeviceResponse::maxDmSize,
                ExQueryDeviceResponse::setMaxDmSize);
        all.ints(
                "ib_uverbs_ex_query_device_resp",
                "xrc_odp_caps",
                ExQueryDeviceResponse::xrcOdpCaps,
                ExQueryDeviceResponse::setXrcOdpCaps);
    }

    private static void queryPort(Accessors all) {
        all.longs("ib_uverbs_query_port", "response", QueryPort::response, QueryPort::setResponse);
        all.ints("ib_uverbs_query_port", "port_num", QueryPort::portNum, QueryPort::setPortNum);
    }

    private static void queryPortResponse(Accessors all) {
        all.ints(
                "ib_uverbs_query_port_resp",
                "port_cap_flags",
                QueryPortResponse::portCapFlags,
                QueryPortResponse::setPortCapFlags);
        all.longs(
                "ib_uverbs_query_port_resp", "max_msg_sz", QueryPortResponse::maxMsgSz, QueryPortResponse::setMaxMsgSz);
        all.ints(
                "ib_uverbs_query_port_resp",
                "bad_pkey_cntr",
                QueryPortResponse::badPkeyCntr,
                QueryPortResponse::setBadPkeyCntr);
        all.ints(
                "ib_uverbs_query_port_resp",
                "qkey_viol_cntr",
                QueryPortResponse::qkeyViolCntr,
                QueryPortResponse::setQkeyViolCntr);
        all.ints(
                "ib_uverbs_query_port_resp",
                "gid_tbl_len",
                QueryPortResponse::gidTblLen,
                QueryPortResponse::setGidTblLen);
        all.ints(
                "ib_uverbs_query_port_resp",
                "pkey_tbl_len",
                QueryPortResponse::pkeyTblLen,
                QueryPortResponse::setPkeyTblLen);
        all.ints("ib_uverbs_query_port_resp", "lid", QueryPortResponse::lid, QueryPortResponse::setLid);
        all.ints("ib_uverbs_query_port_resp", "sm_lid", QueryPortResponse::smLid, QueryPortResponse::setSmLid);
        all.ints("ib_uverbs_query_port_resp", "state", QueryPortResponse::state, QueryPortResponse::setState);
        all.ints("ib_uverbs_query_port_resp", "max_mtu", QueryPortResponse::maxMtu, QueryPortResponse::setMaxMtu);
        all.ints(
                "ib_uverbs_query_port_resp",
                "active_mtu",
                QueryPortResponse::activeMtu,
                QueryPortResponse::setActiveMtu);
        all.ints("ib_uverbs_query_port_resp", "lmc", QueryPortResponse::lmc, QueryPortResponse::setLmc);
        all.ints(
                "ib_uverbs_query_port_resp", "max_vl_num", QueryPortResponse::maxVlNum, QueryPortResponse::setMaxVlNum);
        all.ints("ib_uverbs_query_port_resp", "sm_sl", QueryPortResponse::smSl, QueryPortResponse::setSmSl);
        all.ints(
                "ib_uverbs_query_port_resp",
                "subnet_timeout",
                QueryPortResponse::subnetTimeout,
                QueryPortResponse::setSubnetTimeout);
        all.ints(
                "ib_uverbs_query_port_resp",
                "init_type_reply",
                QueryPortResponse::initTypeReply,
                QueryPortResponse::setInitTypeReply);
        all.ints(
                "ib_uverbs_query_port_resp",
                "active_width",
                QueryPortResponse::activeWidth,
                QueryPortResponse::setActiveWidth);
        all.ints(
                "ib_uverbs_query_port_resp",
                "active_speed",
                QueryPortResponse::activeSpeed,
                QueryPortResponse::setActiveSpeed);
        all.ints(
                "ib_uverbs_query_port_resp",
                "phys_state",
                QueryPortResponse::physState,
                QueryPortResponse::setPhysState);
        all.ints(
                "ib_uverbs_query_port_resp",
                "link_layer",
                QueryPortResponse::linkLayer,
                QueryPortResponse::setLinkLayer);
        all.ints("ib_uverbs_query_port_resp", "flags", QueryPortResponse::flags, QueryPortResponse::setFlags);
    }

    private static void queryPortExtendedResponse(Accessors all) {
        all.ints(
                "ib_uverbs_query_port_resp_ex",
                "port_cap_flags2",
                QueryPortExtendedResponse::portCapFlags2,
                QueryPortExtendedResponse::setPortCapFlags2);
        all.ints(
                "ib_uverbs_query_port_resp_ex",
                "active_speed_ex",
                QueryPortExtendedResponse::activeSpeedEx,
                QueryPortExtendedResponse::setActiveSpeedEx);
    }
}
