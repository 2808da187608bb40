package dev.doorbell.kernel.abi;

/** The accessors of what the rxe driver adds. */
final class RingAccessors {
    private RingAccessors() {}

    static void addTo(Accessors all) {
        rxeMmapInfo(all);
        rxeCreateSrqResponse(all);
        rxeCreateAhResponse(all);
        rxeModifySrq(all);
        rxeSge(all);
        rxeCqe(all);
        rxeRecvWqe(all);
        rxeSendWqe(all);
        rxeRdmaWr(all);
        rxeAtomicWr(all);
        rxeFlushWr(all);
        rxeBindWr(all);
        rxeAv(all);
        rxeUdWr(all);
    }

    private static void rxeMmapInfo(Accessors all) {
        all.longs("mminfo", "offset", RxeMmapInfo::offset, RxeMmapInfo::setOffset);
        all.ints("mminfo", "size", RxeMmapInfo::length, RxeMmapInfo::setLength);
    }

    private static void rxeCreateSrqResponse(Accessors all) {
        all.ints("rxe_create_srq_resp", "srq_num", RxeCreateSrqResponse::srqNum, RxeCreateSrqResponse::setSrqNum);
    }

    private static void rxeCreateAhResponse(Accessors all) {
        all.ints("rxe_create_ah_resp", "ah_num", RxeCreateAhResponse::ahNum, RxeCreateAhResponse::setAhNum);
    }

    private static void rxeModifySrq(Accessors all) {
        all.longs("rxe_modify_srq_cmd", "mmap_info_addr", RxeModifySrq::mmapInfoAddr, RxeModifySrq::setMmapInfoAddr);
    }

    private static void rxeSge(Accessors all) {
        all.longs("rxe_sge", "addr", RxeSge::addr, RxeSge::setAddr);
        all.longs("rxe_sge", "length", RxeSge::length, RxeSge::setLength);
        all.ints("rxe_sge", "lkey", RxeSge::lkey, RxeSge::setLkey);
    }

    private static void rxeCqe(Accessors all) {
        all.longs("ib_uverbs_wc", "wr_id", RxeCqe::wrId, RxeCqe::setWrId);
        all.ints("ib_uverbs_wc", "status", RxeCqe::status, RxeCqe::setStatus);
        all.ints("ib_uverbs_wc", "opcode", RxeCqe::opcode, RxeCqe::setOpcode);
        all.ints("ib_uverbs_wc", "vendor_err", RxeCqe::vendorErr, RxeCqe::setVendorErr);
        all.longs("ib_uverbs_wc", "byte_len", RxeCqe::byteLen, RxeCqe::setByteLen);
        all.ints("ib_uverbs_wc", "ex.imm_data", RxeCqe::immData, RxeCqe::setImmData);
        all.ints("ib_uverbs_wc", "ex.invalidate_rkey", RxeCqe::invalidateRkey, RxeCqe::setInvalidateRkey);
        all.ints("ib_uverbs_wc", "qp_num", RxeCqe::qpNum, RxeCqe::setQpNum);
        all.ints("ib_uverbs_wc", "src_qp", RxeCqe::srcQp, RxeCqe::setSrcQp);
        all.ints("ib_uverbs_wc", "wc_flags", RxeCqe::wcFlags, RxeCqe::setWcFlags);
        all.ints("ib_uverbs_wc", "pkey_index", RxeCqe::pkeyIndex, RxeCqe::setPkeyIndex);
        all.ints("ib_uverbs_wc", "slid", RxeCqe::slid, RxeCqe::setSlid);
        all.ints("ib_uverbs_wc", "sl", RxeCqe::sl, RxeCqe::setSl);
        all.ints("ib_uverbs_wc", "dlid_path_bits", RxeCqe::dlidPathBits, RxeCqe::setDlidPathBits);
        all.ints("ib_uverbs_wc", "port_num", RxeCqe::portNum, RxeCqe::setPortNum);
    }

