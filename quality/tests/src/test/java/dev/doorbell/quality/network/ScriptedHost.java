package dev.doorbell.quality.network;

import dev.doorbell.soft.link.HostAddresses;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A host whose addresses a test moves. The sockets are real, on the loopback interface; what is said of them is not. */
final class ScriptedHost implements HostAddresses {
    static final Place LOOPBACK = new Place("lo", 1, true, 65_536);

    private final Map<InetAddress, Place> places = new HashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Override
    public synchronized @Nullable Place find(InetAddress address) {
        return places.get(address);
    }

    private synchronized void place(InetAddress address, Place place) {
        places.put(address, place);
    }

    private synchronized void remove(InetAddress address) {
        places.remove(address);
    }

    /** The address comes, or its interface changes, and who listens is told. */
    void have(InetAddress address, Place place) {
        place(address, place);
        listeners.forEach(Runnable::run);
    }

    /** The address goes. */
    void lose(InetAddress address) {
        remove(address);
        listeners.forEach(Runnable::run);
    }

    int listeners() {
        return listeners.size();
    }

    @Override
    public Watch watch(Runnable action) {
        listeners.add(action);
        return new Watch() {
            @Override
            public void runAgain() {}

            @Override
            public void close() {
                listeners.remove(action);
            }
        };
    }
}
