package dev.doorbell.linux;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateSrq;
import dev.doorbell.kernel.abi.CreateSrqResponse;
import dev.doorbell.kernel.abi.DeallocMw;
import dev.doorbell.kernel.abi.DeallocPd;
import dev.doorbell.kernel.abi.DeregMr;
import dev.doorbell.kernel.abi.DestroyAh;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.DestroyQp;
import dev.doorbell.kernel.abi.DestroyQpResponse;
import dev.doorbell.kernel.abi.DestroySrq;
import dev.doorbell.kernel.abi.DestroySrqResponse;
import dev.doorbell.kernel.abi.ExCreateCq;
import dev.doorbell.kernel.abi.ExCreateCqResponse;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.IoctlIds;
import dev.doorbell.kernel.abi.QueryPort;
import dev.doorbell.kernel.abi.QueryPortExtendedResponse;
import dev.doorbell.kernel.abi.QueryPortResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/**
 * Commands that have an ioctl method of their own, translated from the structs of the write family and back. What a
 * method cannot say, and what the kernel turns out not to know, is left to INVOKE_WRITE.
 */
final class NativeMethods {
    /** No errno: the command has no method here. */
    static final int NONE = -1;

    /** Bytes that a method's answers may need beyond those of the command. */
    static final int EXTRA = 128;

    /** The structs of one command, and the buffer to send it in. */
    record Call(
            MemorySegment buffer,
            MemorySegment in,
            MemorySegment out,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        /** Whether request and answer are as long as their structs. */
        boolean has(long request, long answer) {
            return in.byteSize() == request && out.byteSize() == answer;
        }
    }

    private interface Method {
        int send(Call call);
    }

    private static final int SRQ_TYPE_BASIC = 0;

    private final IoctlRequest.Caller device;
    private final int driverId;
    private final Map<UverbsCommand, Method> methods = new EnumMap<>(UverbsCommand.class);

    /** By command; written by whoever finds out, and it does not matter when others see it. */
    private final boolean[] unknown = new boolean[UverbsCommand.values().length];

    NativeMethods(IoctlRequest.Caller device, int driverId) {
        this.device = device;
        this.driverId = driverId;
        methods.put(UverbsCommand.GET_CONTEXT, this::getContext);
        methods.put(UverbsCommand.QUERY_PORT, this::queryPort);
        methods.put(UverbsCommand.CREATE_CQ, this::createCq);
        methods.put(UverbsCommand.EX_CREATE_CQ, this::createExtendedCq);
        methods.put(UverbsCommand.CREATE_QP, new QueuePairMethod(device, driverId)::create);
        methods.put(UverbsCommand.CREATE_SRQ, this::createSrq);
        methods.put(UverbsCommand.DESTROY_CQ, this::destroyCq);
        methods.put(UverbsCommand.DESTROY_QP, this::destroyQp);
        methods.put(UverbsCommand.DESTROY_SRQ, this::destroySrq);
        methods.put(UverbsCommand.DEALLOC_PD, call -> destroy(call, IoctlIds.OBJECT_PD, DeallocPd.SIZE));
        methods.put(UverbsCommand.DEALLOC_MW, call -> destroy(call, IoctlIds.OBJECT_MW, DeallocMw.SIZE));
        methods.put(UverbsCommand.DESTROY_AH, call -> destroy(call, IoctlIds.OBJECT_AH, DestroyAh.SIZE));
        methods.put(UverbsCommand.DEREG_MR, this::deregisterMr);
    }

    /** Sends the command if it has a method. Returns 0, an errno, or {@link #NONE}. */
    int send(
            MemorySegment buffer,
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        Method method = methods.get(command);
        if (method == null || unknown[command.ordinal()]) {
            return NONE;
        }
        int errno = method.send(new Call(buffer, coreIn, coreOut, driverIn, driverOut));
        if (errno == Errno.EPROTONOSUPPORT) {
            unknown[command.ordinal()] = true;
            return NONE;
        }
        return errno;
    }

    private IoctlRequest begin(Call call, int object, int method) {
        return new IoctlRequest(call.buffer, object, method, driverId);
    }

