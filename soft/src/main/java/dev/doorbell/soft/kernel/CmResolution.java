package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.Gid;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which device has an address, and which one reaches it. Guarded by the connection manager's lock. */
final class CmResolution {
    private final RdmaCm manager;

    CmResolution(RdmaCm manager) {
        this.manager = manager;
    }

    /**
     * Gives an identifier the address that a program names, and the port that belongs to it; a device, unless it is any
     * address.
     *
     * @return 0, or the errno
     */
    int bind(CmIdentifier id, CmAddress address) {
        if (id.state != CmIdState.IDLE) {
            return Errno.EINVAL;
        }
        if (address.lacksScope() || address.gid().isMulticast()) {
            return Errno.EINVAL;
        }
        CmPort port = null;
        if (!address.isAny()) {
            port = owner(address.gid(), address.isLoopback());
            if (port == null) {
                return exists(address.gid()) ? Errno.ENODEV : Errno.EADDRNOTAVAIL;
            }
        }
        int number = manager.portNumbers().bind(id, address);
        if (number < 0) {
            if (port != null) {
                port.release();
            }
            return -number;
        }
        id.local = address.withPort(number);
        id.hasPort = true;
        id.state = CmIdState.BOUND;
        if (port != null) {
            settle(id, port);
        }
        return 0;
    }

    private static void settle(CmIdentifier id, CmPort port) {
        id.port = port;
        id.held = Set.of(port);
    }

    /** The device that has an address, held; null if none has. */
    private @Nullable CmPort owner(Gid address, boolean loopback) {
        for (CmPort port : manager.ports()) {
            // Where a device is shows when it is attached; one that takes any free loopback address may be anywhere
            // there.
            if ((port.has(address) || (loopback && !port.device().isAttached())) && port.hold()) {
                if (port.has(address)) {
                    return port;
                }
                port.release();
            }
        }
        return null;
    }

    /** Whether the host has an address, perhaps on an interface without a device. */
    private static boolean exists(Gid address) {
        try {
            return NetworkInterface.getByInetAddress(address.toInetAddress()) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * Finds the device and the own address for an identifier's peer.
     *
     * @return 0, or the errno
     */
    int resolve(CmIdentifier id, CmAddress to) {
        CmPort bound = id.port;
        CmAddress destination = to;
        if (to.isAny()) {
            // As with sockets: this host.
            Gid self = bound == null ? self(to.ipv6()) : id.local.gid();
            if (self == null) {
                return Errno.ENODEV;
            }
            destination = to.withGid(self);
        }
        if (bound != null) {
            // What goes to a group leaves by the interface of the own address, as Linux has it: no route is asked.
            boolean reaches = destination.gid().isMulticast()
                    || bound.has(destination.gid())
                    || bound.device().route(destination.gid(), destination.scope()) != null;
            if (!reaches) {
                return Errno.ENETUNREACH;
            }
            holdPeer(id, bound, destination.gid());
        } else if (!choose(id, destination)) {
            return Errno.ENETUNREACH;
        }
        id.remote = destination;
        return 0;
    }

    /** A peer that is a device of this kernel is there, though no program may have opened it: it says that nobody listens. */
    private void holdPeer(CmIdentifier id, CmPort bound, Gid destination) {
        CmPort peer = owner(destination, false);
        if (peer == bound) {
            peer.release();
        } else if (peer != null) {
            id.held = Set.of(bound, peer);
        }
    }

    private @Nullable Gid self(boolean ipv6) {
        for (CmPort port : manager.ports()) {
            Gid address = port.device().address(ipv6);
            if (address != null) {
                return address;
            }
        }
        return null;
    }

    /** Chooses the device that has an address, or else the first that reaches it. */
    private boolean choose(CmIdentifier id, CmAddress destination) {
        CmPort owner = owner(destination.gid(), false);
        if (owner != null) {
            settle(id, owner);
            id.local = new CmAddress(destination.ipv6(), destination.gid(), id.local.port(), destination.scope());
            return true;
        }
        for (CmPort port : manager.ports()) {
            if (!port.hold()) {
                continue;
            }
            Gid source = port.device().route(destination.gid(), destination.scope());
            if (source != null && port.has(source)) {
                settle(id, port);
                id.local = new CmAddress(destination.ipv6(), source, id.local.port(), destination.scope());
                return true;
            }
            port.release();
        }
        return false;
    }
}
