package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AllocMw;
import dev.doorbell.kernel.abi.AllocMwResponse;
import dev.doorbell.kernel.abi.DeallocMw;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.HcaMemoryWindow;

/** ALLOC_MW and DEALLOC_MW; windows are bound and invalidated by work requests. */
final class WindowCommands {
    private final SoftContext context;

    private WindowCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        WindowCommands commands = new WindowCommands(context);
        table.add(UverbsCommand.ALLOC_MW, AllocMw.SIZE, AllocMwResponse.SIZE, context.whenStarted(commands::allocate));
        table.add(UverbsCommand.DEALLOC_MW, DeallocMw.SIZE, 0, context.whenStarted(commands::deallocate));
    }

    private int allocate(Call call) {
        int type = AllocMw.mwType(call.in(), 0);
        int domainHandle = AllocMw.pdHandle(call.in(), 0);
        Domain domain = context.objects().domains.find(domainHandle);
        if (domain == null) {
            return context.objects().domains.refusal(domainHandle);
        }
        if (type != HcaMemoryWindow.TYPE_1 && type != HcaMemoryWindow.TYPE_2) {
            return Errno.EINVAL;
        }
        Quota quota = context.device().quotas().windows;
        if (!quota.take()) {
            return Errno.ENOMEM;
        }
        HcaMemoryWindow hca = context.device().hca().allocateWindow(domain.hca, type);
        if (hca == null) {
            quota.give();
            return Errno.ENOMEM;
        }
        domain.usage.enter();
        AllocMwResponse.setMwHandle(call.out(), 0, context.objects().windows.add(new Window(hca, domain)));
        AllocMwResponse.setRkey(call.out(), 0, hca.rkey());
        return 0;
    }

    private int deallocate(Call call) {
        int handle = DeallocMw.mwHandle(call.in(), 0);
        Window window = context.objects().windows.find(handle);
        if (window == null) {
            return context.objects().windows.refusal(handle);
        }
        context.objects().windows.remove(handle);
        destroy(window, context.device());
        return 0;
    }

    /** Ends a window that is in no table any more. */
    static void destroy(Window window, SoftDevice device) {
        window.hca().deallocate();
        window.domain().usage.leave();
        device.quotas().windows.give();
    }
}
