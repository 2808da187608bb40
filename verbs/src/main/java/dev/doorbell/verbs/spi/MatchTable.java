package dev.doorbell.verbs.spi;

import java.util.List;
import java.util.Set;

/**
 * The devices that a provider drives, in the order in which they are tried over all providers: the kernel driver's id,
 * then the start of the device's name, then its modalias.
 *
 * <p>Follows the match tables of the C library's drivers ({@code verbs_match_ent}).
 *
 * <p>Thread rules: immutable.
 *
 * @param driverIds kernel drivers, numbers of {@link dev.doorbell.kernel.abi.DriverId}
 * @param namePrefixes starts of device names
 * @param modaliases globs (with {@code *}) over the device's modalias
 */
public record MatchTable(Set<Integer> driverIds, List<String> namePrefixes, List<String> modaliases) {
    /** Copies the collections. */
    public MatchTable {
        driverIds = Set.copyOf(driverIds);
        namePrefixes = List.copyOf(namePrefixes);
        modaliases = List.copyOf(modaliases);
    }
}
