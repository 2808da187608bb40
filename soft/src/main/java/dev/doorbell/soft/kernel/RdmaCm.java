package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.Progress;
import dev.doorbell.soft.cm.CmService;
import dev.doorbell.soft.hca.NanoClock;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.Psn;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.PrivateData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of an embedded kernel: what Linux has behind /dev/infiniband/rdma_cm, for all devices of the kernel.
 *
 * <pre>
 *   RdmaCmFile ── commands ──▶ CmIdentifier ── CmEndpoint, SidrRequest, SidrQuestion (soft.cm)
 *       │ events                   │ port            │
 *       ▼                          ▼                 ▼
 *   EventQueue                 CmPort ────────── CmAgent ── messages ── queue pair number 1 of the device (soft.hca)
 * </pre>
 *
 * <p>One lock guards all of it. Whoever drives a device only tries to take it; whoever has it sees to what came meanwhile.
 *
 * <p>Thread rules: any thread.
 */
public final class RdmaCm {
    /** Identifiers and memberships of all programs together, requests included that were not read. */
    static final int MOST_IDENTIFIERS = 1 << 17;

    private static final int MOST_FILES = 1 << 12;

    private final ReentrantLock lock = new ReentrantLock();
    private final NanoClock clock;
    private final RandomGenerator random;
    private final List<CmPort> ports = new ArrayList<>();
    private final Idler idler;
    private final Progress progress;
    private final Map<Integer, CmIdentifier> identifiers = new HashMap<>();
    private final Map<Integer, CmMembership> memberships = new HashMap<>();
    private final Map<Integer, RdmaCmFile> files = new HashMap<>();
    private final CmPorts portNumbers;
    private final CmListeners listeners = new CmListeners();

    /**
     * The connection manager of some devices, which are told of it.
     *
     * @param random where numbers come from; safe for use by several threads
     */
    public RdmaCm(List<SoftDevice> devices, NanoClock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
        this.portNumbers = new CmPorts(random);
        for (SoftDevice device : devices) {
            CmPort port = new CmPort(this, device, ports.size() + 1, random);
            ports.add(port);
            device.manage(port);
        }
        CmIdler all = new CmIdler(List.copyOf(devices), clock);
        this.idler = devices.size() == 1 ? devices.getFirst().idler() : all;
        this.progress = devices.size() == 1 ? devices.getFirst().progress() : all;
    }

    /**
     * Opens it for a program.
     *
     * @throws KernelException EMFILE if that was done too often
     */
    public CmChannel open() {
        lock.lock();
        try {
            if (files.size() >= MOST_FILES) {
                throw new KernelException(Errno.EMFILE, "opening the connection manager: " + MOST_FILES + " are open");
            }
            int descriptor = newNumber(files);
            RdmaCmFile file = new RdmaCmFile(this, descriptor, idler);
            files.put(descriptor, file);
            return file;
        } finally {
            lock.unlock();
        }
    }

    /** What is alive, for tests that look for leaks. */
    public CmCensus census() {
        lock.lock();
        try {
            int endpoints = ports.stream().mapToInt(CmPort::size).sum();
            return new CmCensus(files.size(), identifiers.size(), memberships.size(), endpoints, portNumbers.size());
        } finally {
            lock.unlock();
        }
    }

    /** Does something with the lock, and sees to what that brings about. */
    int locked(IntSupplier action) {
        lock.lock();
        try {
            return action.getAsInt();
        } finally {
            leave();
        }
    }

    boolean tryWork(CmPort port, long nowNs) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return port.work(nowNs);
        } finally {
            leave();
        }
    }

    private void leave() {
        ports.forEach(CmPort::settle);
        lock.unlock();
        for (CmPort port : ports) {
            // Whoever drives the device may have found the lock taken.
            if (port.hasMessages() && lock.tryLock()) {
                try {
                    port.work(nowNs());
                } finally {
                    ports.forEach(CmPort::settle);
                    lock.unlock();
                }
            }
            if (port.hasMessages()) {
                port.device().driving().arrived();
            }
        }
    }

    /** Who answers what is asked of a device. */
    CmService service(CmPort port) {
        return new CmRequests(this, port);
    }

    Progress progress() {
        return progress;
    }

    long nowNs() {
        return clock.nanoTime();
    }

    List<CmPort> ports() {
        return ports;
    }

    CmPorts portNumbers() {
        return portNumbers;
    }

    CmListeners listeners() {
        return listeners;
    }

    /** Makes an identifier; null if there are too many. */
    @Nullable
    CmIdentifier newIdentifier(RdmaCmFile file, PortSpace space, QueuePairType type, @Nullable CmIdentifier listener) {
        if (isFull()) {
            return null;
        }
        int number = newNumber(identifiers);
        int sequence = random.nextInt(Psn.COUNT);
        CmIdentifier id = new CmIdentifier(file, number, sequence, space, type, listener);
        identifiers.put(number, id);
        return id;
    }

    private int newNumber(Map<Integer, ?> taken) {
        int number;
        do {
            number = random.nextInt(1, Integer.MAX_VALUE);
        } while (taken.containsKey(number));
        return number;
    }

    /** The identifier with this number, if it belongs to that file. */
    @Nullable
    CmIdentifier find(RdmaCmFile file, int number) {
        CmIdentifier id = identifiers.get(number);
        return id != null && id.file() == file ? id : null;
    }

    @Nullable
    RdmaCmFile file(int descriptor) {
        return files.get(descriptor);
    }

    private boolean isFull() {
        return identifiers.size() + memberships.size() >= MOST_IDENTIFIERS;
    }

    /** Makes an identifier a member of a group; null if there are too many of both. */
    @Nullable
    CmMembership newMembership(CmIdentifier id, long uid, Gid group) {
        if (isFull()) {
            return null;
        }
        CmMembership membership = new CmMembership(newNumber(memberships), uid, id, group, new EventSource(0));
        memberships.put(membership.number(), membership);
        id.memberships.add(membership);
        return membership;
    }

    @Nullable
    CmMembership membership(RdmaCmFile file, int number) {
        CmMembership membership = memberships.get(number);
        return membership != null && membership.id().file() == file ? membership : null;
    }

    /** Ends a membership; returns how many of its events were read. */
    int leave(CmMembership membership) {
        memberships.remove(membership.number(), membership);
        membership.id().memberships.remove(membership);
        return membership.id().file().retire(membership.source());
    }

    /** Destroys an identifier; returns how many of its events were read. */
    int destroy(CmIdentifier id) {
        int reported = id.file().retire(id.source);
        listeners.remove(id);
        for (CmIdentifier request : List.copyOf(id.unread)) {
            destroy(request);
        }
        id.unread.clear();
        List.copyOf(id.memberships).forEach(this::leave);
        long now = nowNs();
        if (id.endpoint != null) {
            id.endpoint.close(now);
        }
        if (id.request != null) {
            id.request.close();
        }
        if (id.question != null) {
            id.question.reject(PrivateData.zero(CmSidrRep.PRIVATE_DATA), now);
        }
        if (id.hasPort) {
            portNumbers.release(id);
        }
        id.held.forEach(CmPort::release);
        id.held = Set.of();
        identifiers.remove(id.number, id);
        return reported;
    }

    /** A file is closed: what is left in it goes. */
    void close(RdmaCmFile file) {
        files.remove(file.events().descriptor(), file);
        for (CmIdentifier id : List.copyOf(identifiers.values())) {
            if (id.file() == file && identifiers.get(id.number) == id) {
                destroy(id);
            }
        }
    }
}
