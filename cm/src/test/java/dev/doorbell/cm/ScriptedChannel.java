package dev.doorbell.cm;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.AhAttributes;
import dev.doorbell.kernel.abi.CmAccept;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnect;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmInitQpAttr;
import dev.doorbell.kernel.abi.CmQpAttributes;
import dev.doorbell.kernel.abi.CmQueryAddrResponse;
import dev.doorbell.kernel.abi.Sockaddr;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An rdma_cm file that remembers what was written to it and answers as a kernel would to a program that does everything right.
 * A test makes commands fail, hangs reactions on them, and raises events.
 */
final class ScriptedChannel implements CmChannel {
    static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7471);
    static final InetSocketAddress THERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 4000);

    /** Bits that kernels before 4.9 set in a mask, and that mean nothing to a program. */
    private static final int OLD_BITS = 0xf << 21;

    private final KernelDevice device;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Thread> waiting = new HashSet<>();
    private final Deque<MemorySegment> events = new ArrayDeque<>();
    private final File file = new File();
    private int nextId;
    private boolean closed;

    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    final Map<CmCommand, Integer> refusals = new EnumMap<>(CmCommand.class);
    final Map<CmCommand, Consumer<MemorySegment>> reactions = new EnumMap<>(CmCommand.class);
    /** Changes answers before the program sees them. */
    BiConsumer<CmCommand, MemorySegment> lie = (command, answer) -> {};

    /** How often somebody looked at the clock: who waits does at each step. */
    final AtomicInteger looks = new AtomicInteger();

    /** Whether an event wakes those who wait for the file. */
    volatile boolean wakes = true;

    final Map<Integer, Long> cookies = new HashMap<>();

    @Nullable
    MemorySegment lastConnect;

    @Nullable
    MemorySegment lastAccept;

    ScriptedChannel(KernelDevice device, int firstId) {
        this.device = device;
        this.nextId = firstId;
    }

    @Override
    public int invoke(CmCommand command, MemorySegment request, MemorySegment response) {
        if (closed) {
            return Errno.EBADF;
        }
        Integer refused = refusals.get(command);
        if (refused != null) {
            log.add(command + " refused");
            return refused;
        }
        log.add(command + detail(command, request));
        switch (command) {
            case CREATE_ID -> {
                int id = nextId++;
                cookies.put(id, CmCreateId.uid(request, 0));
                CmCreateIdResponse.setId(response, 0, id);
            }
            case JOIN_MCAST -> CmCreateIdResponse.setId(response, 0, nextId++);
            case QUERY -> address(response);
            case INIT_QP_ATTR -> attributes(QueuePairState.of(CmInitQpAttr.qpState(request, 0)), response);
            case CONNECT -> lastConnect = copy(request);
            case ACCEPT -> lastAccept = copy(request);
            default -> {}
        }
        lie.accept(command, response);
        Consumer<MemorySegment> reaction = reactions.get(command);
        if (reaction != null) {
            reaction.accept(request);
        }
        return 0;
    }

    private static String detail(CmCommand command, MemorySegment request) {
        return switch (command) {
            case INIT_QP_ATTR -> " " + QueuePairState.of(CmInitQpAttr.qpState(request, 0));
            case ACCEPT ->
                dev.doorbell.kernel.abi.CmConnectionParameters.valid(request, CmAccept.CONN_PARAM) == 0
                        ? " confirm"
                        : "";
            default -> "";
        };
    }

    private void address(MemorySegment response) {
        if (response.byteSize() < CmQueryAddrResponse.SIZE) {
            return;
        }
        CmQueryAddrResponse.setNodeGuid(response, 0, device.nodeGuid());
        CmQueryAddrResponse.setPortNum(response, 0, 1);
        CmQueryAddrResponse.setSrcSize(response, 0, Sockaddr.set(response, CmQueryAddrResponse.SRC_ADDR, HERE));
        CmQueryAddrResponse.setDstSize(response, 0, Sockaddr.set(response, CmQueryAddrResponse.DST_ADDR, THERE));
    }

    /** To itself: the device has one address. */
    private void attributes(QueuePairState state, MemorySegment response) {
        int mask = switch (state) {
            case INIT -> 0b111_001;
            case RTR -> 1 | 1 << 7 | 1 << 8 | 1 << 12 | 1 << 15 | 1 << 17 | 1 << 20;
            default -> 1 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 13 | 1 << 16;
        };
        CmQpAttributes.setQpAttrMask(response, 0, mask | OLD_BITS | (state == QueuePairState.INIT ? 1 << 3 : 0));
        CmQpAttributes.setPortNum(response, 0, 1);
        CmQpAttributes.setQpAccessFlags(response, 0, 0b1110);
        CmQpAttributes.setPathMtu(response, 0, 3);
        CmQpAttributes.setDestQpNum(response, 0, 99);
        CmQpAttributes.setRqPsn(response, 0, 1000);
        CmQpAttributes.setSqPsn(response, 0, 2000);
        CmQpAttributes.setTimeout(response, 0, 17);
        CmQpAttributes.setRetryCnt(response, 0, 7);
        CmQpAttributes.setRnrRetry(response, 0, 7);
        CmQpAttributes.setMaxRdAtomic(response, 0, 2);
        CmQpAttributes.setMaxDestRdAtomic(response, 0, 4);
        CmQpAttributes.setQkey(response, 0, 0x1234567);
        var gid = device.gids(1).getFirst();
        AhAttributes.setDgid(response, CmQpAttributes.AH_ATTR, gid.gid());
        AhAttributes.setSgidIndex(response, CmQpAttributes.AH_ATTR, gid.index());
        AhAttributes.setHopLimit(response, CmQpAttributes.AH_ATTR, 64);
        AhAttributes.setIsGlobal(response, CmQpAttributes.AH_ATTR, 1);
        AhAttributes.setPortNum(response, CmQpAttributes.AH_ATTR, 1);
    }

    private static MemorySegment copy(MemorySegment request) {
        return CmCommands.zeros(request.byteSize()).copyFrom(request);
    }

    /** The parameters of the last CONNECT. */
    ConnectionParameters connectParameters() {
        return ConnectionParameters.read(
                java.util.Objects.requireNonNull(lastConnect), CmConnect.CONN_PARAM, CmConnect.ECE);
    }

    /** The parameters of the last ACCEPT. */
    ConnectionParameters acceptParameters() {
        return ConnectionParameters.read(
                java.util.Objects.requireNonNull(lastAccept), CmAccept.CONN_PARAM, CmAccept.ECE);
    }

    /** Raises an event of an identifier that was created here. */
    void raise(CmEventType type, int id, int status) {
        raise(type, id, status, (record, at) -> {});
    }

    void raise(CmEventType type, int id, int status, BiConsumer<MemorySegment, Long> parameters) {
        raise(type, cookies.getOrDefault(id, 0L), id, status, parameters);
    }

    void raise(CmEventType type, long uid, int id, int status, BiConsumer<MemorySegment, Long> parameters) {
        MemorySegment record = CmCommands.zeros(CmEventRecord.SIZE);
        CmEventRecord.setUid(record, 0, uid);
        CmEventRecord.setId(record, 0, id);
        CmEventRecord.setEvent(record, 0, type.code());
        CmEventRecord.setStatus(record, 0, status);
        parameters.accept(record, (long) CmEventRecord.PARAM_CONN);
        lock.lock();
        try {
            events.add(record);
            if (wakes) {
                waiting.forEach(LockSupport::unpark);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The kernel's part of a connect that succeeds. */
    void connectsBy(int id) {
        reactions.put(CmCommand.RESOLVE_ADDR, request -> raise(CmEventType.ADDR_RESOLVED, id, 0));
        reactions.put(CmCommand.RESOLVE_ROUTE, request -> raise(CmEventType.ROUTE_RESOLVED, id, 0));
        reactions.put(CmCommand.CONNECT, request -> raise(CmEventType.CONNECT_RESPONSE, id, 0));
    }

    @Override
    public EventFile events() {
        return file;
    }

    @Override
    public Progress progress() {
        return new Progress() {
            @Override
            public boolean poll() {
                return false;
            }

            @Override
            public long nanoTime() {
                looks.incrementAndGet();
                return System.nanoTime();
            }
        };
    }

    /** Waits until a thread waits for events. */
    void awaitWaiting() {
        while (true) {
            lock.lock();
            try {
                if (!waiting.isEmpty()) {
                    return;
                }
            } finally {
                lock.unlock();
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public String description() {
        return "script";
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        file.close();
    }

    private final class File implements EventFile {
        @Override
        public int read(MemorySegment record, long timeoutNs) {
            lock.lock();
            try {
                MemorySegment event = events.poll();
                if (event == null) {
                    return 0;
                }
                record.copyFrom(event);
                return CmEventRecord.SIZE;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean await(long timeoutNs) {
            long end = System.nanoTime() + timeoutNs;
            lock.lock();
            try {
                if (closed || !events.isEmpty()) {
                    return true;
                }
                waiting.add(Thread.currentThread());
            } finally {
                lock.unlock();
            }
            LockSupport.parkNanos(this, timeoutNs);
            lock.lock();
            try {
                waiting.remove(Thread.currentThread());
            } finally {
                lock.unlock();
            }
            return System.nanoTime() - end < 0;
        }

        @Override
        public void onReadable(@Nullable Runnable action) {}

        @Override
        public int descriptor() {
            return 77;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
                waiting.forEach(LockSupport::unpark);
            } finally {
                lock.unlock();
            }
        }
    }
}
