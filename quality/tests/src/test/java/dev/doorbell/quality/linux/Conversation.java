package dev.doorbell.quality.linux;

import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.Provider;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.ReceiveQueue;
import dev.doorbell.verbs.spi.SendQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * Two reliable connections on one device, each the other's peer, that write down what passes: the bytes of the work
 * requests as they are handed over, the bytes of the completions as they come back. What each kernel chooses freely
 * (keys, queue pair numbers) is replaced by names, so that the same conversation on two kernels reads the same.
 */
final class Conversation implements AutoCloseable {
    /** Queue pair A sends, queue pair B answers; both use one memory region of this size. */
    static final int MEMORY_SIZE = 1 << 16;

    private static final int ACCESS_ALL = 0xf;
    private static final int DEPTH = 16;
    private static final int PSN_A = 0x00fff0;
    private static final int PSN_B = 0xfffff0;
    private static final long PATIENCE_NS = 20_000_000_000L;

    /** The order in which the driver maps: completion queues of A and B, then each queue pair's two rings. */
    private static final int CQ_A = 0;

    private static final int CQ_B = 1;
    private static final int SEND_A = 2;
    private static final int RECEIVE_B = 5;

    private static final int NAMED_KEY = 0x6b65_7900;
    private static final int NAMED_WRONG_KEY = 0x6261_6400;

    private final List<String> transcript = new ArrayList<>();
    private final RecordingChannel channel;
    private final ProviderContext context;
    private final ProviderCompletionQueue completionsA;
    private final ProviderCompletionQueue completionsB;
    private final ProviderMemoryRegion region;
    private final ProviderQueuePair a;
    private final ProviderQueuePair b;
    private int sent;
    private int received;

    Conversation(KernelDevice device, MemorySegment memory) {
        channel = new RecordingChannel(device.open());
        context = provider().open(device, channel);
        int domain = context.allocateProtectionDomain();
        region = context.registerMemory(domain, memory, memory.address(), ACCESS_ALL);
        completionsA = context.createCompletionQueue(2 * DEPTH, 0, -1, 1);
        completionsB = context.createCompletionQueue(2 * DEPTH, 0, -1, 2);
        a = context.createQueuePair(request(domain, completionsA, 3));
        b = context.createQueuePair(request(domain, completionsB, 4));
        GidEntry gid = device.gids(1).stream()
                .filter(entry -> entry.gid().isIpv4Mapped())
                .findFirst()
                .orElseThrow();
        connect(a, b, gid, PSN_A, PSN_B);
        connect(b, a, gid, PSN_B, PSN_A);
        channel.beforeDoorbell(this::recordSends);
        for (int ring = 0; ring <= RECEIVE_B; ring++) {
            MemorySegment memoryOfRing = channel.ring(ring);
            transcript.add("ring %d: 2^%d bytes, mask %d"
                    .formatted(
                            ring,
                            RxeQueueHeader.log2ElemSize(memoryOfRing, 0),
                            RxeQueueHeader.indexMask(memoryOfRing, 0)));
        }
    }

