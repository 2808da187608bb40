package dev.doorbell.rxe;

import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;

/** A context on a scripted kernel, with the objects that most tests need. */
final class Fixtures {
    static final long CQ_KEY = 0x1000;
    static final long RQ_KEY = 0x2000;
    static final long SQ_KEY = 0x3000;
    static final int CQ_HANDLE = 7;
    static final int QP_HANDLE = 9;
    static final int QP_NUMBER = 0x11;

    final FakeChannel channel = new FakeChannel();
    final ProviderContext context;

    Fixtures() {
        channel.answer(UverbsCommand.GET_CONTEXT, Bytes.of(8).u32(0, 42).u32(4, 2), Bytes.of(0));
        channel.answer(UverbsCommand.DESTROY_CQ, 0).answer(UverbsCommand.DESTROY_QP, 0);
        context = RxeContext.open(channel);
    }

    /** The next completion queue has this many slots. */
    FakeRing offerCompletionRing(int slots) {
        FakeRing ring = channel.ring(CQ_KEY, 6, slots);
        channel.answer(UverbsCommand.CREATE_CQ, Bytes.of(8).u32(0, CQ_HANDLE).u32(4, slots - 1), ring.info(CQ_KEY));
        return ring;
    }

    ProviderCompletionQueue completionQueue(int slots) {
        offerCompletionRing(slots);
        return context.createCompletionQueue(slots - 1, 0, -1, 0);
    }

    /** What CREATE_QP answers: these rings, and 4 send and 2 receive elements, 64 inline bytes. */
    void offerQueuePair(FakeRing send, FakeRing receive) {
        channel.answer(
                UverbsCommand.CREATE_QP,
                Bytes.of(32)
                        .u32(0, QP_HANDLE)
                        .u32(4, QP_NUMBER)
                        .u32(8, send.slots() - 1)
                        .u32(12, receive.slots() - 1)
                        .u32(16, 4)
                        .u32(20, 2)
                        .u32(24, 64),
                send.info(receive.info(Bytes.of(32), 0, RQ_KEY), 16, SQ_KEY));
    }

    RxeQueuePair queuePair(FakeRing send, FakeRing receive) {
        offerQueuePair(send, receive);
        return (RxeQueuePair) context.createQueuePair(request(completionQueue(8)));
    }

    FakeRing sendRing(int slots) {
        return channel.ring(SQ_KEY, 9, slots);
    }

    FakeRing receiveRing(int slots) {
        return channel.ring(RQ_KEY, 7, slots);
    }

    static QueuePairRequest request(ProviderCompletionQueue queue) {
        return new QueuePairRequest(
                5, QueuePairType.RC, queue, queue, null, new QueuePairCapacity(7, 3, 4, 2, 64), true, 0xc00c1e);
    }
}
