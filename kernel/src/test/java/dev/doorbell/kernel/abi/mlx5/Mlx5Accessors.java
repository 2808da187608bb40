package dev.doorbell.kernel.abi.mlx5;

import dev.doorbell.kernel.abi.Accessors;

/** The accessors of what the mlx5 driver adds. */
public final class Mlx5Accessors {
    private Mlx5Accessors() {}

    /** Adds all of them. */
    public static void addTo(Accessors all) {
        addContext(all);
        addCommands(all);
        addSegments(all);
        addEntries(all);
    }

    private static void addContext(Accessors all) {
        all.ints("mlx5_ib_clock_info", "sign", Mlx5ClockInfo::sign, Mlx5ClockInfo::setSign);
        all.longs("mlx5_ib_clock_info", "nsec", Mlx5ClockInfo::nanoseconds, Mlx5ClockInfo::setNanoseconds);
        all.longs("mlx5_ib_clock_info", "cycles", Mlx5ClockInfo::cycles, Mlx5ClockInfo::setCycles);
        all.longs("mlx5_ib_clock_info", "frac", Mlx5ClockInfo::fraction, Mlx5ClockInfo::setFraction);
        all.ints("mlx5_ib_clock_info", "mult", Mlx5ClockInfo::multiplier, Mlx5ClockInfo::setMultiplier);
        all.ints("mlx5_ib_clock_info", "shift", Mlx5ClockInfo::shift, Mlx5ClockInfo::setShift);
        all.longs("mlx5_ib_clock_info", "mask", Mlx5ClockInfo::mask, Mlx5ClockInfo::setMask);
        all.longs(
                "mlx5_ib_clock_info",
                "overflow_period",
                Mlx5ClockInfo::overflowPeriod,
                Mlx5ClockInfo::setOverflowPeriod);
        all.ints(
                "mlx5_ib_create_qp_resp",
                "bfreg_index",
                Mlx5CreateQpResponse::register,
                Mlx5CreateQpResponse::setRegister);
        all.ints(
                "mlx5_ib_create_qp_resp",
                "ece_options",
                Mlx5CreateQpResponse::connectionOptions,
                Mlx5CreateQpResponse::setConnectionOptions);
        all.ints(
                "mlx5_ib_create_qp_resp",
                "comp_mask",
                Mlx5CreateQpResponse::validity,
                Mlx5CreateQpResponse::setValidity);
        all.ints(
                "mlx5_ib_create_qp_resp",
                "tirn",
                Mlx5CreateQpResponse::receiveTransport,
                Mlx5CreateQpResponse::setReceiveTransport);
        all.ints(
                "mlx5_ib_create_qp_resp",
                "tisn",
                Mlx5CreateQpResponse::sendTransport,
                Mlx5CreateQpResponse::setSendTransport);
        all.ints(
                "mlx5_ib_create_qp_resp",
                "rqn",
                Mlx5CreateQpResponse::receiveQueue,
                Mlx5CreateQpResponse::setReceiveQueue);
        all.ints("mlx5_ib_create_qp_resp", "sqn", Mlx5CreateQpResponse::sendQueue, Mlx5CreateQpResponse::setSendQueue);
        all.longs(
                "mlx5_ib_create_qp_resp",
                "tir_icm_addr",
                Mlx5CreateQpResponse::receiveTransportAddress,
                Mlx5CreateQpResponse::setReceiveTransportAddress);
        all.ints(
                "mlx5_ib_alloc_ucontext_req_v2",
                "total_num_bfregs",
                Mlx5GetContext::totalRegisters,
                Mlx5GetContext::setTotalRegisters);
        all.ints(
                "mlx5_ib_alloc_ucontext_req_v2",
                "num_low_latency_bfregs",
                Mlx5GetContext::lowLatencyRegisters,
                Mlx5GetContext::setLowLatencyRegisters);
        all.ints("mlx5_ib_alloc_ucontext_req_v2", "flags", Mlx5GetContext::flags, Mlx5GetContext::setFlags);
        all.ints("mlx5_ib_alloc_ucontext_req_v2", "comp_mask", Mlx5GetContext::compMask, Mlx5GetContext::setCompMask);
        all.ints(
                "mlx5_ib_alloc_ucontext_req_v2",
                "max_cqe_version",
                Mlx5GetContext::maxCqeVersion,
                Mlx5GetContext::setMaxCqeVersion);
        all.longs(
                "mlx5_ib_alloc_ucontext_req_v2",
                "lib_caps",
                Mlx5GetContext::capabilities,
                Mlx5GetContext::setCapabilities);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "qp_tab_size",
                Mlx5GetContextResponse::queuePairs,
                Mlx5GetContextResponse::setQueuePairs);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "bf_reg_size",
                Mlx5GetContextResponse::blueFlameSize,
                Mlx5GetContextResponse::setBlueFlameSize);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "tot_bfregs",
                Mlx5GetContextResponse::totalRegisters,
                Mlx5GetContextResponse::setTotalRegisters);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "cache_line_size",
                Mlx5GetContextResponse::cacheLine,
                Mlx5GetContextResponse::setCacheLine);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "max_sq_desc_sz",
                Mlx5GetContextResponse::maxSendWqe,
                Mlx5GetContextResponse::setMaxSendWqe);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "max_rq_desc_sz",
                Mlx5GetContextResponse::maxReceiveWqe,
                Mlx5GetContextResponse::setMaxReceiveWqe);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "max_send_wqebb",
                Mlx5GetContextResponse::maxSendBlocks,
                Mlx5GetContextResponse::setMaxSendBlocks);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "max_recv_wr",
                Mlx5GetContextResponse::maxReceiveRequests,
                Mlx5GetContextResponse::setMaxReceiveRequests);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "max_srq_recv_wr",
                Mlx5GetContextResponse::maxSharedRequests,
                Mlx5GetContextResponse::setMaxSharedRequests);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "num_ports",
                Mlx5GetContextResponse::ports,
                Mlx5GetContextResponse::setPorts);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "flow_action_flags",
                Mlx5GetContextResponse::flowActionFlags,
                Mlx5GetContextResponse::setFlowActionFlags);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "comp_mask",
                Mlx5GetContextResponse::validity,
                Mlx5GetContextResponse::setValidity);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "response_length",
                Mlx5GetContextResponse::responseLength,
                Mlx5GetContextResponse::setResponseLength);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "cqe_version",
                Mlx5GetContextResponse::cqeVersion,
                Mlx5GetContextResponse::setCqeVersion);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "cmds_supp_uhw",
                Mlx5GetContextResponse::answers,
                Mlx5GetContextResponse::setAnswers);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "eth_min_inline",
                Mlx5GetContextResponse::minInline,
                Mlx5GetContextResponse::setMinInline);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "clock_info_versions",
                Mlx5GetContextResponse::clockVersions,
                Mlx5GetContextResponse::setClockVersions);
        all.longs(
                "mlx5_ib_alloc_ucontext_resp",
                "hca_core_clock_offset",
                Mlx5GetContextResponse::clockOffset,
                Mlx5GetContextResponse::setClockOffset);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "log_uar_size",
                Mlx5GetContextResponse::logPageSize,
                Mlx5GetContextResponse::setLogPageSize);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "num_uars_per_page",
                Mlx5GetContextResponse::pagesPerSystemPage,
                Mlx5GetContextResponse::setPagesPerSystemPage);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "num_dyn_bfregs",
                Mlx5GetContextResponse::dynamicRegisters,
                Mlx5GetContextResponse::setDynamicRegisters);
        all.ints(
                "mlx5_ib_alloc_ucontext_resp",
                "dump_fill_mkey",
                Mlx5GetContextResponse::fillKey,
                Mlx5GetContextResponse::setFillKey);
    }

    private static void addCommands(Accessors all) {
        all.ints("mlx5_ib_alloc_pd_resp", "pdn", Mlx5AllocPdResponse::number, Mlx5AllocPdResponse::setNumber);
        all.ints(
                "mlx5_ib_create_ah_resp",
                "response_length",
                Mlx5CreateAhResponse::responseLength,
                Mlx5CreateAhResponse::setResponseLength);
        all.longs("mlx5_ib_create_cq", "buf_addr", Mlx5CreateCq::buffer, Mlx5CreateCq::setBuffer);
        all.longs("mlx5_ib_create_cq", "db_addr", Mlx5CreateCq::record, Mlx5CreateCq::setRecord);
        all.ints("mlx5_ib_create_cq", "cqe_size", Mlx5CreateCq::entrySize, Mlx5CreateCq::setEntrySize);
        all.ints("mlx5_ib_create_cq", "cqe_comp_en", Mlx5CreateCq::compression, Mlx5CreateCq::setCompression);
        all.ints(
                "mlx5_ib_create_cq",
                "cqe_comp_res_format",
                Mlx5CreateCq::compressionFormat,
                Mlx5CreateCq::setCompressionFormat);
        all.ints("mlx5_ib_create_cq", "flags", Mlx5CreateCq::flags, Mlx5CreateCq::setFlags);
        all.ints("mlx5_ib_create_cq", "uar_page_index", Mlx5CreateCq::registerPage, Mlx5CreateCq::setRegisterPage);
        all.ints("mlx5_ib_create_cq_resp", "cqn", Mlx5CreateCqResponse::number, Mlx5CreateCqResponse::setNumber);
        all.longs("mlx5_ib_create_qp", "buf_addr", Mlx5CreateQp::buffer, Mlx5CreateQp::setBuffer);
        all.longs("mlx5_ib_create_qp", "db_addr", Mlx5CreateQp::record, Mlx5CreateQp::setRecord);
        all.ints("mlx5_ib_create_qp", "sq_wqe_count", Mlx5CreateQp::sendBlocks, Mlx5CreateQp::setSendBlocks);
        all.ints("mlx5_ib_create_qp", "rq_wqe_count", Mlx5CreateQp::receiveRequests, Mlx5CreateQp::setReceiveRequests);
        all.ints("mlx5_ib_create_qp", "rq_wqe_shift", Mlx5CreateQp::receiveShift, Mlx5CreateQp::setReceiveShift);
        all.ints("mlx5_ib_create_qp", "flags", Mlx5CreateQp::flags, Mlx5CreateQp::setFlags);
        all.ints("mlx5_ib_create_qp", "uidx", Mlx5CreateQp::userIndex, Mlx5CreateQp::setUserIndex);
        all.ints("mlx5_ib_create_qp", "bfreg_index", Mlx5CreateQp::register, Mlx5CreateQp::setRegister);
        all.longs("mlx5_ib_create_qp", "sq_buf_addr", Mlx5CreateQp::sendBuffer, Mlx5CreateQp::setSendBuffer);
        all.ints(
                "mlx5_ib_create_qp",
                "ece_options",
                Mlx5CreateQp::connectionOptions,
                Mlx5CreateQp::setConnectionOptions);
        all.longs("mlx5_ib_create_srq", "buf_addr", Mlx5CreateSrq::buffer, Mlx5CreateSrq::setBuffer);
        all.longs("mlx5_ib_create_srq", "db_addr", Mlx5CreateSrq::record, Mlx5CreateSrq::setRecord);
        all.ints("mlx5_ib_create_srq", "flags", Mlx5CreateSrq::flags, Mlx5CreateSrq::setFlags);
        all.ints("mlx5_ib_create_srq", "uidx", Mlx5CreateSrq::userIndex, Mlx5CreateSrq::setUserIndex);
        all.ints("mlx5_ib_create_srq_resp", "srqn", Mlx5CreateSrqResponse::number, Mlx5CreateSrqResponse::setNumber);
        all.ints("mlx5_ib_modify_qp", "comp_mask", Mlx5ModifyQp::validity, Mlx5ModifyQp::setValidity);
        all.ints("mlx5_ib_modify_qp", "burst_info.max_burst_sz", Mlx5ModifyQp::maxBurst, Mlx5ModifyQp::setMaxBurst);
        all.ints(
                "mlx5_ib_modify_qp",
                "burst_info.typical_pkt_sz",
                Mlx5ModifyQp::typicalPacket,
                Mlx5ModifyQp::setTypicalPacket);
        all.ints(
                "mlx5_ib_modify_qp",
                "ece_options",
                Mlx5ModifyQp::connectionOptions,
                Mlx5ModifyQp::setConnectionOptions);
        all.ints(
                "mlx5_ib_modify_qp_resp",
                "response_length",
                Mlx5ModifyQpResponse::responseLength,
                Mlx5ModifyQpResponse::setResponseLength);
        all.ints("mlx5_ib_modify_qp_resp", "dctn", Mlx5ModifyQpResponse::dctNumber, Mlx5ModifyQpResponse::setDctNumber);
        all.ints(
                "mlx5_ib_modify_qp_resp",
                "ece_options",
                Mlx5ModifyQpResponse::connectionOptions,
                Mlx5ModifyQpResponse::setConnectionOptions);
        all.longs("mlx5_ib_resize_cq", "buf_addr", Mlx5ResizeCq::buffer, Mlx5ResizeCq::setBuffer);
        all.ints("mlx5_ib_resize_cq", "cqe_size", Mlx5ResizeCq::entrySize, Mlx5ResizeCq::setEntrySize);
    }

    private static void addSegments(Accessors all) {
        all.longs("mlx5_wqe_atomic_seg", "swap_add", AtomicSegment::swapOrAdd, AtomicSegment::setSwapOrAdd);
        all.longs("mlx5_wqe_atomic_seg", "compare", AtomicSegment::compare, AtomicSegment::setCompare);
        all.ints(
                "mlx5_wqe_ctrl_seg",
                "opmod_idx_opcode",
                ControlSegment::indexAndOpcode,
                ControlSegment::setIndexAndOpcode);
        all.ints(
                "mlx5_wqe_ctrl_seg", "qpn_ds", ControlSegment::queuePairAndUnits, ControlSegment::setQueuePairAndUnits);
        all.ints("mlx5_wqe_ctrl_seg", "signature", ControlSegment::signature, ControlSegment::setSignature);
        all.ints("mlx5_wqe_ctrl_seg", "dci_stream_channel_id", ControlSegment::stream, ControlSegment::setStream);
        all.ints("mlx5_wqe_ctrl_seg", "fm_ce_se", ControlSegment::flags, ControlSegment::setFlags);
        all.ints("mlx5_wqe_ctrl_seg", "imm", ControlSegment::immediate, ControlSegment::setImmediate);
        all.ints("mlx5_wqe_data_seg", "byte_count", DataSegment::length, DataSegment::setLength);
        all.ints("mlx5_wqe_data_seg", "lkey", DataSegment::key, DataSegment::setKey);
        all.longs("mlx5_wqe_data_seg", "addr", DataSegment::addr, DataSegment::setAddr);
        all.ints("mlx5_wqe_datagram_seg", "av.key.qkey.qkey", DatagramSegment::qkey, DatagramSegment::setQkey);
        all.ints(
                "mlx5_wqe_datagram_seg",
                "av.key.qkey.reserved",
                DatagramSegment::reserved,
                DatagramSegment::setReserved);
        all.ints("mlx5_wqe_datagram_seg", "av.dqp_dct", DatagramSegment::destination, DatagramSegment::setDestination);
        all.ints(
                "mlx5_wqe_datagram_seg",
                "av.stat_rate_sl",
                DatagramSegment::rateAndServiceLevel,
                DatagramSegment::setRateAndServiceLevel);
        all.ints("mlx5_wqe_datagram_seg", "av.fl_mlid", DatagramSegment::sourcePath, DatagramSegment::setSourcePath);
        all.ints("mlx5_wqe_datagram_seg", "av.rlid", DatagramSegment::lidOrPort, DatagramSegment::setLidOrPort);
        all.ints("mlx5_wqe_datagram_seg", "av.tclass", DatagramSegment::trafficClass, DatagramSegment::setTrafficClass);
        all.ints("mlx5_wqe_datagram_seg", "av.hop_limit", DatagramSegment::hopLimit, DatagramSegment::setHopLimit);
        all.ints("mlx5_wqe_datagram_seg", "av.grh_gid_fl", DatagramSegment::gidAndFlow, DatagramSegment::setGidAndFlow);
        all.ints("mlx5_wqe_inl_data_seg", "byte_count", InlineSegment::lengthAndMark, InlineSegment::setLengthAndMark);
        all.ints("mlx5_wqe_mkey_context_seg", "free", MkeySegment::free, MkeySegment::setFree);
        all.ints("mlx5_wqe_mkey_context_seg", "access_flags", MkeySegment::access, MkeySegment::setAccess);
        all.ints("mlx5_wqe_mkey_context_seg", "sf", MkeySegment::sf, MkeySegment::setSf);
        all.ints(
                "mlx5_wqe_mkey_context_seg", "qpn_mkey", MkeySegment::queuePairAndKey, MkeySegment::setQueuePairAndKey);
        all.ints("mlx5_wqe_mkey_context_seg", "flags_pd", MkeySegment::flagsAndDomain, MkeySegment::setFlagsAndDomain);
        all.longs("mlx5_wqe_mkey_context_seg", "start_addr", MkeySegment::address, MkeySegment::setAddress);
        all.longs("mlx5_wqe_mkey_context_seg", "len", MkeySegment::len, MkeySegment::setLen);
        all.ints(
                "mlx5_wqe_mkey_context_seg",
                "bsf_octword_size",
                MkeySegment::signatureUnits,
                MkeySegment::setSignatureUnits);
        all.ints(
                "mlx5_wqe_mkey_context_seg",
                "translations_octword_size",
                MkeySegment::translationUnits,
                MkeySegment::setTranslationUnits);
        all.ints("mlx5_wqe_mkey_context_seg", "log_page_size", MkeySegment::logPageSize, MkeySegment::setLogPageSize);
        all.longs("mlx5_wqe_raddr_seg", "raddr", RemoteSegment::address, RemoteSegment::setAddress);
        all.ints("mlx5_wqe_raddr_seg", "rkey", RemoteSegment::key, RemoteSegment::setKey);
        all.ints("mlx5_wqe_raddr_seg", "reserved", RemoteSegment::reserved, RemoteSegment::setReserved);
        all.ints("mlx5_wqe_srq_next_seg", "next_wqe_index", SrqNextSegment::next, SrqNextSegment::setNext);
        all.ints("mlx5_wqe_srq_next_seg", "signature", SrqNextSegment::signature, SrqNextSegment::setSignature);
        all.ints("mlx5_wqe_umr_ctrl_seg", "flags", UmrSegment::flags, UmrSegment::setFlags);
        all.ints(
                "mlx5_wqe_umr_ctrl_seg",
                "klm_octowords",
                UmrSegment::translationUnits,
                UmrSegment::setTranslationUnits);
        all.ints(
                "mlx5_wqe_umr_ctrl_seg",
                "translation_offset",
                UmrSegment::translationOffset,
                UmrSegment::setTranslationOffset);
        all.longs("mlx5_wqe_umr_ctrl_seg", "mkey_mask", UmrSegment::mask, UmrSegment::setMask);
    }

    private static void addEntries(Accessors all) {
        all.ints("mlx5_cqe64", "wqe_id", Cqe::strideIndex, Cqe::setStrideIndex);
        all.ints("mlx5_cqe64", "ml_path", Cqe::pathBits, Cqe::setPathBits);
        all.ints("mlx5_cqe64", "slid", Cqe::sourceLid, Cqe::setSourceLid);
        all.ints("mlx5_cqe64", "flags_rqpn", Cqe::flagsAndSource, Cqe::setFlagsAndSource);
        all.ints("mlx5_cqe64", "hds_ip_ext", Cqe::headerSplit, Cqe::setHeaderSplit);
        all.ints("mlx5_cqe64", "l4_hdr_type_etc", Cqe::l4, Cqe::setL4);
        all.ints("mlx5_cqe64", "vlan_info", Cqe::vlan, Cqe::setVlan);
        all.ints("mlx5_cqe64", "srqn_uidx", Cqe::userIndex, Cqe::setUserIndex);
        all.ints("mlx5_cqe64", "imm_inval_pkey", Cqe::immediate, Cqe::setImmediate);
        all.ints("mlx5_cqe64", "app", Cqe::app, Cqe::setApp);
        all.ints("mlx5_cqe64", "app_op", Cqe::appOperation, Cqe::setAppOperation);
        all.ints("mlx5_cqe64", "app_info", Cqe::appInfo, Cqe::setAppInfo);
        all.ints("mlx5_cqe64", "byte_cnt", Cqe::length, Cqe::setLength);
        all.longs("mlx5_cqe64", "timestamp", Cqe::timestamp, Cqe::setTimestamp);
        all.ints("mlx5_cqe64", "sop_drop_qpn", Cqe::opcodeAndQueuePair, Cqe::setOpcodeAndQueuePair);
        all.ints("mlx5_cqe64", "wqe_counter", Cqe::wqeCounter, Cqe::setWqeCounter);
        all.ints("mlx5_cqe64", "signature", Cqe::signature, Cqe::setSignature);
        all.ints("mlx5_cqe64", "op_own", Cqe::opAndOwner, Cqe::setOpAndOwner);
        all.ints("mlx5_err_cqe", "vendor_err_synd", ErrorCqe::vendorError, ErrorCqe::setVendorError);
        all.ints("mlx5_err_cqe", "syndrome", ErrorCqe::syndrome, ErrorCqe::setSyndrome);
    }
}
