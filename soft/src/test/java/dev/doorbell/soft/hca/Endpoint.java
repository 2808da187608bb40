package dev.doorbell.soft.hca;

import static dev.doorbell.spec.QueuePairAttribute.ACCESS_FLAGS;
import static dev.doorbell.spec.QueuePairAttribute.ADDRESS_VECTOR;
import static dev.doorbell.spec.QueuePairAttribute.DESTINATION_QP;
import static dev.doorbell.spec.QueuePairAttribute.MAX_DEST_READ_ATOMIC;
import static dev.doorbell.spec.QueuePairAttribute.MAX_READ_ATOMIC;
import static dev.doorbell.spec.QueuePairAttribute.MIN_RNR_TIMER;
import static dev.doorbell.spec.QueuePairAttribute.PATH_MTU;
import static dev.doorbell.spec.QueuePairAttribute.PKEY_INDEX;
import static dev.doorbell.spec.QueuePairAttribute.PORT;
import static dev.doorbell.spec.QueuePairAttribute.QKEY;
import static dev.doorbell.spec.QueuePairAttribute.RECEIVE_PSN;
import static dev.doorbell.spec.QueuePairAttribute.RETRY_COUNT;
import static dev.doorbell.spec.QueuePairAttribute.RNR_RETRY;
import static dev.doorbell.spec.QueuePairAttribute.SEND_PSN;
import static dev.doorbell.spec.QueuePairAttribute.STATE;
import static dev.doorbell.spec.QueuePairAttribute.TIMEOUT;

import dev.doorbell.kernel.abi.RxeAtomicWr;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.kernel.abi.RxeUdWr;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue pair under test and the program's ends of its rings. */
final class Endpoint {
    static final int SIGNALED = SendFlag.SIGNALED.bit();

    final Device device;
    final Options options;
    final Queue sends;
    final Queue receives;
    Queue sendCompletions;
    final Queue receiveCompletions;
    final RingCompletionQueue sendQueue;
    final RingCompletionQueue receiveQueue;
    final HcaQueuePair queuePair;
    int completionEvents;
    int overflows;

    /** What a test may want different. */
    static final class Options {
        QueuePairType type = QueuePairType.RC;
        int qkey = 0x1234;
        int slots = 64;
        int completions = 255;
        int maxSge = 4;
        int maxInline = 64;
        int access = Device.ALL_ACCESS;
        int mtu = 3;
        int timeout = 10;
        int retryCount = 7;
        int rnrRetry = 7;
        int rnrTimer = 1;
        int depth = 4;
        int sendPsn = 0x123456;
        int receivePsn = 0x123456;

        @Nullable
        HcaSharedReceiveQueue shared;

        static Options of(QueuePairType type) {
            Options options = new Options();
            options.type = type;
            return options;
        }
    }

    /** A ring and the program's index in it. */
    static final class Queue {
        final SharedRing ring;
        int index;

        Queue(Device device, int slots, int elementSize) {
            int log2 = Integer.numberOfTrailingZeros(elementSize);
            MemorySegment memory = device.arena.allocate(384 + ((long) slots << log2), 128);
            ring = new SharedRing(memory, 128, 256, 384, log2, slots - 1);
        }

        MemorySegment memory() {
            return ring.memory();
        }

        /** Offset of the element to fill. */
        long slot() {
            return ring.offset(index);
        }

        void publish() {
            index = ring.next(index);
            ring.producerRelease(index);
        }
    }

    /** A scatter/gather element. */
    record Sge(long address, int length, int key) {}

    /** A completion as the program sees it. */
    record Done(
            long id,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long bytes,
            int flags,
            int immediate,
            int source) {
        boolean hasImmediate() {
            return WorkCompletionFlag.WITH_IMM.isIn(flags);
        }
    }

    Endpoint(Device device, Options options) {
        this.device = device;
        this.options = options;
        sends = new Queue(device, options.slots, 512);
        receives = new Queue(device, options.slots, 128);
        sendCompletions = new Queue(device, 256, 64);
        receiveCompletions = new Queue(device, 256, 64);
        CompletionListener listener = new CompletionListener() {
            @Override
            public void completion() {
                completionEvents++;
            }

            @Override
            public void overflow() {
                overflows++;
            }
        };
        sendQueue = device.hca.createCompletionQueue(sendCompletions.ring, options.completions, listener);
        receiveQueue = device.hca.createCompletionQueue(receiveCompletions.ring, options.completions, listener);
        queuePair = Objects.requireNonNull(device.hca.createQueuePair(new QueuePairRequest(
                device.domain,
                options.type,
                sendQueue,
                receiveQueue,
                new QueuePairRequest.RingQueue(sends.ring, options.maxSge, options.maxInline),
                options.shared == null ? new QueuePairRequest.RingQueue(receives.ring, options.maxSge, 0) : null,
                options.shared,
                false)));
    }

