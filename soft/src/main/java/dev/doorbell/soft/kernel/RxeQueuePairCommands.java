package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.soft.hca.HcaQueuePair;
import dev.doorbell.soft.hca.Mlx5Posting;
import dev.doorbell.soft.hca.QueuePairRequest;
import org.jspecify.annotations.Nullable;

/** Queue pairs as rxe has them: in rings that the kernel makes. */
final class RxeQueuePairCommands extends QueuePairCommands {
    private RxeQueuePairCommands(SoftContext context) {
        super(context);
    }

    static void register(CommandTable table, SoftContext context) {
        new RxeQueuePairCommands(context).register(table);
    }

    @Override
    int check(Call call, QueuePairSizes sizes, boolean isShared) {
        boolean driverPart = call.driverIn().byteSize() == 0 && call.driverOut().byteSize() >= RxeCreateQpResponse.SIZE;
        return driverPart ? 0 : Errno.EINVAL;
    }

    @Override
    @Nullable
    Queues makeQueues(Call call, QueuePairSizes asked, boolean isShared) {
        Ring send = context.rings().create(RxeSendWqe.SIZE + (long) asked.sendPayload(), asked.sendRequests());
        if (send == null) {
            return null;
        }
        if (isShared) {
            QueuePairSizes sizes = asked.granted(send.capacity(), 0);
            return new Queues(queue(send, sizes), null, sizes, send, null);
        }
        long receiveBytes = RxeRecvWqe.SIZE + (long) asked.receiveSge() * RxeSge.SIZE;
        Ring receive = context.rings().create(receiveBytes, asked.receiveRequests());
        if (receive == null) {
            context.rings().release(send);
            return null;
        }
        QueuePairSizes sizes = asked.granted(send.capacity(), receive.capacity());
        return new Queues(
                queue(send, sizes),
                new QueuePairRequest.RingQueue(receive.view(), sizes.receiveSge(), 0),
                sizes,
                send,
                receive);
    }

    private static QueuePairRequest.RingQueue queue(Ring send, QueuePairSizes sizes) {
        return new QueuePairRequest.RingQueue(send.view(), sizes.sendSge(), sizes.inlineBytes());
    }

    @Override
    @Nullable
    Mlx5Posting watch(HcaQueuePair queuePair) {
        return null;
    }

    @Override
    void describe(Call call, QueuePair queuePair) {
        Ring receive = queuePair.receiveRing();
        Ring send = queuePair.sendRing();
        if (receive != null) {
            receive.describe(call.driverOut(), RxeCreateQpResponse.RECEIVE_QUEUE);
        }
        if (send != null) {
            send.describe(call.driverOut(), RxeCreateQpResponse.SEND_QUEUE);
        }
    }
}
