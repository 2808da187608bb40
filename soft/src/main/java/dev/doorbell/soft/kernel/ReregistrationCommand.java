package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.ReregMr;
import dev.doorbell.kernel.abi.ReregMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.HcaMemoryRegion;
import dev.doorbell.soft.hca.HcaMemoryRegion.Change;
import java.lang.foreign.MemorySegment;

/**
 * REREG_MR. Either all that was asked for is changed or nothing: a region that could not be changed is what it was before.
 * The keys stay. Linux' rxe changes domain and access since 6.5, and never the memory.
 */
final class ReregistrationCommand {
    private static final int TRANSLATION = ReregMr.TRANSLATION;
    private static final int DOMAIN = ReregMr.PROTECTION_DOMAIN;
    private static final int ACCESS = ReregMr.ACCESS;

    private final SoftContext context;

    private ReregistrationCommand(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        ReregistrationCommand command = new ReregistrationCommand(context);
        table.add(UverbsCommand.REREG_MR, ReregMr.SIZE, ReregMrResponse.SIZE, context.whenStarted(command::run));
    }

    private int run(Call call) {
        int flags = ReregMr.flags(call.in(), 0);
        if (flags == 0) {
            return Errno.EINVAL;
        }
        if ((flags & ~(TRANSLATION | DOMAIN | ACCESS)) != 0) {
            return Errno.EOPNOTSUPP;
        }
        int handle = ReregMr.mrHandle(call.in(), 0);
        Region region = context.objects().regions.find(handle);
        if (region == null) {
            return context.objects().regions.refusal(handle);
        }
        Domain domain = region.domain();
        if ((flags & DOMAIN) != 0) {
            int domainHandle = ReregMr.pdHandle(call.in(), 0);
            domain = context.objects().domains.find(domainHandle);
            if (domain == null) {
                return context.objects().domains.refusal(domainHandle);
            }
        }
        return change(call, new Target(handle, region, domain), flags);
    }

    /** The region, and the domain that it shall be in. */
    private record Target(int handle, Region region, Domain domain) {}

    private int change(Call call, Target target, int flags) {
        Change now = target.region.hca().unchanged();
        int access = now.access();
        if ((flags & ACCESS) != 0) {
            int asked = ReregMr.accessFlags(call.in(), 0);
            int refusal = RegionCommands.checkAccess(asked);
            if (refusal != 0) {
                return refusal;
            }
            access = asked & ~RegionCommands.OPTIONAL;
        }
        MemorySegment memory = now.memory();
        long iova = now.iova();
        if ((flags & TRANSLATION) != 0) {
            long start = ReregMr.start(call.in(), 0);
            long length = ReregMr.length(call.in(), 0);
            iova = ReregMr.hcaVa(call.in(), 0);
            if (!RegionCommands.isRange(start, iova, length)) {
                return Errno.EINVAL;
            }
            MemorySegment found = context.pins().find(start, length);
            if (found == null) {
                return Errno.EFAULT;
            }
            memory = found;
        }
        if (!RegionCommands.mayGrant(memory, access)) {
            return Errno.EFAULT;
        }
        return replace(call, target, new Change(target.domain.hca, memory, iova, memory.byteSize(), access));
    }

    private int replace(Call call, Target target, Change change) {
        HcaMemoryRegion next = target.region.hca().reregister(change);
        if (next == null) {
            return Errno.EBUSY;
        }
        target.region.domain().usage.leave();
        target.domain.usage.enter();
        context.objects().regions.put(target.handle, new Region(next, target.domain));
        ReregMrResponse.setLkey(call.out(), 0, next.lkey());
        ReregMrResponse.setRkey(call.out(), 0, next.rkey());
        return 0;
    }
}
