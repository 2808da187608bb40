package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DoorbellClock;
import dev.doorbell.kernel.abi.ExQueryDevice;
import dev.doorbell.kernel.abi.ExQueryDeviceResponse;
import dev.doorbell.kernel.abi.QueryDevice;
import dev.doorbell.kernel.abi.QueryDeviceResponse;
import dev.doorbell.kernel.abi.QueryPort;
import dev.doorbell.kernel.abi.QueryPortResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.HcaLimits;
import dev.doorbell.spec.AtomicCapability;
import dev.doorbell.spec.DeviceCapability;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortPhysicalState;
import dev.doorbell.spec.PortState;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** QUERY_DEVICE, its extended form, and QUERY_PORT. */
final class DeviceCommands {
    static final int GID_TABLE_LENGTH = 1024;
    static final int PKEY_TABLE_LENGTH = 64;
    static final int SHARED_QUEUE_SGE = 27;

    /** What the queues of an mlx5 device have no work requests or commands for. */
    private static final Set<DeviceCapability> NOT_MLX5 =
            Set.of(DeviceCapability.SRQ_RESIZE, DeviceCapability.FLUSH_GLOBAL, DeviceCapability.ATOMIC_WRITE);

    private static final int VENDOR_ID = 0xff_ffff;
    private static final int MELLANOX = 0x2c9;
    private static final int CONNECTX_5 = 0x1017;
    private static final long PAGE_SIZES = 0xffff_f000L;
    private static final int MAX_MULTICAST_ATTACHES = 0x7_0000;
    private static final int MAX_READ_ATOMIC_RESOURCES = 0x3_f000;
    private static final int ACK_DELAY = 15;
    private static final int COMMUNICATION_MANAGEMENT = 1 << 16;
    private static final int WIDTH_1X = 1;
    private static final int SPEED_SDR = 1;

    private final SoftContext context;

