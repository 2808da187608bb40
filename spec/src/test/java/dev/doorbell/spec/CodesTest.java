package dev.doorbell.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The numbers of the verbs, written down a second time in the form in which the specifications list them. */
class CodesTest {
    private static <E extends Enum<E>> String list(E[] values, ToLongFunction<E> number) {
        return Arrays.stream(values)
                .filter(value -> !value.name().equals("UNKNOWN"))
                .map(value -> value.name() + " " + number.applyAsLong(value))
                .collect(Collectors.joining(", "));
    }

    private static <E extends Enum<E>> void assertLookup(
            E[] values, Function<E, Integer> code, IntFunction<E> of, E unknown) {
        for (E value : values) {
            assertThat(of.apply(code.apply(value))).isEqualTo(value);
        }
        for (int number : List.of(-2, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
            assertThat(of.apply(number)).isEqualTo(unknown);
        }
        assertThat(code.apply(unknown)).isEqualTo(-1);
    }

    @Test
    void workRequestOpcodes() {
        assertThat(list(WorkRequestOpcode.values(), WorkRequestOpcode::code))
                .isEqualTo("RDMA_WRITE 0, RDMA_WRITE_WITH_IMM 1, SEND 2, SEND_WITH_IMM 3, RDMA_READ 4,"
                        + " ATOMIC_CMP_AND_SWP 5, ATOMIC_FETCH_AND_ADD 6, LOCAL_INV 7, BIND_MW 8, SEND_WITH_INV 9,"
                        + " TSO 10, DRIVER1 11, FLUSH 14, ATOMIC_WRITE 15");
        assertLookup(
                WorkRequestOpcode.values(), WorkRequestOpcode::code, WorkRequestOpcode::of, WorkRequestOpcode.UNKNOWN);
        assertThat(WorkRequestOpcode.of(12)).isEqualTo(WorkRequestOpcode.UNKNOWN);
    }

    @Test
    void connectionManager() {
        assertThat(list(CmEventType.values(), CmEventType::code))
                .isEqualTo("ADDR_RESOLVED 0, ADDR_ERROR 1, ROUTE_RESOLVED 2, ROUTE_ERROR 3, CONNECT_REQUEST 4,"
                        + " CONNECT_RESPONSE 5, CONNECT_ERROR 6, UNREACHABLE 7, REJECTED 8, ESTABLISHED 9,"
                        + " DISCONNECTED 10, DEVICE_REMOVAL 11, MULTICAST_JOIN 12, MULTICAST_ERROR 13,"
                        + " ADDR_CHANGE 14, TIMEWAIT_EXIT 15");
        assertLookup(CmEventType.values(), CmEventType::code, CmEventType::of, CmEventType.UNKNOWN);
        assertThat(list(RejectReason.values(), RejectReason::code))
                .isEqualTo("NO_QP 1, NO_EEC 2, NO_RESOURCES 3, TIMEOUT 4, UNSUPPORTED_REQUEST 5, INVALID_COMM_ID 6,"
                        + " INVALID_COMM_INSTANCE 7, INVALID_SERVICE_ID 8, INVALID_TRANSPORT_TYPE 9,"
                        + " STALE_CONNECTION 10, RDC_DOES_NOT_EXIST 11, INVALID_GID 12, INVALID_LID 13,"
                        + " INVALID_SL 14, INVALID_TRAFFIC_CLASS 15, INVALID_HOP_LIMIT 16, INVALID_PACKET_RATE 17,"
                        + " INVALID_ALT_GID 18, INVALID_ALT_LID 19, INVALID_ALT_SL 20, INVALID_ALT_TRAFFIC_CLASS 21,"
                        + " INVALID_ALT_HOP_LIMIT 22, INVALID_ALT_PACKET_RATE 23, PORT_CM_REDIRECT 24,"
                        + " PORT_REDIRECT 25, INVALID_MTU 26, INSUFFICIENT_RESPONDER_RESOURCES 27,"
                        + " CONSUMER_DEFINED 28, INVALID_RNR_RETRY 29, DUPLICATE_LOCAL_COMM_ID 30,"
                        + " INVALID_CLASS_VERSION 31, INVALID_FLOW_LABEL 32, INVALID_ALT_FLOW_LABEL 33,"
                        + " VENDOR_OPTION_NOT_SUPPORTED 35");
        assertLookup(RejectReason.values(), RejectReason::code, RejectReason::of, RejectReason.UNKNOWN);
        assertThat(list(PortSpace.values(), PortSpace::code)).isEqualTo("IPOIB 2, TCP 262, UDP 273, IB 319");
        assertThat(PortSpace.TCP.serviceId(7174)).isEqualTo(0x1061c06L);
    }

    @Test
    void workCompletionOpcodes() {
        assertThat(list(WorkCompletionOpcode.values(), WorkCompletionOpcode::code))
                .isEqualTo("SEND 0, RDMA_WRITE 1, RDMA_READ 2, COMP_SWAP 3, FETCH_ADD 4, BIND_MW 5, LOCAL_INV 6,"
                        + " TSO 7, FLUSH 8, ATOMIC_WRITE 9, RECV 128, RECV_RDMA_WITH_IMM 129, TM_ADD 130, TM_DEL 131,"
                        + " TM_SYNC 132, TM_RECV 133, TM_NO_TAG 134, DRIVER1 135, DRIVER2 136, DRIVER3 137");
        assertLookup(
                WorkCompletionOpcode.values(),
                WorkCompletionOpcode::code,
                WorkCompletionOpcode::of,
                WorkCompletionOpcode.UNKNOWN);
        assertThat(WorkCompletionOpcode.RECV.isReceive()).isTrue();
        assertThat(WorkCompletionOpcode.RECV_RDMA_WITH_IMM.isReceive()).isTrue();
        assertThat(WorkCompletionOpcode.SEND.isReceive()).isFalse();
    }

    @Test
    void workCompletionStatuses() {
        assertThat(list(WorkCompletionStatus.values(), WorkCompletionStatus::code))
                .isEqualTo("SUCCESS 0, LOC_LEN_ERR 1, LOC_QP_OP_ERR 2, LOC_EEC_OP_ERR 3, LOC_PROT_ERR 4,"
                        + " WR_FLUSH_ERR 5, MW_BIND_ERR 6, BAD_RESP_ERR 7, LOC_ACCESS_ERR 8, REM_INV_REQ_ERR 9,"
                        + " REM_ACCESS_ERR 10, REM_OP_ERR 11, RETRY_EXC_ERR 12, RNR_RETRY_EXC_ERR 13,"
                        + " LOC_RDD_VIOL_ERR 14, REM_INV_RD_REQ_ERR 15, REM_ABORT_ERR 16, INV_EECN_ERR 17,"
                        + " INV_EEC_STATE_ERR 18, FATAL_ERR 19, RESP_TIMEOUT_ERR 20, GENERAL_ERR 21, TM_ERR 22,"
                        + " TM_RNDV_INCOMPLETE 23");
        assertLookup(
                WorkCompletionStatus.values(),
                WorkCompletionStatus::code,
                WorkCompletionStatus::of,
                WorkCompletionStatus.UNKNOWN);
        assertThat(WorkCompletionStatus.of(24)).isEqualTo(WorkCompletionStatus.UNKNOWN);
        for (WorkCompletionStatus status : WorkCompletionStatus.values()) {
            assertThat(status.text()).isNotBlank();
            assertThat(status.cause()).isNotBlank();
            assertThat(status.hint()).isNotBlank();
            assertThat(status.isSuccess()).isEqualTo(status == WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void asyncEvents() {
        assertThat(list(AsyncEventType.values(), AsyncEventType::code))
                .isEqualTo("CQ_ERR 0, QP_FATAL 1, QP_REQ_ERR 2, QP_ACCESS_ERR 3, COMM_EST 4, SQ_DRAINED 5,"
                        + " PATH_MIG 6, PATH_MIG_ERR 7, DEVICE_FATAL 8, PORT_ACTIVE 9, PORT_ERR 10, LID_CHANGE 11,"
                        + " PKEY_CHANGE 12, SM_CHANGE 13, SRQ_ERR 14, SRQ_LIMIT_REACHED 15, QP_LAST_WQE_REACHED 16,"
                        + " CLIENT_REREGISTER 17, GID_CHANGE 18, WQ_FATAL 19, DEVICE_SPEED_CHANGE 20");
        assertLookup(AsyncEventType.values(), AsyncEventType::code, AsyncEventType::of, AsyncEventType.UNKNOWN);
    }

    @Test
    void portsNodesAndAtomics() {
        assertThat(list(PortState.values(), PortState::code))
                .isEqualTo("NOP 0, DOWN 1, INIT 2, ARMED 3, ACTIVE 4, ACTIVE_DEFER 5");
        assertThat(PortState.of(4).label()).isEqualTo("PORT_ACTIVE");
        assertThat(list(PortPhysicalState.values(), PortPhysicalState::code))
                .isEqualTo("SLEEP 1, POLLING 2, DISABLED 3, PORT_CONFIGURATION_TRAINING 4, LINK_UP 5,"
                        + " LINK_ERROR_RECOVERY 6, PHY_TEST 7");
        assertLookup(
                PortPhysicalState.values(), PortPhysicalState::code, PortPhysicalState::of, PortPhysicalState.UNKNOWN);
        assertThat(PortPhysicalState.of(0)).isEqualTo(PortPhysicalState.UNKNOWN);
        assertThat(list(LinkLayer.values(), LinkLayer::code)).isEqualTo("UNSPECIFIED 0, INFINIBAND 1, ETHERNET 2");
        assertThat(LinkLayer.of(2).label()).isEqualTo("Ethernet");
        assertThat(list(NodeType.values(), NodeType::code))
                .isEqualTo("CA 1, SWITCH 2, ROUTER 3, RNIC 4, USNIC 5, USNIC_UDP 6, UNSPECIFIED 7");
        assertLookup(NodeType.values(), NodeType::code, NodeType::of, NodeType.UNKNOWN);
        assertThat(list(AtomicCapability.values(), AtomicCapability::code)).isEqualTo("NONE 0, HCA 1, GLOB 2");
        assertLookup(AtomicCapability.values(), AtomicCapability::code, AtomicCapability::of, AtomicCapability.UNKNOWN);
    }

    @Test
    void queuePairs() {
        assertThat(list(QueuePairType.values(), QueuePairType::code)).isEqualTo("RC 2, UC 3, UD 4");
        assertThat(list(QueuePairState.values(), QueuePairState::code))
                .isEqualTo("RESET 0, INIT 1, RTR 2, RTS 3, SQD 4, SQE 5, ERROR 6");
        assertThat(list(QueuePairAttribute.values(), value -> Long.numberOfTrailingZeros(value.bit())))
                .isEqualTo("STATE 0, CURRENT_STATE 1, SQD_ASYNC_NOTIFY 2, ACCESS_FLAGS 3, PKEY_INDEX 4, PORT 5,"
                        + " QKEY 6, ADDRESS_VECTOR 7, PATH_MTU 8, TIMEOUT 9, RETRY_COUNT 10, RNR_RETRY 11,"
                        + " RECEIVE_PSN 12, MAX_READ_ATOMIC 13, ALTERNATE_PATH 14, MIN_RNR_TIMER 15, SEND_PSN 16,"
                        + " MAX_DEST_READ_ATOMIC 17, PATH_MIGRATION_STATE 18, CAPACITY 19, DESTINATION_QP 20,"
                        + " RATE_LIMIT 25");
        assertThat(QueuePairAttribute.set(QueuePairAttribute.mask(EnumSet.allOf(QueuePairAttribute.class))))
                .isEqualTo(EnumSet.allOf(QueuePairAttribute.class));
    }

    @Test
    void mtus() {
        assertThat(list(Mtu.values(), Mtu::code)).isEqualTo("MTU_256 1, MTU_512 2, MTU_1024 3, MTU_2048 4, MTU_4096 5");
        assertThat(list(Mtu.values(), Mtu::bytes))
                .isEqualTo("MTU_256 256, MTU_512 512, MTU_1024 1024, MTU_2048 2048, MTU_4096 4096");
        for (Mtu mtu : Mtu.values()) {
            assertThat(Mtu.of(mtu.code())).isEqualTo(mtu);
            assertThat(Mtu.ofBytes(mtu.bytes())).isEqualTo(mtu);
        }
        assertThatThrownBy(() -> Mtu.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Mtu.of(6)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Mtu.ofBytes(1500)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rates() {
        assertThat(list(Rate.values(), Rate::code))
                .isEqualTo("MAX 0, GBPS_2_5 2, GBPS_5 5, GBPS_10 3, GBPS_20 6, GBPS_30 4, GBPS_40 7, GBPS_60 8,"
                        + " GBPS_80 9, GBPS_120 10, GBPS_14 11, GBPS_56 12, GBPS_112 13, GBPS_168 14, GBPS_25 15,"
                        + " GBPS_100 16, GBPS_200 17, GBPS_300 18, GBPS_28 19, GBPS_50 20, GBPS_400 21, GBPS_600 22,"
                        + " GBPS_800 23, GBPS_1200 24");
        assertThat(list(Rate.values(), Rate::multiple))
                .isEqualTo("MAX -1, GBPS_2_5 1, GBPS_5 2, GBPS_10 4, GBPS_20 8, GBPS_30 12, GBPS_40 16, GBPS_60 24,"
                        + " GBPS_80 32, GBPS_120 48, GBPS_14 -1, GBPS_56 -1, GBPS_112 -1, GBPS_168 -1, GBPS_25 -1,"
                        + " GBPS_100 -1, GBPS_200 -1, GBPS_300 -1, GBPS_28 11, GBPS_50 20, GBPS_400 160,"
                        + " GBPS_600 240, GBPS_800 320, GBPS_1200 480");
        assertLookup(Rate.values(), Rate::code, Rate::of, Rate.UNKNOWN);
        for (Rate rate : Rate.values()) {
            if (rate.mbps() != 0) {
                assertThat(Rate.ofMbps(rate.mbps())).isEqualTo(rate);
            }
        }
        assertThat(Rate.ofMbps(7)).isEqualTo(Rate.MAX);
        assertThat(Rate.ofMbps(0)).isEqualTo(Rate.MAX);
    }
}