    static void connect(Endpoint one, Endpoint other) {
        one.toReady(other);
        if (one != other) {
            other.toReady(one);
        }
    }

    /** Brings a datagram queue pair up. */
    Endpoint open() {
        toReady(this);
        return this;
    }

    private void toReady(Endpoint peer) {
        check(init());
        check(readyToReceive(peer));
        check(readyToSend());
    }

    private static void check(int errno) {
        if (errno != 0) {
            throw new AssertionError("errno " + errno);
        }
    }

    int init() {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = QueuePairState.INIT.code();
        settings.accessFlags = options.access;
        settings.qkey = options.qkey;
        QueuePairAttribute right = options.type == QueuePairType.UD ? QKEY : ACCESS_FLAGS;
        return queuePair.modify(settings, mask(STATE, PKEY_INDEX, PORT, right));
    }

    int readyToReceive(Endpoint peer) {
        return readyToReceive(peer.device.gid, peer.queuePair.number());
    }

    int readyToReceive(Gid address, int number) {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = QueuePairState.RTR.code();
        settings.destinationGid = address;
        settings.destinationQp = number;
        settings.pathMtu = options.mtu;
        settings.receivePsn = options.receivePsn;
        settings.maxDestReadAtomic = options.depth;
        settings.minRnrTimer = options.rnrTimer;
        int connected = mask(STATE, ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN);
        return queuePair.modify(
                settings,
                switch (options.type) {
                    case RC -> connected | mask(MAX_DEST_READ_ATOMIC, MIN_RNR_TIMER);
                    case UC -> connected;
                    case UD -> mask(STATE);
                });
    }

    int readyToSend() {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = QueuePairState.RTS.code();
        settings.timeout = options.timeout;
        settings.retryCount = options.retryCount;
        settings.rnrRetry = options.rnrRetry;
        settings.sendPsn = options.sendPsn;
        settings.maxReadAtomic = options.depth;
        int reliable = mask(TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC);
        return queuePair.modify(settings, mask(STATE, SEND_PSN) | (options.type == QueuePairType.RC ? reliable : 0));
    }

    int to(QueuePairState state) {
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = state.code();
        return queuePair.modify(settings, mask(STATE));
    }

    static int mask(QueuePairAttribute first, QueuePairAttribute... more) {
        return QueuePairAttribute.mask(EnumSet.of(first, more));
    }

    static Sge sge(Device.Buffer buffer, long offset, long length) {
        return new Sge(buffer.address() + offset, (int) length, buffer.key());
    }

    static Sge sge(Device.Buffer buffer) {
        return sge(buffer, 0, buffer.memory().byteSize());
    }

    /** Puts a receive work request into the ring. */
    void receive(long id, Sge... elements) {
        long at = receives.slot();
        MemorySegment ring = receives.memory();
        RxeRecvWqe.setWrId(ring, at, id);
        RxeRecvWqe.setDmaNumSge(ring, at, elements.length);
        for (int index = 0; index < elements.length; index++) {
            write(ring, RxeRecvWqe.sge(at, index), elements[index]);
        }
        receives.publish();
    }

    /** Puts a SEND or the common part of another operation into the ring, without publishing it. */
    long prepare(long id, WorkRequestOpcode opcode, int flags, Sge... elements) {
        long at = sends.slot();
        MemorySegment ring = sends.memory();
        ring.asSlice(at, 512).fill((byte) 0);
        RxeSendWqe.setWrId(ring, at, id);
        RxeSendWqe.setOpcode(ring, at, opcode.code());
        RxeSendWqe.setSendFlags(ring, at, flags);
        RxeSendWqe.setDmaNumSge(ring, at, elements.length);
        long total = 0;
        for (int index = 0; index < elements.length; index++) {
            write(ring, RxeSendWqe.sge(at, index), elements[index]);
            total += Integer.toUnsignedLong(elements[index].length());
        }
        RxeSendWqe.setDmaLength(ring, at, total);
        return at;
    }

    /** Rings for what was prepared last. */
    void submit() {
        sends.publish();
        queuePair.ring();
    }

    void send(long id, Sge... elements) {
        prepare(id, WorkRequestOpcode.SEND, SIGNALED, elements);
        submit();
    }

    void sendImmediate(long id, int immediate, Sge... elements) {
        long at = prepare(id, WorkRequestOpcode.SEND_WITH_IMM, SIGNALED, elements);
        RxeSendWqe.setImmData(sends.memory(), at, immediate);
        submit();
    }

    void sendInline(long id, byte[] data) {
        long at = prepare(id, WorkRequestOpcode.SEND, SIGNALED | SendFlag.INLINE.bit());
        RxeSendWqe.setDmaLength(sends.memory(), at, data.length);
        MemorySegment.copy(MemorySegment.ofArray(data), 0, sends.memory(), RxeSendWqe.inlineData(at), data.length);
        submit();
    }

