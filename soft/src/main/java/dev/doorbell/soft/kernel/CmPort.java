package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.soft.cm.CmAgent;
import dev.doorbell.soft.hca.GeneralServices;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.MadHeader;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A device as the connection manager sees it: its queue pair number 1, and the agent that speaks through it. To the device
 * it is work that whoever drives the device does on the way.
 *
 * <p>Thread rules: {@link #isDue}, {@link #doWork} and {@link #nextDeadlineNs} from any thread; the rest with the
 * connection manager's lock.
 */
final class CmPort {
    private static final int BATCH = 64;
    private static final int NOWHERE = -1;

    private final RdmaCm manager;
    private final SoftDevice device;
    private final int index;
    private final GeneralServices services;
    private final RandomGenerator random;
    private final MadInbox inbox = new MadInbox();
    private @Nullable CmAgent agent;

    /**
     * Whether the device is kept attached for ends of connections: after a program has closed its last identifier they still repeat what
     * was not answered, and answer what the other side repeats.
     */
    private boolean lingering;

    /** The agent's next deadline, for those who do not have the lock. */
    private volatile long deadlineNs = Long.MAX_VALUE;

    CmPort(RdmaCm manager, SoftDevice device, int index, RandomGenerator random) {
        this.manager = manager;
        this.device = device;
        this.index = index;
        this.random = random;
        this.services = device.hca().generalServices();
        services.setSink(inbox);
    }

    SoftDevice device() {
        return device;
    }

    /** The device's number among those of its kernel, from 1. */
    int index() {
        return index;
    }

    /** The agent. The device is attached to its link, so that its GUID is the one that it keeps. */
    CmAgent agent() {
        CmAgent present = agent;
        if (present == null || (present.size() == 0 && !present.guid().equals(device.nodeGuid()))) {
            present = new CmAgent(device.nodeGuid(), random, this::send, manager.service(this));
            agent = present;
        }
        return present;
    }

    private void send(CmMad mad, Gid from, Gid to) {
        MemorySegment datagram = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
        mad.write(datagram, 0);
        services.send(datagram, from, to);
    }

    /** Keeps the device attached to its link from now on, and listening; false if it cannot be. */
    boolean hold() {
        try {
            device.hold();
        } catch (KernelException refused) {
            return false;
        }
        services.listen();
        return true;
    }

    void release() {
        device.release();
    }

    /** The slot of an address in the device's table; negative if it does not have it. */
    int gidIndex(Gid gid) {
        for (GidEntry entry : device.gids(SoftDevice.PORT)) {
            if (entry.gid().equals(gid)) {
                return entry.index();
            }
        }
        return NOWHERE;
    }

    boolean has(Gid gid) {
        return gidIndex(gid) >= 0;
    }

    /** Whether there is something to do at this time. Reads only. */
    boolean isDue(long nowNs) {
        return !inbox.isEmpty() || deadlineNs <= nowNs;
    }

    boolean hasMessages() {
        return !inbox.isEmpty();
    }

    long nextDeadlineNs() {
        return deadlineNs;
    }

    /** Does what there is to do, unless somebody else has the lock, who then sees to it. */
    boolean doWork(long nowNs) {
        return isDue(nowNs) && manager.tryWork(this, nowNs);
    }

    /** With the lock: takes messages and lets time pass. */
    boolean work(long nowNs) {
        boolean worked = false;
        for (int count = 0; count < BATCH; count++) {
            MadInbox.Letter letter = inbox.poll();
            if (letter == null) {
                break;
            }
            agent().receive(letter.mad(), letter.source(), letter.destination(), nowNs);
            worked = true;
        }
        CmAgent present = agent;
        return (present != null && present.expire(nowNs)) || worked;
    }

    /** With the lock, at the end of whatever was done: lets the device know when it is needed next. */
    void settle() {
        CmAgent present = agent;
        linger(present != null && present.size() > 0);
        long next = present == null ? Long.MAX_VALUE : present.nextDeadlineNs();
        long before = deadlineNs;
        if (next != before) {
            deadlineNs = next;
            if (next < before) {
                device.driving().rescheduled();
            }
        }
    }

    private void linger(boolean needed) {
        if (needed && !lingering) {
            lingering = hold();
        } else if (!needed && lingering) {
            lingering = false;
            release();
        }
    }

    /** Endpoints that are alive. */
    int size() {
        CmAgent present = agent;
        return present == null ? 0 : present.size();
    }
}