    private DeviceCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        DeviceCommands commands = new DeviceCommands(context);
        table.add(
                UverbsCommand.QUERY_DEVICE,
                QueryDevice.SIZE,
                QueryDeviceResponse.SIZE,
                context.whenStarted(commands::queryDevice));
        table.add(
                UverbsCommand.EX_QUERY_DEVICE,
                ExQueryDevice.SIZE,
                QueryDeviceResponse.SIZE + 8,
                context.whenStarted(commands::queryDeviceExtended));
        table.add(
                UverbsCommand.QUERY_PORT,
                QueryPort.SIZE,
                QueryPortResponse.SIZE,
                context.whenStarted(commands::queryPort));
    }

    private int queryDevice(Call call) {
        call.out().asSlice(0, QueryDeviceResponse.SIZE).fill((byte) 0);
        fill(call.out(), 0);
        return 0;
    }

    private int queryDeviceExtended(Call call) {
        if (ExQueryDevice.compMask(call.in(), 0) != 0) {
            return Errno.EINVAL;
        }
        int length = (int) Math.min(ExQueryDeviceResponse.SIZE, call.out().byteSize());
        // The answer is cut to the caller's segment, so it is built whole elsewhere.
        MemorySegment answer = MemorySegment.ofArray(new byte[ExQueryDeviceResponse.SIZE]);
        fill(answer, ExQueryDeviceResponse.BASE);
        ExQueryDeviceResponse.setResponseLength(answer, 0, ExQueryDeviceResponse.SIZE);
        ExQueryDeviceResponse.setDeviceCapFlagsEx(answer, 0, capabilities());
        ExQueryDeviceResponse.setTimestampMask(answer, 0, DoorbellClock.MASK);
        ExQueryDeviceResponse.setHcaCoreClock(answer, 0, DoorbellClock.KILOHERTZ);
        MemorySegment.copy(answer, 0, call.out(), 0, length);
        long ticks = context.device().hca().clockNs();
        if (isMlx5()) {
            // Nobody counts in the page of an embedded device: whoever asks how fast the clock is finds it set.
            context.registerPages().setClock(ticks);
        } else if (call.driverOut().byteSize() >= DoorbellClock.SIZE) {
            DoorbellClock.setVersion(call.driverOut(), 0, DoorbellClock.VERSION);
            DoorbellClock.setTicks(call.driverOut(), 0, ticks);
        }
        return 0;
    }

    private boolean isMlx5() {
        return context.device().personality() == Personality.MLX5;
    }

    private long capabilities() {
        EnumSet<DeviceCapability> set = EnumSet.of(
                DeviceCapability.BAD_PKEY_CNTR,
                DeviceCapability.BAD_QKEY_CNTR,
                DeviceCapability.UD_AV_PORT_ENFORCE,
                DeviceCapability.PORT_ACTIVE_EVENT,
                DeviceCapability.SYS_IMAGE_GUID,
                DeviceCapability.RC_RNR_NAK_GEN,
                DeviceCapability.SRQ_RESIZE,
                DeviceCapability.MEM_WINDOW,
                DeviceCapability.MEM_MGT_EXTENSIONS,
                DeviceCapability.MEM_WINDOW_TYPE_2B,
                DeviceCapability.FLUSH_GLOBAL,
                DeviceCapability.ATOMIC_WRITE);
        if (isMlx5()) {
            set.removeAll(NOT_MLX5);
        }
        return DeviceCapability.mask(set);
    }

    private int workRequests() {
        int limit = context.device().limits().workRequests();
        return isMlx5() ? Math.min(limit, Mlx5ContextCommands.MOST_ENTRIES) : limit;
    }

    private void fill(MemorySegment out, long at) {
        SoftLimits limits = context.device().limits();
        HcaLimits hca = context.device().hca().limits();
        int readAtomic = hca.maxReadAtomic();
        QueryDeviceResponse.setNodeGuid(out, at, context.device().nodeGuid());
        QueryDeviceResponse.setSysImageGuid(out, at, context.device().nodeGuid());
        QueryDeviceResponse.setMaxMrSize(out, at, -1L);
        QueryDeviceResponse.setPageSizeCap(out, at, PAGE_SIZES);
        QueryDeviceResponse.setVendorId(out, at, isMlx5() ? MELLANOX : VENDOR_ID);
        QueryDeviceResponse.setVendorPartId(out, at, isMlx5() ? CONNECTX_5 : 0);
        QueryDeviceResponse.setMaxQp(out, at, limits.queuePairs());
        QueryDeviceResponse.setMaxQpWr(out, at, workRequests());
        QueryDeviceResponse.setDeviceCapFlags(out, at, (int) capabilities());
        QueryDeviceResponse.setMaxSge(out, at, limits.sge());
        QueryDeviceResponse.setMaxSgeRd(out, at, limits.sge());
        QueryDeviceResponse.setMaxCq(out, at, limits.completionQueues());
        QueryDeviceResponse.setMaxCqe(out, at, limits.completions());
        QueryDeviceResponse.setMaxMr(out, at, limits.regions());
        QueryDeviceResponse.setMaxPd(out, at, limits.domains());
        QueryDeviceResponse.setMaxQpRdAtom(out, at, readAtomic);
        QueryDeviceResponse.setMaxResRdAtom(out, at, MAX_READ_ATOMIC_RESOURCES);
        QueryDeviceResponse.setMaxQpInitRdAtom(out, at, readAtomic);
        QueryDeviceResponse.setAtomicCap(out, at, AtomicCapability.HCA.code());
        QueryDeviceResponse.setMaxMw(out, at, limits.windows());
        QueryDeviceResponse.setMaxMcastGrp(out, at, hca.maxMulticastGroups());
        QueryDeviceResponse.setMaxMcastQpAttach(out, at, hca.maxMulticastMembers());
        QueryDeviceResponse.setMaxTotalMcastQpAttach(out, at, MAX_MULTICAST_ATTACHES);
        QueryDeviceResponse.setMaxAh(out, at, limits.addressHandles());
        QueryDeviceResponse.setMaxSrq(out, at, limits.sharedQueues());
        QueryDeviceResponse.setMaxSrqWr(out, at, isMlx5() ? workRequests() - 1 : workRequests());
        QueryDeviceResponse.setMaxSrqSge(out, at, SHARED_QUEUE_SGE);
        QueryDeviceResponse.setMaxPkeys(out, at, PKEY_TABLE_LENGTH);
        QueryDeviceResponse.setLocalCaAckDelay(out, at, ACK_DELAY);
        QueryDeviceResponse.setPhysPortCnt(out, at, SoftDevice.PORTS);
    }

    private int queryPort(Call call) {
        if (QueryPort.portNum(call.in(), 0) != SoftDevice.PORT) {
            return Errno.EINVAL;
        }
        MemorySegment out = call.out();
        HcaLimits hca = context.device().hca().limits();
        out.asSlice(0, QueryPortResponse.SIZE).fill((byte) 0);
        QueryPortResponse.setPortCapFlags(out, 0, COMMUNICATION_MANAGEMENT);
        QueryPortResponse.setMaxMsgSz(out, 0, hca.maxMessageBytes());
        QueryPortResponse.setGidTblLen(out, 0, GID_TABLE_LENGTH);
        QueryPortResponse.setPkeyTblLen(out, 0, PKEY_TABLE_LENGTH);
        boolean up = context.device().health().isPortUp();
        QueryPortResponse.setState(out, 0, (up ? PortState.ACTIVE : PortState.DOWN).code());
        QueryPortResponse.setMaxMtu(out, 0, Mtu.MTU_4096.code());
        QueryPortResponse.setActiveMtu(
                out, 0, context.device().hca().activeMtu().code());
        QueryPortResponse.setMaxVlNum(out, 0, 1);
        QueryPortResponse.setActiveWidth(out, 0, WIDTH_1X);
        QueryPortResponse.setActiveSpeed(out, 0, SPEED_SDR);
        QueryPortResponse.setPhysState(out, 0, (up ? PortPhysicalState.LINK_UP : PortPhysicalState.DISABLED).code());
        QueryPortResponse.setLinkLayer(out, 0, LinkLayer.ETHERNET.code());
        return 0;
    }
}
