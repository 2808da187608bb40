package dev.doorbell.cm;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmEce;
import dev.doorbell.kernel.abi.CmIds;
import dev.doorbell.verbs.VendorConnectionOptions;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the two ends of a connection agree on ({@code struct rdma_conn_param}). Immutable; {@link #defaults()} are sane, and
 * the {@code with} methods change one thing.
 *
 * <p>In what a program asks for, {@link #AUTOMATIC} for the READ and atomic depths means: what the device can, 16 at most;
 * for a program that accepts, no more than the peer asked for. In what an event tells, the depths are already in this side's
 * view: {@code responderResources} is what the peer wants served here, {@code initiatorDepth} is what it serves.
 *
 * <p>Follows rdma_connect(3) and rdma_accept(3).
 *
 * <p>Thread rules: immutable.
 */
public final class ConnectionParameters {
    /** Leaves a depth to the library. */
    public static final int AUTOMATIC = 255;

    /** Most bytes of private data of a request for a connection. */
    public static final int CONNECT_DATA = 56;

    /** Most bytes of private data of a request in a datagram port space. */
    public static final int CONNECT_DATAGRAM_DATA = 180;

    /** Most bytes of private data with which a request for a connection is accepted. */
    public static final int ACCEPT_DATA = 196;

    /** Most bytes of private data with which a request in a datagram port space is accepted or rejected. */
    public static final int ACCEPT_DATAGRAM_DATA = 136;

    /** Most bytes of private data with which a request for a connection is rejected. */
    public static final int REJECT_DATA = 148;

    /** RNR retry count that never gives up. */
    public static final int RETRY_FOR_EVER = 7;

    private static final int MAX_RETRIES = 7;
    private static final VendorConnectionOptions NO_OPTIONS = new VendorConnectionOptions(0, 0, 0);
    private static final ConnectionParameters DEFAULTS = new ConnectionParameters(
            new byte[0], true, new Numbers(AUTOMATIC, AUTOMATIC, MAX_RETRIES, RETRY_FOR_EVER, 0, 0), NO_OPTIONS);

    private final byte[] privateData;
    private final boolean flowControl;
    private final Numbers numbers;
    private final VendorConnectionOptions vendor;

    private ConnectionParameters(
            byte[] privateData, boolean flowControl, Numbers numbers, VendorConnectionOptions vendor) {
        this.privateData = privateData;
        this.flowControl = flowControl;
        this.numbers = numbers;
        this.vendor = vendor;
    }

    private record Numbers(
            int responderResources,
            int initiatorDepth,
            int retryCount,
            int rnrRetryCount,
            int queuePairNumber,
            int qkey) {}

    /** No private data, automatic depths, flow control, seven retries, and no end of retries after receiver not ready. */
    public static ConnectionParameters defaults() {
        return DEFAULTS;
    }

    /** Refuses private data that do not fit into a message. */
    static void checkPrivateData(String name, String operation, int length, int limit) {
        if (length > limit) {
            throw new CmException(operation, name, Errno.EINVAL, length + " bytes of private data", limit + " bytes");
        }
    }

    /** Bytes that stand in memory. */
    static byte[] bytes(MemorySegment segment, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, at, MemorySegment.ofArray(bytes), 0, length);
        return bytes;
    }

    /** What an event tells, with the vendor's options at {@code options}. */
    static ConnectionParameters read(MemorySegment struct, long at, long options) {
        int length = Math.min(CmConnectionParameters.privateDataLen(struct, at), CmIds.MAX_PRIVATE_DATA);
        byte[] data = bytes(struct, at + CmConnectionParameters.PRIVATE_DATA, length);
        return new ConnectionParameters(
                data,
                CmConnectionParameters.flowControl(struct, at) != 0,
                new Numbers(
                        CmConnectionParameters.responderResources(struct, at),
                        CmConnectionParameters.initiatorDepth(struct, at),
                        CmConnectionParameters.retryCount(struct, at),
                        CmConnectionParameters.rnrRetryCount(struct, at),
                        CmConnectionParameters.qpNum(struct, at),
                        CmConnectionParameters.qkey(struct, at)),
                new VendorConnectionOptions(CmEce.vendorId(struct, options), CmEce.attrMod(struct, options), 0));
    }

    /** Data for the program on the other side. The limit depends on the call, which refuses more with EINVAL. */
    public ConnectionParameters withPrivateData(byte... value) {
        return new ConnectionParameters(value.clone(), flowControl, numbers, vendor);
    }

    /**
     * READs and atomics at a time: those that this side serves, and those that it may have outstanding.
     *
     * @throws CmException EINVAL beyond 0 to 255
     */
    public ConnectionParameters withDepths(int newResponderResources, int newInitiatorDepth) {
        check("responder resources", newResponderResources, AUTOMATIC);
        check("initiator depth", newInitiatorDepth, AUTOMATIC);
        return new ConnectionParameters(
                privateData,
                flowControl,
                new Numbers(
                        newResponderResources,
                        newInitiatorDepth,
                        numbers.retryCount,
                        numbers.rnrRetryCount,
                        numbers.queuePairNumber,
                        numbers.qkey),
                vendor);
    }

    /**
     * Retries of a lost packet, and after receiver not ready, where 7 never gives up. Those of a lost packet are the
     * connecting side's to say; each side says its peer's retries after receiver not ready.
     *
     * @throws CmException EINVAL beyond 0 to 7
     */
    public ConnectionParameters withRetries(int newRetryCount, int newRnrRetryCount) {
        check("retries", newRetryCount, MAX_RETRIES);
        check("RNR retries", newRnrRetryCount, RETRY_FOR_EVER);
        return new ConnectionParameters(
                privateData,
                flowControl,
                new Numbers(
                        numbers.responderResources,
                        numbers.initiatorDepth,
                        newRetryCount,
                        newRnrRetryCount,
                        numbers.queuePairNumber,
                        numbers.qkey),
                vendor);
    }

    /** Whether the hardware tells the peer about its receive credits. */
    public ConnectionParameters withFlowControl(boolean value) {
        return new ConnectionParameters(privateData, value, numbers, vendor);
    }

    /** The number and the Q_Key of a queue pair that the identifier does not know. */
    public ConnectionParameters withQueuePair(int number, int newQkey) {
        return new ConnectionParameters(
                privateData,
                flowControl,
                new Numbers(
                        numbers.responderResources,
                        numbers.initiatorDepth,
                        numbers.retryCount,
                        numbers.rnrRetryCount,
                        number,
                        newQkey),
                vendor);
    }

    /**
     * What the queue pair's vendor wants to agree on with the peer (rdma_set_local_ece(3)): in a request what it can do, in an
     * answer what is to be. A program takes them from its queue pair and sets what came of it before the queue pair goes to RTR,
     * which it then has to move itself. The embedded kernel tells no peer about them.
     */
    public ConnectionParameters withVendorOptions(VendorConnectionOptions value) {
        return new ConnectionParameters(privateData, flowControl, numbers, value);
    }

    private static void check(String what, int value, int most) {
        if (value < 0 || value > most) {
            throw new CmException("set", "connection parameters", Errno.EINVAL, value + " " + what, "0 to " + most);
        }
    }

    /**
     * Data of the program on the other side. In what an event tells it is as long as the message's field, whatever the
     * sender gave, with zeros behind.
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    int privateDataLength() {
        return privateData.length;
    }

    /** READs and atomics that are served at a time. */
    public int responderResources() {
        return numbers.responderResources;
    }

    /** READs and atomics that may be outstanding. */
    public int initiatorDepth() {
        return numbers.initiatorDepth;
    }

    /** Whether the hardware tells about receive credits. */
    public boolean flowControl() {
        return flowControl;
    }

    /** Retries of a lost packet, 0 to 7. */
    public int retryCount() {
        return numbers.retryCount;
    }

    /** Retries after receiver not ready, 0 to 6; 7 never gives up. */
    public int rnrRetryCount() {
        return numbers.rnrRetryCount;
    }

    /** Number of the peer's queue pair, in what an event tells. */
    public int queuePairNumber() {
        return numbers.queuePairNumber;
    }

    /** Q_Key, for datagrams. */
    public int qkey() {
        return numbers.qkey;
    }

    /** The peer's vendor options in what an event tells (rdma_get_remote_ece(3)); empty if it has none. */
    public Optional<VendorConnectionOptions> vendorOptions() {
        return vendor.vendorId() == 0 ? Optional.empty() : Optional.of(vendor);
    }

    /** Writes what a program asks for, and the vendor's options at {@code options}. */
    void write(MemorySegment struct, long at, long options, boolean sharedReceives) {
        CmEce.setVendorId(struct, options, vendor.vendorId());
        CmEce.setAttrMod(struct, options, vendor.options());
        CmConnectionParameters.setQpNum(struct, at, numbers.queuePairNumber);
        CmConnectionParameters.setQkey(struct, at, numbers.qkey);
        MemorySegment.copy(
                MemorySegment.ofArray(privateData),
                0,
                struct,
                at + CmConnectionParameters.PRIVATE_DATA,
                privateData.length);
        CmConnectionParameters.setPrivateDataLen(struct, at, privateData.length);
        CmConnectionParameters.setSrq(struct, at, sharedReceives ? 1 : 0);
        CmConnectionParameters.setResponderResources(struct, at, numbers.responderResources);
        CmConnectionParameters.setInitiatorDepth(struct, at, numbers.initiatorDepth);
        CmConnectionParameters.setFlowControl(struct, at, flowControl ? 1 : 0);
        CmConnectionParameters.setRetryCount(struct, at, numbers.retryCount);
        CmConnectionParameters.setRnrRetryCount(struct, at, numbers.rnrRetryCount);
        CmConnectionParameters.setValid(struct, at, 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionParameters that
                && Arrays.equals(privateData, that.privateData)
                && flowControl == that.flowControl
                && numbers.equals(that.numbers)
                && vendor.equals(that.vendor);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(privateData) * 31 + numbers.hashCode();
    }

    @Override
    public String toString() {
        return "responder resources %s, initiator depth %s, retries %d, RNR retries %d, %d bytes of private data"
                .formatted(
                        depth(numbers.responderResources),
                        depth(numbers.initiatorDepth),
                        numbers.retryCount,
                        numbers.rnrRetryCount,
                        privateData.length);
    }

    private static String depth(int value) {
        return value == AUTOMATIC ? "automatic" : Integer.toString(value);
    }
}
