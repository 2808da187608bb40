package dev.doorbell.quality.linux;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.DestroyCq;
import dev.doorbell.kernel.abi.DestroyCqResponse;
import dev.doorbell.kernel.abi.DestroyQp;
import dev.doorbell.kernel.abi.DestroyQpResponse;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QpDestination;
import dev.doorbell.kernel.abi.QueryPort;
import dev.doorbell.kernel.abi.QueryPortResponse;
import dev.doorbell.kernel.abi.QueryQp;
import dev.doorbell.kernel.abi.QueryQpResponse;
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.ReqNotifyCq;
import dev.doorbell.kernel.abi.ResizeCq;
import dev.doorbell.kernel.abi.ResizeCqResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.QueuePairAttribute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The same commands for whichever kernel, and what it said to each: the errno's name, or values out of the answer. */
final class CommandScript implements AutoCloseable {
    private static final int RC = 2;
    private static final int NO_HANDLE = 0x7fff_fff0;

    private final KernelDevice device;
    private final CommandChannel channel;
    private final Arena arena = Arena.ofShared();
    private final Map<String, String> said = new LinkedHashMap<>();
    private MemorySegment out = MemorySegment.NULL;

    CommandScript(KernelDevice device) {
        this.device = device;
        this.channel = device.open();
    }

    /** Runs all of it. */
    Map<String, String> run() {
        say("ALLOC_PD before GET_CONTEXT", allocatePd());
        say("GET_CONTEXT", send(UverbsCommand.GET_CONTEXT, GetContext.SIZE, GetContextResponse.SIZE, 0, in -> {}));
        say(
                "GET_CONTEXT again",
                send(UverbsCommand.GET_CONTEXT, GetContext.SIZE, GetContextResponse.SIZE, 0, in -> {}));
        ports();
        handlesThatNothingHas();
        completionQueues();
        queuePairs();
        regions();
        modifications();
        doubtfulValues();
        return said;
    }

    private void say(String what, int errno) {
        say(what, errno, "");
    }

    private void say(String what, int errno, String more) {
        said.put(what, errno == 0 ? ("0 " + more).strip() : Errno.name(errno));
    }

    private int send(UverbsCommand command, int in, int answer, int driver, Consumer<MemorySegment> fill) {
        MemorySegment request = arena.allocate(in, 8);
        fill.accept(request);
        out = answer == 0 ? MemorySegment.NULL : arena.allocate(answer, 8);
        MemorySegment driverOut = driver == 0 ? MemorySegment.NULL : arena.allocate(driver, 8);
        return channel.invoke(command, request, out, MemorySegment.NULL, driverOut);
    }

    private int allocatePd() {
        return send(UverbsCommand.ALLOC_PD, AllocPd.SIZE, AllocPdResponse.SIZE, 0, in -> {});
    }

    private int pd() {
        allocatePd();
        return AllocPdResponse.pdHandle(out, 0);
    }

    private int sendHandle(UverbsCommand command, int handle) {
        return send(command, Integer.BYTES, 0, 0, in -> Host.setInt(in, 0, handle));
    }

    private void ports() {
        for (int port : new int[] {0, 1, 2}) {
            int errno = send(
                    UverbsCommand.QUERY_PORT,
                    QueryPort.SIZE,
                    QueryPortResponse.SIZE,
                    0,
                    in -> QueryPort.setPortNum(in, 0, port));
            String more = "state %d link layer %d gids %d lid %d"
                    .formatted(
                            QueryPortResponse.state(out, 0),
                            QueryPortResponse.linkLayer(out, 0),
                            QueryPortResponse.gidTblLen(out, 0),
                            QueryPortResponse.lid(out, 0));
            say("QUERY_PORT " + port, errno, more);
        }
    }