    private static void rxeRecvWqe(Accessors all) {
        all.longs("rxe_recv_wqe", "wr_id", RxeRecvWqe::wrId, RxeRecvWqe::setWrId);
        all.longs("rxe_recv_wqe", "dma.length", RxeRecvWqe::dmaLength, RxeRecvWqe::setDmaLength);
        all.longs("rxe_recv_wqe", "dma.resid", RxeRecvWqe::dmaResid, RxeRecvWqe::setDmaResid);
        all.ints("rxe_recv_wqe", "dma.cur_sge", RxeRecvWqe::dmaCurSge, RxeRecvWqe::setDmaCurSge);
        all.ints("rxe_recv_wqe", "dma.num_sge", RxeRecvWqe::dmaNumSge, RxeRecvWqe::setDmaNumSge);
        all.ints("rxe_recv_wqe", "dma.sge_offset", RxeRecvWqe::dmaSgeOffset, RxeRecvWqe::setDmaSgeOffset);
    }

    private static void rxeSendWqe(Accessors all) {
        all.longs("rxe_send_wqe", "wr.wr_id", RxeSendWqe::wrId, RxeSendWqe::setWrId);
        all.ints("rxe_send_wqe", "wr.opcode", RxeSendWqe::opcode, RxeSendWqe::setOpcode);
        all.ints("rxe_send_wqe", "wr.send_flags", RxeSendWqe::sendFlags, RxeSendWqe::setSendFlags);
        all.ints("rxe_send_wqe", "wr.ex.imm_data", RxeSendWqe::immData, RxeSendWqe::setImmData);
        all.ints("rxe_send_wqe", "wr.ex.invalidate_rkey", RxeSendWqe::invalidateRkey, RxeSendWqe::setInvalidateRkey);
        all.ints("rxe_send_wqe", "status", RxeSendWqe::status, RxeSendWqe::setStatus);
        all.ints("rxe_send_wqe", "state", RxeSendWqe::state, RxeSendWqe::setState);
        all.longs("rxe_send_wqe", "iova", RxeSendWqe::iova, RxeSendWqe::setIova);
        all.ints("rxe_send_wqe", "mask", RxeSendWqe::mask, RxeSendWqe::setMask);
        all.ints("rxe_send_wqe", "first_psn", RxeSendWqe::firstPsn, RxeSendWqe::setFirstPsn);
        all.ints("rxe_send_wqe", "last_psn", RxeSendWqe::lastPsn, RxeSendWqe::setLastPsn);
        all.ints("rxe_send_wqe", "ack_length", RxeSendWqe::ackLength, RxeSendWqe::setAckLength);
        all.ints("rxe_send_wqe", "ssn", RxeSendWqe::ssn, RxeSendWqe::setSsn);
        all.ints("rxe_send_wqe", "has_rd_atomic", RxeSendWqe::hasRdAtomic, RxeSendWqe::setHasRdAtomic);
        all.longs("rxe_send_wqe", "dma.length", RxeSendWqe::dmaLength, RxeSendWqe::setDmaLength);
        all.longs("rxe_send_wqe", "dma.resid", RxeSendWqe::dmaResid, RxeSendWqe::setDmaResid);
        all.ints("rxe_send_wqe", "dma.cur_sge", RxeSendWqe::dmaCurSge, RxeSendWqe::setDmaCurSge);
        all.ints("rxe_send_wqe", "dma.num_sge", RxeSendWqe::dmaNumSge, RxeSendWqe::setDmaNumSge);
        all.ints("rxe_send_wqe", "dma.sge_offset", RxeSendWqe::dmaSgeOffset, RxeSendWqe::setDmaSgeOffset);
    }

    private static void rxeRdmaWr(Accessors all) {
        all.longs("rxe_send_wqe", "wr.wr.rdma.remote_addr", RxeRdmaWr::remoteAddr, RxeRdmaWr::setRemoteAddr);
        all.ints("rxe_send_wqe", "wr.wr.rdma.rkey", RxeRdmaWr::rkey, RxeRdmaWr::setRkey);
    }

