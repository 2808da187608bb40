package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.AckTimeout;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.Rate;
import dev.doorbell.spec.RnrTimer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * How to connect a queue pair. Immutable; each method returns a copy with one thing changed. The kernel knows a few fixed
 * times only: the next longer one is taken, and the {@link Connection} says which.
 *
 * <p>Follows the attributes of ibv_modify_qp(3). A value out of its range is refused at once, with a {@link
 * VerbsException} EINVAL.
 *
 * <p>Thread rules: immutable.
 */
public final class ConnectOptions {
    private static final ConnectOptions DEFAULTS = new ConnectOptions();

    private Mtu mtu = Mtu.MTU_4096;
    private Duration ackTimeout = Duration.ofMillis(67);
    private int retryCount = 7;
    private Duration rnrTimer = Duration.ofMillis(1);
    private int rnrRetry = 7;
    private Set<AccessFlag> access =
            EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
    private int hopLimit = 64;
    private int trafficClass;
    private int serviceLevel;
    private int flowLabel;
    private int pkeyIndex;

    private ConnectOptions() {}

    private ConnectOptions(ConnectOptions from) {
        mtu = from.mtu;
        ackTimeout = from.ackTimeout;
        retryCount = from.retryCount;
        rnrTimer = from.rnrTimer;
        rnrRetry = from.rnrRetry;
        access = from.access;
        hopLimit = from.hopLimit;
        trafficClass = from.trafficClass;
        serviceLevel = from.serviceLevel;
        flowLabel = from.flowLabel;
        pkeyIndex = from.pkeyIndex;
    }

    /**
     * The smaller of both MTUs; 67 ms ACK timeout and 7 retries, so about half a second without an answer at least; 1 ms RNR
     * timer and RNR retries without end; the peer may write, read and do atomics where a region lets it; hop limit 64.
     */
    public static ConnectOptions defaults() {
        return DEFAULTS;
    }

    /** Path MTU at most; both ends' ports limit it further. */
    public ConnectOptions maxMtu(Mtu value) {
        ConnectOptions copy = new ConnectOptions(this);
        copy.mtu = value;
        return copy;
    }

    /** How long to wait for an acknowledgement before sending again, up to 2.4 hours; zero waits for ever. */
    public ConnectOptions ackTimeout(Duration value) {
        range("ACK timeout", value, AckTimeout.duration(AckTimeout.MAX_CODE));
        ConnectOptions copy = new ConnectOptions(this);
        copy.ackTimeout = value;
        return copy;
    }

    /** How often to send again after a timeout or a sequence error, 0 to 7. */
    public ConnectOptions retryCount(int value) {
        range("retry count", value, 7);
        ConnectOptions copy = new ConnectOptions(this);
        copy.retryCount = value;
        return copy;
    }

    /** How long the peer is asked to wait when no receive is posted here, 10 µs to 655 ms. */
    public ConnectOptions rnrTimer(Duration value) {
        range("RNR timer", value, RnrTimer.duration(0));
        ConnectOptions copy = new ConnectOptions(this);
        copy.rnrTimer = value;
        return copy;
    }

    /** How often to send again when the peer has no receive posted, 0 to 6; 7 has no end. */
    public ConnectOptions rnrRetry(int value) {
        range("RNR retry count", value, 7);
        ConnectOptions copy = new ConnectOptions(this);
        copy.rnrRetry = value;
        return copy;
    }

    /** What the peer may do; the regions have to grant it too. */
    public ConnectOptions access(AccessFlag... flags) {
        ConnectOptions copy = new ConnectOptions(this);
        copy.access = EnumSet.noneOf(AccessFlag.class);
        copy.access.addAll(Set.of(flags));
        return copy;
    }

    /** Routers that packets may pass, 1 to 255. */
    public ConnectOptions hopLimit(int value) {
        range("hop limit", value, 255);
        ConnectOptions copy = new ConnectOptions(this);
        copy.hopLimit = value;
        return copy;
    }

    /** DSCP and ECN byte of packets, 0 to 255. */
    public ConnectOptions trafficClass(int value) {
        range("traffic class", value, 255);
        ConnectOptions copy = new ConnectOptions(this);
        copy.trafficClass = value;
        return copy;
    }

    /** InfiniBand service level or Ethernet priority, 0 to 15. */
    public ConnectOptions serviceLevel(int value) {
        range("service level", value, 15);
        ConnectOptions copy = new ConnectOptions(this);
        copy.serviceLevel = value;
        return copy;
    }

    /** Seed of the UDP source port, 20 bits. */
    public ConnectOptions flowLabel(int value) {
        range("flow label", value, 0xf_ffff);
        ConnectOptions copy = new ConnectOptions(this);
        copy.flowLabel = value;
        return copy;
    }

    /** Slot of the P_Key table. */
    public ConnectOptions pkeyIndex(int value) {
        range("P_Key index", value, 0xffff);
        ConnectOptions copy = new ConnectOptions(this);
        copy.pkeyIndex = value;
        return copy;
    }

    private static void range(String what, int value, int highest) {
        if (value < 0 || value > highest) {
            throw refused(what, value, "0 to " + highest);
        }
    }

    private static void range(String what, Duration value, Duration longest) {
        if (value.isNegative() || value.compareTo(longest) > 0) {
            throw refused(what, value, "up to " + longest);
        }
    }

    private static VerbsException refused(String what, Object asked, Object allowed) {
        return Refusal.of(Errno.EINVAL, "set " + what, "connect options")
                .limit(asked, allowed)
                .exception();
    }

    Mtu maxMtu() {
        return mtu;
    }

    int ackTimeoutCode() {
        return AckTimeout.code(ackTimeout);
    }

    int retryCount() {
        return retryCount;
    }

    int rnrTimerCode() {
        return RnrTimer.code(rnrTimer);
    }

    int rnrRetry() {
        return rnrRetry;
    }

    int accessMask() {
        return AccessFlag.mask(access);
    }

    int pkeyIndex() {
        return pkeyIndex;
    }

    /** The way to a peer's port from a slot of the local GID table. */
    AddressVector addressOf(Endpoint peer, int port, int sourceGidIndex, boolean isGlobal) {
        return new AddressVector(
                peer.gid(),
                sourceGidIndex,
                flowLabel,
                hopLimit,
                trafficClass,
                port,
                serviceLevel,
                peer.lid(),
                isGlobal,
                0,
                Rate.MAX);
    }
}