    private void handlesThatNothingHas() {
        say("DEALLOC_PD of nothing", sendHandle(UverbsCommand.DEALLOC_PD, NO_HANDLE));
        say("DEREG_MR of nothing", sendHandle(UverbsCommand.DEREG_MR, NO_HANDLE));
        say("DESTROY_CQ of nothing", destroyCq(NO_HANDLE));
        say("DESTROY_QP of nothing", destroyQp(NO_HANDLE));
        say("RESIZE_CQ of nothing", resize(NO_HANDLE, 4));
        say("REQ_NOTIFY_CQ of nothing", notify(NO_HANDLE));
        say("QUERY_QP of nothing", query(NO_HANDLE));
        say("MODIFY_QP of nothing", modify(NO_HANDLE, 1, in -> {}));
        say("doorbell of nothing", channel.doorbell(NO_HANDLE).ring());
        say("REG_MR in nothing", regMr(NO_HANDLE, arena.allocate(64), 1, in -> {}));
        int pd = pd();
        say("DEREG_MR of a domain", sendHandle(UverbsCommand.DEREG_MR, pd));
        say("DESTROY_CQ of a domain", destroyCq(pd));
        say("QUERY_QP of a domain", query(pd));
        say("REQ_NOTIFY_CQ of a domain", notify(pd));
        say("CREATE_QP without queues", createQp(pd, NO_HANDLE, in -> {}));
        say("CREATE_QP with a domain as queue", createQp(pd, pd, in -> {}));
        say("CREATE_QP without domain", createQp(NO_HANDLE, cq(1), in -> {}));
        say("DEALLOC_PD", sendHandle(UverbsCommand.DEALLOC_PD, pd));
        say("DEALLOC_PD again", sendHandle(UverbsCommand.DEALLOC_PD, pd));
    }

    private int createCq(int entries, int driver, Consumer<MemorySegment> change) {
        return send(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, driver, in -> {
            CreateCq.setCqe(in, 0, entries);
            CreateCq.setCompChannel(in, 0, -1);
            change.accept(in);
        });
    }

    private int cq(int entries) {
        createCq(entries, RxeMmapInfo.SIZE, in -> {});
        return CreateCqResponse.cqHandle(out, 0);
    }

    private int destroyCq(int handle) {
        return send(
                UverbsCommand.DESTROY_CQ,
                DestroyCq.SIZE,
                DestroyCqResponse.SIZE,
                0,
                in -> DestroyCq.setCqHandle(in, 0, handle));
    }

    private int resize(int handle, int entries) {
        return send(UverbsCommand.RESIZE_CQ, ResizeCq.SIZE, ResizeCqResponse.SIZE, RxeMmapInfo.SIZE, in -> {
            ResizeCq.setCqHandle(in, 0, handle);
            ResizeCq.setCqe(in, 0, entries);
        });
    }

    private int notify(int handle) {
        return send(UverbsCommand.REQ_NOTIFY_CQ, ReqNotifyCq.SIZE, 0, 0, in -> ReqNotifyCq.setCqHandle(in, 0, handle));
    }

    private void completionQueues() {
        for (int entries : new int[] {-1, 0, 1, 10, 15, 16, 32767, 32768}) {
            int errno = createCq(entries, RxeMmapInfo.SIZE, in -> {});
            say("CREATE_CQ of " + entries, errno, "holds " + CreateCqResponse.cqe(out, 0));
        }
        say("CREATE_CQ of vector 9999", createCq(1, RxeMmapInfo.SIZE, in -> CreateCq.setCompVector(in, 0, 9999)));
        say("CREATE_CQ of a bad channel", createCq(1, RxeMmapInfo.SIZE, in -> CreateCq.setCompChannel(in, 0, 9999)));
        say("CREATE_CQ without room for the driver", createCq(1, 8, in -> {}));
        int cq = cq(10);
        for (int entries : new int[] {0, 5, 100, 32768}) {
            int errno = resize(cq, entries);
            say("RESIZE_CQ to " + entries, errno, "holds " + ResizeCqResponse.cqe(out, 0));
        }
        say("REQ_NOTIFY_CQ", notify(cq));
        say("DESTROY_CQ", destroyCq(cq));
    }

    private int createQp(int pd, int cq, Consumer<MemorySegment> change) {
        return send(UverbsCommand.CREATE_QP, CreateQp.SIZE, CreateQpResponse.SIZE, RxeCreateQpResponse.SIZE, in -> {
            CreateQp.setPdHandle(in, 0, pd);
            CreateQp.setSendCqHandle(in, 0, cq);
            CreateQp.setRecvCqHandle(in, 0, cq);
            CreateQp.setQpType(in, 0, RC);
            CreateQp.setMaxSendWr(in, 0, 4);
            CreateQp.setMaxRecvWr(in, 0, 4);
            CreateQp.setMaxSendSge(in, 0, 1);
            CreateQp.setMaxRecvSge(in, 0, 1);
            change.accept(in);
        });
    }