    private static void rxeAtomicWr(Accessors all) {
        all.longs("rxe_send_wqe", "wr.wr.atomic.remote_addr", RxeAtomicWr::remoteAddr, RxeAtomicWr::setRemoteAddr);
        all.longs("rxe_send_wqe", "wr.wr.atomic.compare_add", RxeAtomicWr::compareAdd, RxeAtomicWr::setCompareAdd);
        all.longs("rxe_send_wqe", "wr.wr.atomic.swap", RxeAtomicWr::swap, RxeAtomicWr::setSwap);
        all.ints("rxe_send_wqe", "wr.wr.atomic.rkey", RxeAtomicWr::rkey, RxeAtomicWr::setRkey);
    }

    private static void rxeFlushWr(Accessors all) {
        all.longs("rxe_send_wqe", "wr.wr.flush.remote_addr", RxeFlushWr::remoteAddr, RxeFlushWr::setRemoteAddr);
        all.longs("rxe_send_wqe", "wr.wr.flush.length", RxeFlushWr::length, RxeFlushWr::setLength);
        all.ints("rxe_send_wqe", "wr.wr.flush.rkey", RxeFlushWr::rkey, RxeFlushWr::setRkey);
        all.ints("rxe_send_wqe", "wr.wr.flush.type", RxeFlushWr::type, RxeFlushWr::setType);
        all.ints("rxe_send_wqe", "wr.wr.flush.level", RxeFlushWr::level, RxeFlushWr::setLevel);
    }

    private static void rxeBindWr(Accessors all) {
        all.longs("rxe_send_wqe", "wr.wr.mw.addr", RxeBindWr::addr, RxeBindWr::setAddr);
        all.longs("rxe_send_wqe", "wr.wr.mw.length", RxeBindWr::length, RxeBindWr::setLength);
        all.ints("rxe_send_wqe", "wr.wr.mw.mr_lkey", RxeBindWr::mrLkey, RxeBindWr::setMrLkey);
        all.ints("rxe_send_wqe", "wr.wr.mw.mw_rkey", RxeBindWr::mwRkey, RxeBindWr::setMwRkey);
        all.ints("rxe_send_wqe", "wr.wr.mw.rkey", RxeBindWr::rkey, RxeBindWr::setRkey);
        all.ints("rxe_send_wqe", "wr.wr.mw.access", RxeBindWr::access, RxeBindWr::setAccess);
    }

    private static void rxeAv(Accessors all) {
        all.ints("rxe_av", "port_num", RxeAv::portNum, RxeAv::setPortNum);
        all.ints("rxe_av", "network_type", RxeAv::networkType, RxeAv::setNetworkType);
        all.gids("rxe_av", "grh.dgid", RxeAv::dgid, RxeAv::setDgid);
        all.ints("rxe_av", "grh.flow_label", RxeAv::flowLabel, RxeAv::setFlowLabel);
        all.ints("rxe_av", "grh.sgid_index", RxeAv::sgidIndex, RxeAv::setSgidIndex);
        all.ints("rxe_av", "grh.hop_limit", RxeAv::hopLimit, RxeAv::setHopLimit);
        all.ints("rxe_av", "grh.traffic_class", RxeAv::trafficClass, RxeAv::setTrafficClass);
    }

    private static void rxeUdWr(Accessors all) {
        all.ints("rxe_send_wqe", "wr.wr.ud.remote_qpn", RxeUdWr::remoteQpn, RxeUdWr::setRemoteQpn);
        all.ints("rxe_send_wqe", "wr.wr.ud.remote_qkey", RxeUdWr::remoteQkey, RxeUdWr::setRemoteQkey);
        all.ints("rxe_send_wqe", "wr.wr.ud.pkey_index", RxeUdWr::pkeyIndex, RxeUdWr::setPkeyIndex);
        all.ints("rxe_send_wqe", "wr.wr.ud.ah_num", RxeUdWr::ahNum, RxeUdWr::setAhNum);
    }
}