    void write(long id, Device.Buffer remote, long offset, Sge... elements) {
        rdma(id, WorkRequestOpcode.RDMA_WRITE, remote.address() + offset, remote.key(), elements);
    }

    void read(long id, Device.Buffer remote, long offset, Sge... elements) {
        rdma(id, WorkRequestOpcode.RDMA_READ, remote.address() + offset, remote.key(), elements);
    }

    void rdma(long id, WorkRequestOpcode opcode, long address, int key, Sge... elements) {
        long at = prepare(id, opcode, SIGNALED, elements);
        RxeRdmaWr.setRemoteAddr(sends.memory(), at, address);
        RxeSendWqe.setIova(sends.memory(), at, address);
        RxeRdmaWr.setRkey(sends.memory(), at, key);
        submit();
    }

    void writeImmediate(long id, int immediate, Device.Buffer remote, Sge... elements) {
        long at = prepare(id, WorkRequestOpcode.RDMA_WRITE_WITH_IMM, SIGNALED, elements);
        RxeSendWqe.setImmData(sends.memory(), at, immediate);
        RxeRdmaWr.setRemoteAddr(sends.memory(), at, remote.address());
        RxeSendWqe.setIova(sends.memory(), at, remote.address());
        RxeRdmaWr.setRkey(sends.memory(), at, remote.key());
        submit();
    }

    void fetchAdd(long id, long address, int key, long delta, Sge result) {
        atomic(id, WorkRequestOpcode.ATOMIC_FETCH_AND_ADD, address, key, delta, 0, result);
    }

    void compareSwap(long id, long address, int key, long compare, long swap, Sge result) {
        atomic(id, WorkRequestOpcode.ATOMIC_CMP_AND_SWP, address, key, compare, swap, result);
    }

    private void atomic(
            long id, WorkRequestOpcode opcode, long address, int key, long compareAdd, long swap, Sge result) {
        long at = prepare(id, opcode, SIGNALED, result);
        RxeAtomicWr.setRemoteAddr(sends.memory(), at, address);
        RxeSendWqe.setIova(sends.memory(), at, address);
        RxeAtomicWr.setRkey(sends.memory(), at, key);
        RxeAtomicWr.setCompareAdd(sends.memory(), at, compareAdd);
        RxeAtomicWr.setSwap(sends.memory(), at, swap);
        submit();
    }

    /** Posts a datagram. */
    void datagram(long id, HcaAddressHandle to, int number, int qkey, Sge... elements) {
        prepareDatagram(id, WorkRequestOpcode.SEND, to, number, qkey, elements);
        submit();
    }

    /** Puts a datagram into the ring, without publishing it. */
    long prepareDatagram(
            long id, WorkRequestOpcode opcode, HcaAddressHandle to, int number, int qkey, Sge... elements) {
        long at = prepare(id, opcode, SIGNALED, elements);
        RxeUdWr.setAhNum(sends.memory(), at, to.number());
        RxeUdWr.setRemoteQpn(sends.memory(), at, number);
        RxeUdWr.setRemoteQkey(sends.memory(), at, qkey);
        return at;
    }

    /** An address handle of this queue pair's domain. */
    HcaAddressHandle address(Gid destination) {
        return Objects.requireNonNull(device.hca.createAddressHandle(device.domain, 0, destination));
    }

    /** Moves the queue of send completions to a ring of so many slots, as a driver does. Returns the errno. */
    int resize(int slots) {
        return resize(slots, slots - 1);
    }

    int resize(int slots, int asked) {
        Queue next = new Queue(device, slots, 64);
        int errno = sendQueue.resize(next.ring, asked);
        if (errno == 0) {
            sendCompletions = next;
        }
        return errno;
    }

    List<Done> sent() {
        return poll(sendCompletions);
    }

    List<Done> received() {
        return poll(receiveCompletions);
    }

    private List<Done> poll(Queue queue) {
        List<Done> done = new ArrayList<>();
        int end = queue.ring.producerAcquire();
        while (queue.index != end) {
            MemorySegment ring = queue.memory();
            long at = queue.slot();
            done.add(new Done(
                    RxeCqe.wrId(ring, at),
                    WorkCompletionStatus.of(RxeCqe.status(ring, at)),
                    WorkCompletionOpcode.of(RxeCqe.opcode(ring, at)),
                    RxeCqe.byteLen(ring, at),
                    RxeCqe.wcFlags(ring, at),
                    RxeCqe.immData(ring, at),
                    RxeCqe.srcQp(ring, at)));
            queue.index = queue.ring.next(queue.index);
        }
        queue.ring.consumerRelease(queue.index);
        return done;
    }

    private static void write(MemorySegment ring, long at, Sge element) {
        RxeSge.setAddr(ring, at, element.address());
        RxeSge.setLength(ring, at, element.length());
        RxeSge.setLkey(ring, at, element.key());
    }
}
