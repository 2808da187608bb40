package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmDestroyId;
import dev.doorbell.kernel.abi.CmDestroyIdResponse;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.kernel.abi.CmMigrateId;
import dev.doorbell.kernel.abi.CmMigrateIdResponse;
import dev.doorbell.kernel.abi.CmSetOption;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairType;
import org.jspecify.annotations.Nullable;

/** CREATE_ID, DESTROY_ID, MIGRATE_ID and SET_OPTION. */
final class CmLifeCommands {
    private static final int MAX_ACK_TIMEOUT = 31;

    private final RdmaCmFile file;

    private CmLifeCommands(RdmaCmFile file) {
        this.file = file;
    }

    static void register(RdmaCmFile file) {
        CmLifeCommands commands = new CmLifeCommands(file);
        file.add(CmCommand.CREATE_ID, CmCreateId.SIZE, CmCreateIdResponse.SIZE, commands::create);
        file.add(
                CmCommand.DESTROY_ID,
                CmDestroyId.SIZE,
                CmDestroyIdResponse.SIZE,
                RdmaCmFile.about(file, in -> CmDestroyId.id(in, 0), commands::destroy));
        file.add(CmCommand.MIGRATE_ID, CmMigrateId.SIZE, CmMigrateIdResponse.SIZE, call -> commands.migrate(call));
        file.add(
                CmCommand.SET_OPTION,
                CmSetOption.SIZE,
                0,
                RdmaCmFile.about(file, in -> CmSetOption.id(in, 0), CmLifeCommands::setOption));
    }

    private int create(Call call) {
        PortSpace space = space(CmCreateId.ps(call.in(), 0));
        if (space == null) {
            return Errno.EINVAL;
        }
        QueuePairType type = space.defaultType();
        if (space == PortSpace.IB) {
            QueuePairType wanted = QueuePairCommands.type(CmCreateId.qpType(call.in(), 0));
            if (wanted == null) {
                return Errno.EINVAL;
            }
            type = wanted;
        }
        CmIdentifier id = file.manager().newIdentifier(file, space, type, null);
        if (id == null) {
            return Errno.ENOMEM;
        }
        id.uid = CmCreateId.uid(call.in(), 0);
        CmCreateIdResponse.setId(call.out(), 0, id.number);
        return 0;
    }

    private static @Nullable PortSpace space(int code) {
        for (PortSpace space : PortSpace.values()) {
            if (space.code() == code) {
                return space;
            }
        }
        return null;
    }

    private int destroy(CmIdentifier id, Call call) {
        CmDestroyIdResponse.setEventsReported(call.out(), 0, file.manager().destroy(id));
        return 0;
    }

    /** The command is sent to the file to which the identifier goes, and names the file in which it is. */
    private int migrate(Call call) {
        RdmaCmFile from = file.manager().file(CmMigrateId.fd(call.in(), 0));
        if (from == null) {
            return Errno.ENOENT;
        }
        CmIdentifier id = file.manager().find(from, CmMigrateId.id(call.in(), 0));
        if (id == null) {
            return Errno.ENOENT;
        }
        int reported = from == file ? from.moveEvents(id.source, file) : move(id, from);
        CmMigrateIdResponse.setEventsReported(call.out(), 0, reported);
        return 0;
    }

    private int move(CmIdentifier id, RdmaCmFile from) {
        id.move(file);
        id.unread.forEach(request -> request.move(file));
        id.memberships.forEach(membership -> from.moveEvents(membership.source(), file));
        return from.moveEvents(id.source, file);
    }

    private static int setOption(CmIdentifier id, Call call) {
        long length = Integer.toUnsignedLong(CmSetOption.optlen(call.in(), 0));
        if (length > call.in().byteSize() - CmSetOption.SIZE) {
            return Errno.EFAULT;
        }
        if (CmSetOption.level(call.in(), 0) != CmIds.LEVEL_ID) {
            return Errno.ENOSYS;
        }
        return switch (CmSetOption.optname(call.in(), 0)) {
            case CmIds.OPTION_TOS -> length == 1 ? typeOfService(id, octet(call)) : Errno.EINVAL;
            case CmIds.OPTION_REUSEADDR -> length == Integer.BYTES ? reuseAddress(id, flag(call)) : Errno.EINVAL;
            case CmIds.OPTION_AFONLY -> length == Integer.BYTES ? familyOnly(id, flag(call)) : Errno.EINVAL;
            case CmIds.OPTION_ACK_TIMEOUT -> length == 1 ? ackTimeout(id, octet(call)) : Errno.EINVAL;
            default -> Errno.ENOSYS;
        };
    }

    private static int octet(Call call) {
        return Host.getUnsignedByte(call.in(), CmSetOption.SIZE);
    }

    private static boolean flag(Call call) {
        return Host.getInt(call.in(), CmSetOption.SIZE) != 0;
    }

    private static int typeOfService(CmIdentifier id, int value) {
        id.typeOfService = value;
        return 0;
    }

    private static int reuseAddress(CmIdentifier id, boolean value) {
        boolean early = id.state == CmIdState.IDLE || (value && id.state != CmIdState.LISTENING);
        if (!early) {
            return Errno.EINVAL;
        }
        id.reuseAddress = value;
        return 0;
    }

    private static int familyOnly(CmIdentifier id, boolean value) {
        if (id.state != CmIdState.IDLE && id.state != CmIdState.BOUND) {
            return Errno.EINVAL;
        }
        id.familyOnly = value;
        return 0;
    }

    private static int ackTimeout(CmIdentifier id, int value) {
        if (id.type() != QueuePairType.RC || value > MAX_ACK_TIMEOUT) {
            return Errno.EINVAL;
        }
        id.hasAckTimeout = true;
        id.packetLifeTime = Math.max(value - 1, 0);
        return 0;
    }
}
