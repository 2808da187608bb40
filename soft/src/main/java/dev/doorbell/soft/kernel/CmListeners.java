package dev.doorbell.soft.kernel;

import dev.doorbell.spec.Gid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who listens where. Guarded by the connection manager's lock. */
final class CmListeners {
    private final Map<Long, List<CmIdentifier>> byService = new HashMap<>();

    void add(CmIdentifier id) {
        byService.computeIfAbsent(service(id), key -> new ArrayList<>(1)).add(id);
    }

    void remove(CmIdentifier id) {
        byService.computeIfPresent(service(id), (key, ids) -> {
            ids.remove(id);
            return ids.isEmpty() ? null : ids;
        });
    }

    private static long service(CmIdentifier id) {
        return id.space().serviceId(id.local.port());
    }

    /** Who listens for a service at an address: at that address rather than at all addresses. */
    @Nullable
    CmIdentifier find(long service, Gid address) {
        CmIdentifier found = null;
        for (CmIdentifier id : byService.getOrDefault(service, List.of())) {
            if (id.local.gid().equals(address)) {
                return id;
            }
            boolean sameFamily = id.local.ipv6() != address.isIpv4Mapped();
            if (id.local.isAny() && (sameFamily || (id.local.ipv6() && !id.familyOnly))) {
                found = id;
            }
        }
        return found;
    }
}