    /** Makes the context; the descriptor of its asynchronous events, which write() would make with it, is another. */
    private int getContext(Call call) {
        if (call.out.byteSize() != GetContextResponse.SIZE) {
            return NONE;
        }
        IoctlRequest context = begin(call, IoctlIds.OBJECT_DEVICE, IoctlIds.DEVICE_GET_CONTEXT);
        long vectors = context.output(IoctlIds.GET_CONTEXT_NUM_COMP_VECTORS, Integer.BYTES);
        long driver = context.driver(call.driverIn, call.driverOut);
        int errno = context.send(device);
        if (errno != 0) {
            return errno;
        }
        context.copy(driver, call.driverOut);
        int count = context.number(vectors);
        IoctlRequest events = begin(call, IoctlIds.OBJECT_ASYNC_EVENT, IoctlIds.ASYNC_EVENT_ALLOC);
        long descriptor = events.newHandle(IoctlIds.ASYNC_EVENT_ALLOC_FD_HANDLE);
        errno = events.send(device);
        if (errno == 0) {
            GetContextResponse.setAsyncFd(call.out, 0, events.handle(descriptor));
            GetContextResponse.setNumCompVectors(call.out, 0, count);
        }
        // The context is there now, so falling back to write() would only be told that it exists.
        return errno == Errno.EPROTONOSUPPORT ? Errno.EOPNOTSUPP : errno;
    }

    private int queryPort(Call call) {
        if (!call.has(QueryPort.SIZE, QueryPortResponse.SIZE) || call.driverOut.byteSize() != 0) {
            return NONE;
        }
        IoctlRequest request = begin(call, IoctlIds.OBJECT_DEVICE, IoctlIds.DEVICE_QUERY_PORT)
                .value(IoctlIds.QUERY_PORT_PORT_NUM, QueryPort.portNum(call.in, 0), Long.BYTES);
        long answer = request.output(IoctlIds.QUERY_PORT_RESP, QueryPortExtendedResponse.SIZE);
        int errno = request.send(device);
        if (errno == 0) {
            request.copy(answer, call.out);
        }
        return errno;
    }

    private int createCq(Call call) {
        if (!call.has(CreateCq.SIZE, CreateCqResponse.SIZE)) {
            return NONE;
        }
        IoctlRequest request = begin(call, IoctlIds.OBJECT_CQ, IoctlIds.CQ_CREATE)
                .value(IoctlIds.CQ_CREATE_CQE, CreateCq.cqe(call.in, 0))
                .value(IoctlIds.CQ_CREATE_USER_HANDLE, CreateCq.userHandle(call.in, 0), Long.BYTES)
                .value(IoctlIds.CQ_CREATE_COMP_VECTOR, CreateCq.compVector(call.in, 0));
        return createCq(call, request, CreateCq.compChannel(call.in, 0));
    }

    private int createExtendedCq(Call call) {
        if (!call.has(ExCreateCq.SIZE, ExCreateCqResponse.SIZE) || ExCreateCq.compMask(call.in, 0) != 0) {
            return NONE;
        }
        IoctlRequest request = begin(call, IoctlIds.OBJECT_CQ, IoctlIds.CQ_CREATE)
                .value(IoctlIds.CQ_CREATE_CQE, ExCreateCq.cqe(call.in, 0))
                .value(IoctlIds.CQ_CREATE_USER_HANDLE, ExCreateCq.userHandle(call.in, 0), Long.BYTES)
                .value(IoctlIds.CQ_CREATE_COMP_VECTOR, ExCreateCq.compVector(call.in, 0))
                .value(IoctlIds.CQ_CREATE_FLAGS, ExCreateCq.flags(call.in, 0));
        int errno = createCq(call, request, ExCreateCq.compChannel(call.in, 0));
        if (errno == 0) {
            ExCreateCqResponse.setResponseLength(call.out, 0, ExCreateCqResponse.SIZE);
        }
        return errno;
    }

    /** The answers of both commands begin alike. */
    private int createCq(Call call, IoctlRequest request, int channel) {
        if (channel >= 0) {
            request.handle(IoctlIds.CQ_CREATE_COMP_CHANNEL, channel);
        }
        long handle = request.newHandle(IoctlIds.CQ_CREATE_HANDLE);
        long entries = request.output(IoctlIds.CQ_CREATE_RESP_CQE, Integer.BYTES);
        long driver = request.driver(call.driverIn, call.driverOut);
        int errno = request.send(device);
        if (errno == 0) {
            CreateCqResponse.setCqHandle(call.out, 0, request.handle(handle));
            CreateCqResponse.setCqe(call.out, 0, request.number(entries));
            request.copy(driver, call.driverOut);
        }
        return errno;
    }

