package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.kernel.abi.CreateAh;
import dev.doorbell.kernel.abi.CreateAhResponse;
import dev.doorbell.kernel.abi.DestroyAh;
import dev.doorbell.kernel.abi.RxeCreateAhResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateAhResponse;
import dev.doorbell.memory.Be;
import dev.doorbell.soft.hca.HcaAddressHandle;
import dev.doorbell.soft.link.IpFields;
import dev.doorbell.spec.Gid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** CREATE_AH and DESTROY_AH. */
final class AddressHandleCommands {
    private static final int LOCALLY_ADMINISTERED = 2;

    private final SoftContext context;

    private AddressHandleCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        AddressHandleCommands commands = new AddressHandleCommands(context);
        table.add(UverbsCommand.CREATE_AH, CreateAh.SIZE, CreateAhResponse.SIZE, context.whenStarted(commands::create));
        table.add(UverbsCommand.DESTROY_AH, DestroyAh.SIZE, 0, context.whenStarted(commands::destroy));
    }

    private int create(Call call) {
        MemorySegment in = call.in();
        int at = CreateAh.ATTRIBUTES;
        int domainHandle = CreateAh.pdHandle(in, 0);
        Domain domain = context.objects().domains.find(domainHandle);
        if (domain == null) {
            return context.objects().domains.refusal(domainHandle);
        }
        boolean isMlx5 = context.device().personality() == Personality.MLX5;
        if (call.driverOut().byteSize() < (isMlx5 ? Mlx5CreateAhResponse.SIZE : RxeCreateAhResponse.SIZE)) {
            return Errno.EINVAL;
        }
        Gid destination = AhAttributes.dgid(in, at);
        int source = AhAttributes.sgidIndex(in, at);
        boolean isGlobal = AhAttributes.isGlobal(in, at) != 0;
        int refusal = new Route(AhAttributes.portNum(in, at), isGlobal, source, destination).check(context.device());
        if (refusal != 0) {
            return refusal;
        }
        long fields = IpFields.toSend(
                AhAttributes.trafficClass(in, at),
                AhAttributes.flowLabel(in, at),
                AhAttributes.hopLimit(in, at),
                destination.isMulticast());
        AddressHandle made = make(domain, source, destination, fields);
        if (made == null) {
            return Errno.ENOMEM;
        }
        CreateAhResponse.setAhHandle(
                call.out(), 0, context.objects().addressHandles.add(made));
        if (isMlx5) {
            answerMac(call.driverOut(), destination);
        } else {
            call.driverOut().asSlice(0, RxeCreateAhResponse.SIZE).fill((byte) 0);
            RxeCreateAhResponse.setAhNum(call.driverOut(), 0, made.hca().number());
        }
        return 0;
    }

    /** There is no Ethernet below: the address is made of the destination's, as the device's own is. */
    private static void answerMac(MemorySegment out, Gid destination) {
        out.asSlice(0, Mlx5CreateAhResponse.SIZE).fill((byte) 0);
        Mlx5CreateAhResponse.setResponseLength(out, 0, Mlx5CreateAhResponse.SIZE);
        Be.setByte(out, Mlx5CreateAhResponse.DESTINATION_MAC, LOCALLY_ADMINISTERED);
        Be.setInt(out, Mlx5CreateAhResponse.DESTINATION_MAC + 2L, (int) destination.low());
    }

    private @Nullable AddressHandle make(Domain domain, int source, Gid destination, long fields) {
        Quota quota = context.device().quotas().addressHandles;
        if (!quota.take()) {
            return null;
        }
        HcaAddressHandle hca = context.device().hca().createAddressHandle(domain.hca, source, destination, fields);
        if (hca == null) {
            quota.give();
            return null;
        }
        domain.usage.enter();
        return new AddressHandle(hca, domain);
    }

    private int destroy(Call call) {
        int handle = DestroyAh.ahHandle(call.in(), 0);
        AddressHandle found = context.objects().addressHandles.find(handle);
        if (found == null) {
            return context.objects().addressHandles.refusal(handle);
        }
        context.objects().addressHandles.remove(handle);
        destroy(found, context.device());
        return 0;
    }

    /** Frees an address handle that is in no table any more. */
    static void destroy(AddressHandle handle, SoftDevice device) {
        handle.hca().destroy();
        handle.domain().usage.leave();
        device.quotas().addressHandles.give();
    }
}
