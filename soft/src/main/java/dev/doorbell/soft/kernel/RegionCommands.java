package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DeregMr;
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.soft.hca.HcaMemoryRegion;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/** REG_MR and DEREG_MR. */
final class RegionCommands {
    /** Bits 20 to 29 ask for something that a kernel may ignore. */
    static final int OPTIONAL = 0x3ff0_0000;

    private static final int KNOWN = AccessFlag.mask(EnumSet.allOf(AccessFlag.class)) | OPTIONAL;
    private static final int WRITING =
            AccessFlag.mask(EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC));
    private static final int SUPPORTED = WRITING
            | OPTIONAL
            | AccessFlag.mask(EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.MW_BIND, AccessFlag.FLUSH_GLOBAL));

    private final SoftContext context;

    private RegionCommands(SoftContext context) {
        this.context = context;
    }

    static void register(CommandTable table, SoftContext context) {
        RegionCommands commands = new RegionCommands(context);
        table.add(UverbsCommand.REG_MR, RegMr.SIZE, RegMrResponse.SIZE, context.whenStarted(commands::register));
        table.add(UverbsCommand.DEREG_MR, DeregMr.SIZE, 0, context.whenStarted(commands::deregister));
    }

    private int register(Call call) {
        long start = RegMr.start(call.in(), 0);
        long length = RegMr.length(call.in(), 0);
        long iova = RegMr.hcaVa(call.in(), 0);
        int access = RegMr.accessFlags(call.in(), 0);
        int refusal = checkAccess(access);
        if (refusal != 0) {
            return refusal;
        }
        int domainHandle = RegMr.pdHandle(call.in(), 0);
        Domain domain = context.objects().domains.find(domainHandle);
        if (domain == null) {
            return context.objects().domains.refusal(domainHandle);
        }
        if (!isRange(start, iova, length)) {
            return Errno.EINVAL;
        }
        MemorySegment memory = context.pins().find(start, length);
        if (memory == null || !mayGrant(memory, access)) {
            return Errno.EFAULT;
        }
        return register(call, domain, new Registration(memory, iova, length, access & ~OPTIONAL));
    }

    private record Registration(MemorySegment memory, long iova, long length, int access) {}

    private int register(Call call, Domain domain, Registration what) {
        if (!context.device().quotas().regions.take()) {
            return Errno.ENOMEM;
        }
        HcaMemoryRegion hca =
                context.device().hca().registerMemory(domain.hca, what.memory, what.iova, what.length, what.access);
        if (hca == null) {
            context.device().quotas().regions.give();
            return Errno.ENOMEM;
        }
        domain.usage.enter();
        RegMrResponse.setMrHandle(call.out(), 0, context.objects().regions.add(new Region(hca, domain)));
        RegMrResponse.setLkey(call.out(), 0, hca.lkey());
        RegMrResponse.setRkey(call.out(), 0, hca.rkey());
        return 0;
    }

    /** Whether memory can be registered under an address; the offsets in their pages must agree. */
    static boolean isRange(long start, long iova, long length) {
        return ((start ^ iova) & (Slabs.PAGE - 1)) == 0 && length > 0 && !wraps(start, length) && !wraps(iova, length);
    }

    /** Whether the memory is there and may be written where the access says so. */
    static boolean mayGrant(MemorySegment memory, int access) {
        return memory.scope().isAlive() && !(memory.isReadOnly() && (access & WRITING) != 0);
    }

    /** Returns 0, or why the access is refused. */
    static int checkAccess(int access) {
        // Linux refuses persistence as invalid, not as unsupported, for memory that is not persistent.
        boolean persistent = AccessFlag.FLUSH_PERSISTENT.isIn(access);
        if ((access & ~KNOWN) != 0 || AccessFlag.missing(access).isPresent() || persistent) {
            return Errno.EINVAL;
        }
        return (access & ~SUPPORTED) != 0 ? Errno.EOPNOTSUPP : 0;
    }

    /** Whether a range runs over the end of the address space. */
    private static boolean wraps(long start, long length) {
        return Long.compareUnsigned(start + length, start) < 0;
    }

    private int deregister(Call call) {
        int handle = DeregMr.mrHandle(call.in(), 0);
        Region region = context.objects().regions.find(handle);
        if (region == null) {
            return context.objects().regions.refusal(handle);
        }
        int errno = region.hca().deregister();
        if (errno == 0) {
            context.objects().regions.remove(handle);
            forget(region, context.device());
        }
        return errno;
    }

    /** Ends a registration that is in no table any more; no window is bound to it. */
    static void destroy(Region region, SoftDevice device) {
        region.hca().deregister();
        forget(region, device);
    }

    private static void forget(Region region, SoftDevice device) {
        region.domain().usage.leave();
        device.quotas().regions.give();
    }
}
