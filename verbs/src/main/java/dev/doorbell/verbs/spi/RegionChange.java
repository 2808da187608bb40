package dev.doorbell.verbs.spi;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What REREG_MR is to change of a memory region.
 *
 * <p>Follows ibv_rereg_mr(3).
 *
 * <p>Thread rules: immutable.
 *
 * @param memory the new memory, or null if it stays
 * @param iova the address by which work requests will name the first byte of the new memory
 * @param changesDomain whether it moves to another protection domain
 * @param protectionDomain the handle of that
 * @param changesAccess whether it grants something else
 * @param access bits of {@link dev.doorbell.spec.AccessFlag}
 */
public record RegionChange(
        @Nullable MemorySegment memory,
        long iova,
        boolean changesDomain,
        int protectionDomain,
        boolean changesAccess,
        int access) {}