    private static Provider provider() {
        return ServiceLoader.load(Provider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(candidate -> candidate.name().equals("rxe"))
                .findAny()
                .orElseThrow();
    }

    private static QueuePairRequest request(int domain, ProviderCompletionQueue completions, long cookie) {
        return new QueuePairRequest(
                domain,
                QueuePairType.RC,
                completions,
                completions,
                null,
                new QueuePairCapacity(DEPTH - 1, DEPTH - 1, 4, 4, 64),
                false,
                cookie);
    }

    private static void connect(ProviderQueuePair self, ProviderQueuePair peer, GidEntry gid, int psn, int peerPsn) {
        self.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(ACCESS_ALL)
                .build());
        self.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .address(AddressVector.roce(gid.gid(), 1, gid.index()))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePair(peer.number())
                .receivePsn(peerPsn)
                .maxDestReadAtomic(4)
                .minRnrTimer(1)
                .build());
        self.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(psn)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(0)
                .maxReadAtomic(4)
                .build());
    }

    int lkey() {
        return region.lkey();
    }

    int rkey() {
        return region.rkey();
    }

    /** A key that names nothing here. */
    int wrongKey() {
        return region.lkey() ^ 0x55;
    }

    /** Posts what {@code fill} writes to B's receive queue, and writes its bytes down. */
    void receive(Consumer<ReceiveQueue> fill) {
        b.receiveQueue().begin();
        fill.accept(b.receiveQueue());
        b.receiveQueue().commit();
        MemorySegment ring = channel.ring(RECEIVE_B);
        for (; received != RxeQueueHeader.producerIndex(ring, 0); received++) {
            transcript.add("receive " + RxeRecvWqe.print(named(element(ring, received)), 0));
        }
    }

    /** Posts what {@code fill} writes to A's send queue, and writes its bytes down. */
    void send(Consumer<SendQueue> fill) {
        a.sendQueue().begin();
        fill.accept(a.sendQueue());
        transcript.add("doorbell: " + a.sendQueue().commit());
    }

    private void recordSends() {
        MemorySegment ring = channel.ring(SEND_A);
        for (; sent != RxeQueueHeader.producerIndex(ring, 0); sent = sent + 1 & RxeQueueHeader.indexMask(ring, 0)) {
            transcript.add("send " + hex(named(element(ring, sent))));
        }
    }

    /** Waits for completions of A. */
    void completeA(int count) {
        complete("A", completionsA, channel.ring(CQ_A), count);
    }

    /** Waits for completions of B. */
    void completeB(int count) {
        complete("B", completionsB, channel.ring(CQ_B), count);
    }

    private void complete(String who, ProviderCompletionQueue completions, MemorySegment ring, int count) {
        long start = System.nanoTime();
        for (int seen = 0; seen < count; ) {
            if (completions.next()) {
                seen++;
                // The cursor gives the one before back when it moves on: the bytes under it are at the new index.
                record(who, element(ring, RxeQueueHeader.consumerIndex(ring, 0)));
            } else if (System.nanoTime() - start > PATIENCE_NS) {
                throw new AssertionError("%s: %d completions instead of %d; so far:%n%s"
                        .formatted(who, seen, count, String.join("\n", transcript)));
            }
            Thread.onSpinWait();
        }
        completions.end();
    }

    private void record(String who, MemorySegment element) {
        MemorySegment cqe = MemorySegment.ofArray(new byte[RxeCqe.SIZE]).copyFrom(element.asSlice(0, RxeCqe.SIZE));
        RxeCqe.setQpNum(cqe, 0, name(RxeCqe.qpNum(cqe, 0)));
        RxeCqe.setSrcQp(cqe, 0, name(RxeCqe.srcQp(cqe, 0)));
        if (RxeCqe.status(cqe, 0) == 0) {
            transcript.add("completion of " + who + ": " + RxeCqe.print(cqe, 0));
        } else {
            // Of a failed one, the verbs define no more than this.
            int status = RxeCqe.status(cqe, 0);
            transcript.add("completion of %s: id %d failed, status %d (%s)"
                    .formatted(who, RxeCqe.wrId(cqe, 0), status, WorkCompletionStatus.of(status)));
        }
    }

    /** What was written down so far. */
    List<String> transcript() {
        return List.copyOf(transcript);
    }

    private static MemorySegment element(MemorySegment ring, int index) {
        int size = RxeQueueHeader.log2ElemSize(ring, 0);
        long slot = index & RxeQueueHeader.indexMask(ring, 0);
        MemorySegment copy = MemorySegment.ofArray(new byte[1 << size]);
        return copy.copyFrom(ring.asSlice(RxeQueueHeader.SIZE + (slot << size), 1L << size));
    }

    /** Replaces keys, wherever they stand at a multiple of four bytes. */
    private MemorySegment named(MemorySegment element) {
        for (long at = 0; at < element.byteSize(); at += Integer.BYTES) {
            int word = element.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            if (word == region.lkey() || word == region.rkey()) {
                element.set(ValueLayout.JAVA_INT_UNALIGNED, at, NAMED_KEY);
            } else if (word == wrongKey()) {
                element.set(ValueLayout.JAVA_INT_UNALIGNED, at, NAMED_WRONG_KEY);
            }
        }
        return element;
    }

    private int name(int queuePair) {
        return queuePair == a.number() ? 0xa : queuePair == b.number() ? 0xb : queuePair;
    }

    private static String hex(MemorySegment segment) {
        // Behind the elements lies what the slot's last user left.
        long used = RxeSendWqe.SIZE + 64;
        return HexFormat.of().formatHex(segment.asSlice(0, used).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void close() {
        a.close();
        b.close();
        completionsA.close();
        completionsB.close();
        region.close();
        channel.close();
    }
}
