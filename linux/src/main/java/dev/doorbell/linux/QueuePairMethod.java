package dev.doorbell.linux;

import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.kernel.abi.QpCap;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;

/** CREATE_QP by its ioctl method, for queue pairs that need nothing but their domain and queues. */
final class QueuePairMethod {
    private final IoctlRequest.Caller device;
    private final int driverId;

    QueuePairMethod(IoctlRequest.Caller device, int driverId) {
        this.device = device;
        this.driverId = driverId;
    }

    int create(NativeMethods.Call call) {
        MemorySegment in = call.in();
        if (!call.has(CreateQp.SIZE, CreateQpResponse.SIZE) || !isPlain(CreateQp.qpType(in, 0))) {
            return NativeMethods.NONE;
        }
        IoctlRequest request = new IoctlRequest(call.buffer(), IoctlIds.OBJECT_QP, IoctlIds.QP_CREATE, driverId)
                .handle(IoctlIds.QP_CREATE_PD_HANDLE, CreateQp.pdHandle(in, 0))
                .handle(IoctlIds.QP_CREATE_SEND_CQ_HANDLE, CreateQp.sendCqHandle(in, 0))
                .handle(IoctlIds.QP_CREATE_RECV_CQ_HANDLE, CreateQp.recvCqHandle(in, 0))
                .value(IoctlIds.QP_CREATE_USER_HANDLE, CreateQp.userHandle(in, 0), Long.BYTES)
                .bytes(IoctlIds.QP_CREATE_CAP, sizes(in))
                .value(IoctlIds.QP_CREATE_TYPE, CreateQp.qpType(in, 0), Long.BYTES);
        if (CreateQp.sqSigAll(in, 0) != 0) {
            request.value(IoctlIds.QP_CREATE_FLAGS, IoctlIds.QP_CREATE_SQ_SIG_ALL);
        }
        if (CreateQp.isSrq(in, 0) != 0) {
            request.handle(IoctlIds.QP_CREATE_SRQ_HANDLE, CreateQp.srqHandle(in, 0));
        }
        long handle = request.newHandle(IoctlIds.QP_CREATE_HANDLE);
        long granted = request.output(IoctlIds.QP_CREATE_RESP_CAP, QpCap.SIZE);
        long number = request.output(IoctlIds.QP_CREATE_RESP_QP_NUM, Integer.BYTES);
        long driver = request.driver(call.driverIn(), call.driverOut());
        int errno = request.send(device);
        if (errno == 0) {
            MemorySegment sizes = MemorySegment.ofArray(new byte[QpCap.SIZE]);
            request.copy(granted, sizes);
            answer(call.out(), request.handle(handle), request.number(number), sizes);
            request.copy(driver, call.driverOut());
        }
        return errno;
    }

    /** Reliable, unreliable and datagram; the others need more than the struct of the command says. */
    private static boolean isPlain(int type) {
        return type == QueuePairType.RC.code() || type == QueuePairType.UC.code() || type == QueuePairType.UD.code();
    }

    private static MemorySegment sizes(MemorySegment in) {
        MemorySegment sizes = MemorySegment.ofArray(new byte[QpCap.SIZE]);
        QpCap.setMaxSendWr(sizes, 0, CreateQp.maxSendWr(in, 0));
        QpCap.setMaxRecvWr(sizes, 0, CreateQp.maxRecvWr(in, 0));
        QpCap.setMaxSendSge(sizes, 0, CreateQp.maxSendSge(in, 0));
        QpCap.setMaxRecvSge(sizes, 0, CreateQp.maxRecvSge(in, 0));
        QpCap.setMaxInlineData(sizes, 0, CreateQp.maxInlineData(in, 0));
        return sizes;
    }

    private static void answer(MemorySegment out, int handle, int number, MemorySegment sizes) {
        CreateQpResponse.setQpHandle(out, 0, handle);
        CreateQpResponse.setQpn(out, 0, number);
        CreateQpResponse.setMaxSendWr(out, 0, QpCap.maxSendWr(sizes, 0));
        CreateQpResponse.setMaxRecvWr(out, 0, QpCap.maxRecvWr(sizes, 0));
        CreateQpResponse.setMaxSendSge(out, 0, QpCap.maxSendSge(sizes, 0));
        CreateQpResponse.setMaxRecvSge(out, 0, QpCap.maxRecvSge(sizes, 0));
        CreateQpResponse.setMaxInlineData(out, 0, QpCap.maxInlineData(sizes, 0));
    }
}
