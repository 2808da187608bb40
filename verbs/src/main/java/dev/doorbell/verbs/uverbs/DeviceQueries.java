package dev.doorbell.verbs.uverbs;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DoorbellClock;
import dev.doorbell.kernel.abi.ExQueryDevice;
import dev.doorbell.kernel.abi.ExQueryDeviceResponse;
import dev.doorbell.kernel.abi.QueryDevice;
import dev.doorbell.kernel.abi.QueryDeviceResponse;
import dev.doorbell.kernel.abi.QueryPort;
import dev.doorbell.kernel.abi.QueryPortResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.ExtendedDeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;

/** QUERY_DEVICE, plain and extended, the clock, and QUERY_PORT. */
public final class DeviceQueries {
    /** End-to-end contexts, reliable datagrams, raw and fast-memory-region limits: rxe never had them. */
    private static final int HISTORIC = 0;

    private DeviceQueries() {}

    /** The extended query where the kernel has it, since it alone tells capabilities above bit 31. */
    public static DeviceAttributes device(CommandChannel channel) {
        return extended(channel).base();
    }

    /** All that a device says; what a kernel without the extended query does not say is 0. */
    public static ExtendedDeviceAttributes extended(CommandChannel channel) {
        try (Command command =
                new Command(UverbsCommand.EX_QUERY_DEVICE, ExQueryDevice.SIZE, ExQueryDeviceResponse.SIZE)) {
            int errno = command.trySend(channel);
            switch (errno) {
                case 0 -> {
                    MemorySegment out = command.out();
                    return extended(out, attributes(out, ExQueryDeviceResponse.deviceCapFlagsEx(out, 0)));
                }
                case Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EPROTONOSUPPORT, Errno.EINVAL -> {}
                default -> throw new VerbsFault(errno, UverbsCommand.EX_QUERY_DEVICE.name());
            }
        }
        return ExtendedDeviceAttributes.of(plainDevice(channel));
    }

    private static ExtendedDeviceAttributes extended(MemorySegment out, DeviceAttributes base) {
        return new ExtendedDeviceAttributes(
                base,
                new ExtendedDeviceAttributes.OnDemandPaging(
                        ExQueryDeviceResponse.odpGeneralCaps(out, 0),
                        ExQueryDeviceResponse.rcOdpCaps(out, 0),
                        ExQueryDeviceResponse.ucOdpCaps(out, 0),
                        ExQueryDeviceResponse.udOdpCaps(out, 0),
                        ExQueryDeviceResponse.xrcOdpCaps(out, 0)),
                ExQueryDeviceResponse.timestampMask(out, 0),
                ExQueryDeviceResponse.hcaCoreClock(out, 0),
                new ExtendedDeviceAttributes.ReceiveScaling(
                        ExQueryDeviceResponse.rssSupportedQpts(out, 0),
                        ExQueryDeviceResponse.maxRwqIndirectionTables(out, 0),
                        ExQueryDeviceResponse.maxRwqIndirectionTableSize(out, 0)),
                ExQueryDeviceResponse.maxWqTypeRq(out, 0),
                ExQueryDeviceResponse.rawPacketCaps(out, 0),
                new ExtendedDeviceAttributes.TagMatching(
                        ExQueryDeviceResponse.tmMaxRndvHdrSize(out, 0),
                        ExQueryDeviceResponse.tmMaxNumTags(out, 0),
                        ExQueryDeviceResponse.tmFlags(out, 0),
                        ExQueryDeviceResponse.tmMaxOps(out, 0),
                        ExQueryDeviceResponse.tmMaxSge(out, 0)),
                ExQueryDeviceResponse.maxCqModerationCount(out, 0),
                ExQueryDeviceResponse.maxCqModerationPeriod(out, 0),
                ExQueryDeviceResponse.maxDmSize(out, 0));
    }

    /** The embedded kernel's clock, in driver data that rxe on Linux does not have. */
    public static long clock(CommandChannel channel) {
        try (Command command = new Command(
                UverbsCommand.EX_QUERY_DEVICE, ExQueryDevice.SIZE, ExQueryDeviceResponse.SIZE, DoorbellClock.SIZE)) {
            int errno = command.trySend(channel);
            boolean refused = errno == Errno.EINVAL || errno == Errno.EOPNOTSUPP || errno == Errno.EPROTONOSUPPORT;
            if (refused || (errno == 0 && DoorbellClock.version(command.driverOut(), 0) != DoorbellClock.VERSION)) {
                throw VerbsFault.unsupported("QUERY_RT_VALUES");
            }
            Command.check(errno, UverbsCommand.EX_QUERY_DEVICE);
            return DoorbellClock.ticks(command.driverOut(), 0);
        }
    }