    private int destroyQp(int handle) {
        return send(
                UverbsCommand.DESTROY_QP,
                DestroyQp.SIZE,
                DestroyQpResponse.SIZE,
                0,
                in -> DestroyQp.setQpHandle(in, 0, handle));
    }

    private void queuePair(String what, int pd, int cq, Consumer<MemorySegment> change) {
        int errno = createQp(pd, cq, change);
        String sizes = "sge %d/%d inline %d"
                .formatted(
                        CreateQpResponse.maxSendSge(out, 0),
                        CreateQpResponse.maxRecvSge(out, 0),
                        CreateQpResponse.maxInlineData(out, 0));
        say("CREATE_QP " + what, errno, sizes);
    }

    private void queuePairs() {
        int pd = pd();
        int cq = cq(1);
        queuePair("plain", pd, cq, in -> {});
        int qp = CreateQpResponse.qpHandle(out, 0);
        say("DEALLOC_PD in use", sendHandle(UverbsCommand.DEALLOC_PD, pd));
        say("DESTROY_CQ in use", destroyCq(cq));
        say("doorbell in RESET", channel.doorbell(qp).ring());
        queuePair("with inline 100", pd, cq, in -> CreateQp.setMaxInlineData(in, 0, 100));
        queuePair("with 4 elements", pd, cq, in -> CreateQp.setMaxSendSge(in, 0, 4));
        queuePair("with no elements", pd, cq, in -> {
            CreateQp.setMaxSendSge(in, 0, 0);
            CreateQp.setMaxRecvSge(in, 0, 0);
        });
        queuePair("with 32 elements", pd, cq, in -> CreateQp.setMaxSendSge(in, 0, 32));
        queuePair("with 33 elements", pd, cq, in -> CreateQp.setMaxSendSge(in, 0, 33));
        queuePair("with 33 receive elements", pd, cq, in -> CreateQp.setMaxRecvSge(in, 0, 33));
        queuePair("with too much inline", pd, cq, in -> CreateQp.setMaxInlineData(in, 0, 513));
        queuePair("with too many sends", pd, cq, in -> CreateQp.setMaxSendWr(in, 0, (1 << 20) + 1));
        queuePair("with far too many receives", pd, cq, in -> CreateQp.setMaxRecvWr(in, 0, -1));
        queuePair("of type raw packet", pd, cq, in -> CreateQp.setQpType(in, 0, 8));
        queuePair("of type 77", pd, cq, in -> CreateQp.setQpType(in, 0, 77));
        queuePair("of no sends", pd, cq, in -> CreateQp.setMaxSendWr(in, 0, 0));
        say("DESTROY_QP", destroyQp(qp));
        say("DESTROY_QP again", destroyQp(qp));
    }

    private int regMr(int pd, MemorySegment memory, int access, Consumer<MemorySegment> change) {
        channel.pin(memory);
        return send(UverbsCommand.REG_MR, RegMr.SIZE, RegMrResponse.SIZE, 0, in -> {
            RegMr.setPdHandle(in, 0, pd);
            RegMr.setStart(in, 0, memory.address());
            RegMr.setHcaVa(in, 0, memory.address());
            RegMr.setLength(in, 0, memory.byteSize());
            RegMr.setAccessFlags(in, 0, access);
            change.accept(in);
        });
    }

