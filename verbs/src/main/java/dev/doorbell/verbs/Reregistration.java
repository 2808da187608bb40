package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.spi.RegionChange;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of a memory region that keeps the region (ibv_rereg_mr(3)): other memory, another protection domain, other
 * rights, or several of these at once.
 *
 * <p>Nobody may post with the region meanwhile. Work requests that were posted before meet the old registration or the
 * new one. What the region's keys are afterwards, {@link MemoryRegion#lkey()} and {@link MemoryRegion#rkey()} say.
 *
 * <p>If it is refused with EOPNOTSUPP, EBUSY or EFAULT, or with EINVAL by the embedded device or Soft-RoCE, the region is
 * what it was before. Other drivers may have lost it when they fail (the library's return value -4): close the region then.
 *
 * <p>Thread rules: for one thread.
 */
public final class Reregistration {
    private final MemoryRegion region;
    private @Nullable MemorySegment memory;
    private long iova;
    private @Nullable ProtectionDomain domain;
    private @Nullable Set<AccessFlag> access;

    Reregistration(MemoryRegion region) {
        this.region = region;
    }

    /** Other memory, named by its own address; see {@link ProtectionDomain#register(MemorySegment, Set)}. */
    public Reregistration memory(MemorySegment value) {
        return memory(value, value.address());
    }

    /** Other memory, whose first byte work requests name by an address of the program's choice. */
    public Reregistration memory(MemorySegment value, long address) {
        memory = value;
        iova = address;
        return this;
    }

    /** Another protection domain of the same context. */
    public Reregistration protectionDomain(ProtectionDomain value) {
        domain = value;
        return this;
    }

    /** Other rights. */
    public Reregistration access(Set<AccessFlag> value) {
        access = Set.copyOf(value);
        return this;
    }

    /**
     * Makes the change.
     *
     * @throws NotSupportedException if the device does not change regions, or not in this way
     * @throws VerbsException EINVAL if nothing is to be changed, for another context's domain or a region of an arena; EBUSY
     *     if a memory window is bound to it; and what {@link ProtectionDomain#register(MemorySegment, Set)} throws
     */
    public void apply() {
        ProtectionDomain target = domain == null ? region.protectionDomain() : domain;
        check(target);
        int mask = access == null ? region.access() : AccessFlag.mask(access);
        MemorySegment covered = memory == null ? region.segment() : memory;
        RegistrationRules.check(covered, mask, region.toString());
        RegionChange change = new RegionChange(
                memory, iova, domain != null, target.handle(), access != null, access == null ? 0 : mask);
        Lifetime parent = target.lifetime();
        parent.enter("REREG_MR");
        try {
            region.change(change, target, covered, memory == null ? region.address() : iova, mask);
        } catch (VerbsException e) {
            throw e;
        } catch (RuntimeException e) {
            throw explain(e, covered, mask);
        } finally {
            parent.exit();
        }
    }

    private void check(ProtectionDomain target) {
        if (memory == null && domain == null && access == null) {
            throw refusal()
                    .rule("nothing is to be changed")
                    .remedy("Name memory, a protection domain or access")
                    .exception();
        }
        if (target.context() != region.protectionDomain().context()) {
            throw refusal()
                    .rule(target + " belongs to another context than " + region)
                    .remedy("Take a protection domain of the same context")
                    .exception();
        }
        if (region.arena().isPresent()) {
            throw refusal()
                    .rule("it belongs to an arena, whose memory and rights it has")
                    .remedy("Register the memory by itself")
                    .exception();
        }
    }

    private VerbsException explain(RuntimeException fault, MemorySegment covered, int mask) {
        Refusal refusal = Refusal.of(fault, "REREG_MR", region.toString());
        return switch (refusal.errno) {
            case Errno.EBUSY ->
                refusal.rule("a memory window is bound to it")
                        .remedy("Invalidate or close its windows first")
                        .exception();
            case Errno.EOPNOTSUPP ->
                refusal.rule("this kernel does not change regions, or not what was asked for")
                        .remedy("Ask Context.supports(REREGISTRATION); otherwise close the region and register anew")
                        .exception();
            case Errno.EINVAL, Errno.EFAULT, Errno.ENOMEM ->
                RegistrationRules.explain(fault, covered, mask, region.toString());
            default -> refusal.exception();
        };
    }

    private Refusal refusal() {
        return Refusal.of(Errno.EINVAL, "REREG_MR", region.toString());
    }
}