    private int createSrq(Call call) {
        if (!call.has(CreateSrq.SIZE, CreateSrqResponse.SIZE)) {
            return NONE;
        }
        IoctlRequest request = begin(call, IoctlIds.OBJECT_SRQ, IoctlIds.SRQ_CREATE)
                .handle(IoctlIds.SRQ_CREATE_PD_HANDLE, CreateSrq.pdHandle(call.in, 0))
                .value(IoctlIds.SRQ_CREATE_USER_HANDLE, CreateSrq.userHandle(call.in, 0), Long.BYTES)
                .value(IoctlIds.SRQ_CREATE_MAX_WR, CreateSrq.maxWr(call.in, 0))
                .value(IoctlIds.SRQ_CREATE_MAX_SGE, CreateSrq.maxSge(call.in, 0))
                .value(IoctlIds.SRQ_CREATE_LIMIT, CreateSrq.srqLimit(call.in, 0))
                .value(IoctlIds.SRQ_CREATE_TYPE, SRQ_TYPE_BASIC, Long.BYTES);
        long handle = request.newHandle(IoctlIds.SRQ_CREATE_HANDLE);
        long entries = request.output(IoctlIds.SRQ_CREATE_RESP_MAX_WR, Integer.BYTES);
        long elements = request.output(IoctlIds.SRQ_CREATE_RESP_MAX_SGE, Integer.BYTES);
        long driver = request.driver(call.driverIn, call.driverOut);
        int errno = request.send(device);
        if (errno == 0) {
            CreateSrqResponse.setSrqHandle(call.out, 0, request.handle(handle));
            CreateSrqResponse.setMaxWr(call.out, 0, request.number(entries));
            CreateSrqResponse.setMaxSge(call.out, 0, request.number(elements));
            request.copy(driver, call.driverOut);
        }
        return errno;
    }

    private int destroyCq(Call call) {
        return call.has(DestroyCq.SIZE, DestroyCqResponse.SIZE)
                ? destroy(
                        call,
                        IoctlIds.OBJECT_CQ,
                        IoctlIds.CQ_DESTROY,
                        DestroyCq.cqHandle(call.in, 0),
                        IoctlIds.CQ_DESTROY_RESP)
                : NONE;
    }

    private int destroyQp(Call call) {
        return call.has(DestroyQp.SIZE, DestroyQpResponse.SIZE)
                ? destroy(
                        call,
                        IoctlIds.OBJECT_QP,
                        IoctlIds.QP_DESTROY,
                        DestroyQp.qpHandle(call.in, 0),
                        IoctlIds.QP_DESTROY_RESP)
                : NONE;
    }

    private int destroySrq(Call call) {
        return call.has(DestroySrq.SIZE, DestroySrqResponse.SIZE)
                ? destroy(
                        call,
                        IoctlIds.OBJECT_SRQ,
                        IoctlIds.SRQ_DESTROY,
                        DestroySrq.srqHandle(call.in, 0),
                        IoctlIds.SRQ_DESTROY_RESP)
                : NONE;
    }

    /** The handle is attribute 0 of each of these methods. */
    private int destroy(Call call, int object, int method, int handle, int answerAttribute) {
        IoctlRequest request = begin(call, object, method).handle(0, handle);
        long answer = request.output(answerAttribute, call.out.byteSize());
        int errno = request.send(device);
        if (errno == 0) {
            request.copy(answer, call.out);
        }
        return errno;
    }

    private int deregisterMr(Call call) {
        return call.has(DeregMr.SIZE, 0)
                ? begin(call, IoctlIds.OBJECT_MR, IoctlIds.MR_DESTROY)
                        .handle(IoctlIds.MR_DESTROY_HANDLE, DeregMr.mrHandle(call.in, 0))
                        .send(device)
                : NONE;
    }

    /** The request is the handle and nothing else. */
    private int destroy(Call call, int object, long requestSize) {
        return call.has(requestSize, 0)
                ? begin(call, object, IoctlIds.SIMPLE_DESTROY)
                        .handle(0, DeallocPd.pdHandle(call.in, 0))
                        .send(device)
                : NONE;
    }
}