    private void regions() {
        int pd = pd();
        MemorySegment memory = arena.allocate(8192, 4096);
        for (int bit = 0; bit < 32; bit++) {
            int access = 1 << bit;
            say("REG_MR access bit " + bit, regMr(pd, memory, access, in -> {}));
            say("REG_MR access bit " + bit + " and LOCAL_WRITE", regMr(pd, memory, access | 1, in -> {}));
        }
        say("REG_MR of no bytes", regMr(pd, memory, 1, in -> RegMr.setLength(in, 0, 0)));
        say("REG_MR of -1 bytes", regMr(pd, memory, 1, in -> RegMr.setLength(in, 0, -1)));
        say("REG_MR elsewhere in the page", regMr(pd, memory, 1, in -> RegMr.setHcaVa(in, 0, memory.address() + 8)));
        say("REG_MR at another page", regMr(pd, memory, 1, in -> RegMr.setHcaVa(in, 0, memory.address() + 4096)));
        say("REG_MR at the address 0", regMr(pd, memory, 1, in -> RegMr.setHcaVa(in, 0, 0)));
        say("REG_MR of unmapped memory", regMr(pd, memory, 1, in -> {
            RegMr.setStart(in, 0, 4096);
            RegMr.setHcaVa(in, 0, 4096);
        }));
        say("DEALLOC_PD with regions", sendHandle(UverbsCommand.DEALLOC_PD, pd));
    }

    private int query(int handle) {
        return send(
                UverbsCommand.QUERY_QP,
                QueryQp.SIZE,
                QueryQpResponse.SIZE,
                0,
                in -> QueryQp.setQpHandle(in, 0, handle));
    }

