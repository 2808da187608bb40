package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.DeallocPd;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5AllocPdResponse;

/** ALLOC_PD and DEALLOC_PD. */
final class DomainCommands {
    private static final int NUMBER_MASK = 0xff_ffff;

    private final SoftContext context;

    private DomainCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        DomainCommands commands = new DomainCommands(context);
        table.add(UverbsCommand.ALLOC_PD, AllocPd.SIZE, AllocPdResponse.SIZE, context.whenStarted(commands::allocate));
        table.add(UverbsCommand.DEALLOC_PD, DeallocPd.SIZE, 0, context.whenStarted(commands::deallocate));
    }

    private int allocate(Call call) {
        if (!context.device().quotas().domains.take()) {
            return Errno.ENOMEM;
        }
        int handle = context.objects().domains.add(new Domain());
        AllocPdResponse.setPdHandle(call.out(), 0, handle);
        if (context.device().personality() == Personality.MLX5
                && call.driverOut().byteSize() >= Mlx5AllocPdResponse.SIZE) {
            Mlx5AllocPdResponse.setNumber(call.driverOut(), 0, handle & NUMBER_MASK);
        }
        return 0;
    }

    private int deallocate(Call call) {
        int handle = DeallocPd.pdHandle(call.in(), 0);
        Domain domain = context.objects().domains.find(handle);
        if (domain == null) {
            return context.objects().domains.refusal(handle);
        }
        if (domain.usage.isUsed()) {
            return Errno.EBUSY;
        }
        context.objects().domains.remove(handle);
        context.device().quotas().domains.give();
        return 0;
    }
}
