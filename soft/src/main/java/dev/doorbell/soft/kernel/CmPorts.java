package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Which identifiers have which port numbers. Each port space has its own. Guarded by the connection manager's lock. */
final class CmPorts {
    private static final int FIRST_EPHEMERAL = 32768;
    private static final int BEYOND_EPHEMERAL = 61000;

    private record Key(int space, int port) {}

    private final RandomGenerator random;
    private final Map<Key, List<CmIdentifier>> owners = new HashMap<>();

    CmPorts(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Gives an identifier the port of an address, or one that nobody has.
     *
     * @return the port; a negative errno if there is none
     */
    int bind(CmIdentifier id, CmAddress address) {
        if (address.port() == 0) {
            return any(id);
        }
        Key key = new Key(id.space().code(), address.port());
        int refusal = conflict(owners.getOrDefault(key, List.of()), id, address, id.reuseAddress);
        if (refusal != 0) {
            return -refusal;
        }
        own(key, id);
        return address.port();
    }

    private int any(CmIdentifier id) {
        int count = BEYOND_EPHEMERAL - FIRST_EPHEMERAL;
        int start = random.nextInt(count);
        for (int i = 0; i < count; i++) {
            Key key = new Key(id.space().code(), FIRST_EPHEMERAL + (start + i) % count);
            if (!owners.containsKey(key)) {
                own(key, id);
                return key.port;
            }
        }
        return -Errno.EADDRNOTAVAIL;
    }

    private void own(Key key, CmIdentifier id) {
        owners.computeIfAbsent(key, port -> new ArrayList<>(1)).add(id);
    }

    /** Whether an identifier may listen at the port that it has: 0, or the errno. */
    int mayListen(CmIdentifier id) {
        CmAddress address = id.local;
        return conflict(owners.getOrDefault(new Key(id.space().code(), address.port()), List.of()), id, address, false);
    }

    private static int conflict(List<CmIdentifier> others, CmIdentifier id, CmAddress address, boolean shares) {
        for (CmIdentifier other : others) {
            boolean apart = other == id
                    || (shares && other.reuseAddress)
                    || (id.familyOnly && other.familyOnly && other.local.ipv6() != address.ipv6());
            if (apart) {
                continue;
            }
            if (address.isAny() || other.local.isAny()) {
                return Errno.EADDRNOTAVAIL;
            }
            if (address.gid().equals(other.local.gid())) {
                return Errno.EADDRINUSE;
            }
        }
        return 0;
    }

    /** Takes an identifier's port away, if it has one. */
    void release(CmIdentifier id) {
        owners.computeIfPresent(new Key(id.space().code(), id.local.port()), (key, ids) -> {
            ids.remove(id);
            return ids.isEmpty() ? null : ids;
        });
    }

    /** How many ports have owners. */
    int size() {
        return owners.size();
    }
}