    private static DeviceAttributes plainDevice(CommandChannel channel) {
        try (Command command = new Command(UverbsCommand.QUERY_DEVICE, QueryDevice.SIZE, QueryDeviceResponse.SIZE)) {
            command.send(channel);
            return attributes(command.out(), 0);
        }
    }

    private static DeviceAttributes attributes(MemorySegment out, long capabilities) {
        long low = Integer.toUnsignedLong(QueryDeviceResponse.deviceCapFlags(out, 0));
        return new DeviceAttributes(
                firmware(QueryDeviceResponse.fwVer(out, 0)),
                QueryDeviceResponse.nodeGuid(out, 0),
                QueryDeviceResponse.sysImageGuid(out, 0),
                QueryDeviceResponse.maxMrSize(out, 0),
                QueryDeviceResponse.pageSizeCap(out, 0),
                QueryDeviceResponse.vendorId(out, 0),
                QueryDeviceResponse.vendorPartId(out, 0),
                QueryDeviceResponse.hwVer(out, 0),
                QueryDeviceResponse.maxQp(out, 0),
                QueryDeviceResponse.maxQpWr(out, 0),
                low | capabilities,
                QueryDeviceResponse.maxSge(out, 0),
                QueryDeviceResponse.maxSgeRd(out, 0),
                QueryDeviceResponse.maxCq(out, 0),
                QueryDeviceResponse.maxCqe(out, 0),
                QueryDeviceResponse.maxMr(out, 0),
                QueryDeviceResponse.maxPd(out, 0),
                QueryDeviceResponse.maxQpRdAtom(out, 0),
                HISTORIC,
                QueryDeviceResponse.maxResRdAtom(out, 0),
                QueryDeviceResponse.maxQpInitRdAtom(out, 0),
                HISTORIC,
                QueryDeviceResponse.atomicCap(out, 0),
                HISTORIC,
                HISTORIC,
                QueryDeviceResponse.maxMw(out, 0),
                HISTORIC,
                HISTORIC,
                QueryDeviceResponse.maxMcastGrp(out, 0),
                QueryDeviceResponse.maxMcastQpAttach(out, 0),
                QueryDeviceResponse.maxTotalMcastQpAttach(out, 0),
                QueryDeviceResponse.maxAh(out, 0),
                HISTORIC,
                HISTORIC,
                QueryDeviceResponse.maxSrq(out, 0),
                QueryDeviceResponse.maxSrqWr(out, 0),
                QueryDeviceResponse.maxSrqSge(out, 0),
                QueryDeviceResponse.maxPkeys(out, 0),
                QueryDeviceResponse.localCaAckDelay(out, 0),
                QueryDeviceResponse.physPortCnt(out, 0));
    }

    /** Three numbers: 32 bits that count for 16, 16 and 16. */
    private static String firmware(long version) {
        return (version >>> 32 & 0xffff) + "." + (version >>> 16 & 0xffff) + "." + (version & 0xffff);
    }

    /** QUERY_PORT. */
    public static PortAttributes port(CommandChannel channel, int port) {
        try (Command command = new Command(UverbsCommand.QUERY_PORT, QueryPort.SIZE, QueryPortResponse.SIZE)) {
            QueryPort.setPortNum(command.in(), 0, port);
            command.send(channel);
            return portAttributes(command.out());
        } catch (IllegalArgumentException e) {
            throw new VerbsFault(Errno.EIO, UverbsCommand.QUERY_PORT.name() + ": " + e.getMessage(), e);
        }
    }

    private static PortAttributes portAttributes(MemorySegment out) {
        return new PortAttributes(
                PortState.of(QueryPortResponse.state(out, 0)),
                Mtu.of(QueryPortResponse.maxMtu(out, 0)),
                Mtu.of(QueryPortResponse.activeMtu(out, 0)),
                QueryPortResponse.gidTblLen(out, 0),
                QueryPortResponse.portCapFlags(out, 0),
                QueryPortResponse.maxMsgSz(out, 0),
                QueryPortResponse.badPkeyCntr(out, 0),
                QueryPortResponse.qkeyViolCntr(out, 0),
                QueryPortResponse.pkeyTblLen(out, 0),
                QueryPortResponse.lid(out, 0),
                QueryPortResponse.smLid(out, 0),
                QueryPortResponse.lmc(out, 0),
                QueryPortResponse.activeWidth(out, 0),
                QueryPortResponse.activeSpeed(out, 0),
                QueryPortResponse.physState(out, 0),
                LinkLayer.of(QueryPortResponse.linkLayer(out, 0)));
    }
}