    private int modify(int qp, int mask, Consumer<MemorySegment> change) {
        return send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, 0, in -> {
            ModifyQp.setQpHandle(in, 0, qp);
            ModifyQp.setAttrMask(in, 0, mask);
            change.accept(in);
        });
    }

    private void state(String what, int qp) {
        int errno = query(qp);
        say(
                "QUERY_QP " + what,
                errno,
                "state %d mtu %d port %d timeout %d"
                        .formatted(
                                QueryQpResponse.qpState(out, 0),
                                QueryQpResponse.pathMtu(out, 0),
                                QueryQpResponse.portNum(out, 0),
                                QueryQpResponse.timeout(out, 0)));
    }

    private void modifications() {
        int qp = newQueuePair();
        state("in RESET", qp);
        say("MODIFY_QP with a rate limit", modify(qp, 1 << 25, in -> {}));
        say("MODIFY_QP with bit 30", modify(qp, 1 << 30, in -> {}));
        say("MODIFY_QP to state 7", modify(qp, 1, in -> ModifyQp.setQpState(in, 0, 7)));
        say("MODIFY_QP RESET to RTS", modify(qp, 1, in -> ModifyQp.setQpState(in, 0, 3)));
        say("MODIFY_QP RESET to RESET", modify(qp, 1, in -> {}));
        say("MODIFY_QP to INIT without attributes", modify(qp, 1, in -> ModifyQp.setQpState(in, 0, 1)));
        say("MODIFY_QP to INIT on port 2", initialize(qp, in -> ModifyQp.setPortNum(in, 0, 2)));
        say("MODIFY_QP to INIT", initialize(qp, in -> {}));
        state("in INIT", qp);
        say("doorbell in INIT", channel.doorbell(qp).ring());
        say("MODIFY_QP to RTR not global", receive(qp, in -> QpDestination.setIsGlobal(in, ModifyQp.DEST, 0)));
        say("MODIFY_QP to RTR of port 0", receive(qp, in -> QpDestination.setPortNum(in, ModifyQp.DEST, 0)));
        say("MODIFY_QP to RTR by GID 200", receive(qp, in -> QpDestination.setSgidIndex(in, ModifyQp.DEST, 200)));
        say("MODIFY_QP to RTR", receive(qp, in -> {}));
        state("in RTR", qp);
        say("doorbell in RTR", channel.doorbell(qp).ring());
        say("MODIFY_QP to RTS", transmit(qp, in -> {}));
        state("in RTS", qp);
        say("doorbell in RTS", channel.doorbell(qp).ring());
        say("MODIFY_QP to SQD", modify(qp, 1, in -> ModifyQp.setQpState(in, 0, 4)));
        say("MODIFY_QP to ERR", modify(qp, 1, in -> ModifyQp.setQpState(in, 0, 6)));
        state("in ERR", qp);
        say("doorbell in ERR", channel.doorbell(qp).ring());
        say("MODIFY_QP to RESET", modify(qp, 1, in -> {}));
    }

    /** Values that one kernel may take and the other not: each on a queue pair of its own. */
    private void doubtfulValues() {
        say("MODIFY_QP to INIT with P_Key 1", initialize(newQueuePair(), in -> ModifyQp.setPkeyIndex(in, 0, 1)));
        receiving("MTU 0", in -> ModifyQp.setPathMtu(in, 0, 0));
        receiving("MTU 6", in -> ModifyQp.setPathMtu(in, 0, 6));
        receiving("129 READs", in -> ModifyQp.setMaxDestRdAtomic(in, 0, 129));
        receiving("RNR timer 32", in -> ModifyQp.setMinRnrTimer(in, 0, 32));
        sending("timeout 32", in -> ModifyQp.setTimeout(in, 0, 32));
        sending("8 retries", in -> ModifyQp.setRetryCnt(in, 0, 8));
        sending("8 RNR retries", in -> ModifyQp.setRnrRetry(in, 0, 8));
        sending("129 READs", in -> ModifyQp.setMaxRdAtomic(in, 0, 129));
    }

    private void receiving(String value, Consumer<MemorySegment> change) {
        int qp = newQueuePair();
        initialize(qp, in -> {});
        say("MODIFY_QP to RTR with " + value, receive(qp, change));
    }

    private void sending(String value, Consumer<MemorySegment> change) {
        int qp = newQueuePair();
        initialize(qp, in -> {});
        receive(qp, in -> {});
        say("MODIFY_QP to RTS with " + value, transmit(qp, change));
    }

    private int newQueuePair() {
        int pd = pd();
        createQp(pd, cq(8), in -> {});
        return CreateQpResponse.qpHandle(out, 0);
    }

    private int initialize(int qp, Consumer<MemorySegment> change) {
        int mask = QueuePairAttribute.PKEY_INDEX.bit()
                | QueuePairAttribute.PORT.bit()
                | QueuePairAttribute.ACCESS_FLAGS.bit();
        return modify(qp, mask | 1, in -> {
            ModifyQp.setQpState(in, 0, 1);
            ModifyQp.setPortNum(in, 0, 1);
            change.accept(in);
        });
    }

    private int receive(int qp, Consumer<MemorySegment> change) {
        int mask = QueuePairAttribute.ADDRESS_VECTOR.bit()
                | QueuePairAttribute.PATH_MTU.bit()
                | QueuePairAttribute.DESTINATION_QP.bit()
                | QueuePairAttribute.RECEIVE_PSN.bit()
                | QueuePairAttribute.MAX_DEST_READ_ATOMIC.bit()
                | QueuePairAttribute.MIN_RNR_TIMER.bit();
        return modify(qp, mask | 1, in -> {
            ModifyQp.setQpState(in, 0, 2);
            ModifyQp.setPathMtu(in, 0, 3);
            ModifyQp.setDestQpNum(in, 0, 77);
            ModifyQp.setMaxDestRdAtomic(in, 0, 1);
            ModifyQp.setMinRnrTimer(in, 0, 12);
            QpDestination.setDgid(in, ModifyQp.DEST, device.gids(1).get(1).gid());
            QpDestination.setSgidIndex(in, ModifyQp.DEST, 1);
            QpDestination.setHopLimit(in, ModifyQp.DEST, 64);
            QpDestination.setIsGlobal(in, ModifyQp.DEST, 1);
            QpDestination.setPortNum(in, ModifyQp.DEST, 1);
            change.accept(in);
        });
    }

    private int transmit(int qp, Consumer<MemorySegment> change) {
        int mask = QueuePairAttribute.TIMEOUT.bit()
                | QueuePairAttribute.RETRY_COUNT.bit()
                | QueuePairAttribute.RNR_RETRY.bit()
                | QueuePairAttribute.SEND_PSN.bit()
                | QueuePairAttribute.MAX_READ_ATOMIC.bit();
        return modify(qp, mask | 1, in -> {
            ModifyQp.setQpState(in, 0, 3);
            ModifyQp.setTimeout(in, 0, 14);
            ModifyQp.setRetryCnt(in, 0, 7);
            ModifyQp.setRnrRetry(in, 0, 7);
            ModifyQp.setMaxRdAtomic(in, 0, 1);
            change.accept(in);
        });
    }

    @Override
    public void close() {
        channel.close();
        arena.close();
    }
}
