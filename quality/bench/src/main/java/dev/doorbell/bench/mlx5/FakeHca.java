package dev.doorbell.bench.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.MethodCall;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.QueryDeviceResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCqResponse;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQpResponse;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContextResponse;
import dev.doorbell.kernel.abi.mlx5.Mlx5IoctlIds;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import dev.doorbell.kernel.abi.mlx5.WqeOpcode;
import dev.doorbell.memory.Host;
import dev.doorbell.memory.Shared;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An mlx5 device that executes nothing: it answers the commands that lead to one queue pair in RTS, and completes what it is told to.
 * For one queue pair and one completion queue.
 *
 * <p>Thread rules: one thread at a time.
 */
final class FakeHca implements CommandChannel {
    private static final int QUEUE_PAIR = 0xa1b200;
    private static final int COMPLETION_QUEUE = 0x400;
    private static final int KEY = 0x180010;
    private static final int FIRST_PAGE = 0x20;
    private static final int MOST_REQUESTS = 32768;
    /** The last four bytes of an entry: index of the WQE, signature, operation and owner. */
    private static final int LAST_WORD = Cqe.SIZE - Integer.BYTES;

    private final Arena arena = Arena.ofShared();
    private final Map<Long, MemorySegment> pinned = new TreeMap<>();
    private MemorySegment entries = MemorySegment.NULL;
    private int entryCount;
    private int userIndex;
    private int completed;
    private int handles;
    private int pages;

    /** The last work request that was posted begins in this block, is done, and moved so many bytes. */
    void complete(int block, int bytes) {
        long at = (long) (completed & entryCount - 1) * Cqe.SIZE;
        Cqe.setUserIndex(entries, at, userIndex);
        Cqe.setLength(entries, at, bytes);
        Cqe.setOpcodeAndQueuePair(entries, at, WqeOpcode.RDMA_WRITE << 24 | QUEUE_PAIR);
        int owner = (completed & entryCount) == 0 ? 0 : Cqe.OWNER;
        // Big-endian bytes in a word of this machine, whose release orders what was written before.
        Shared.setIntRelease(entries, at + LAST_WORD, Integer.reverseBytes((block & 0xffff) << 16 | owner));
        completed++;
    }

    @Override
    public int invoke(
            UverbsCommand command,
            MemorySegment coreIn,
            MemorySegment coreOut,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        switch (command) {
            case GET_CONTEXT -> context(coreOut, driverOut);
            case QUERY_DEVICE, EX_QUERY_DEVICE -> device(coreOut);
            case ALLOC_PD -> AllocPdResponse.setPdHandle(coreOut, 0, ++handles);
            case REG_MR -> {
                RegMrResponse.setMrHandle(coreOut, 0, ++handles);
                RegMrResponse.setLkey(coreOut, 0, KEY);
                RegMrResponse.setRkey(coreOut, 0, KEY);
            }
            case CREATE_CQ -> {
                entries = Objects.requireNonNull(pinned.get(Mlx5CreateCq.buffer(driverIn, 0)));
                entryCount = CreateCq.cqe(coreIn, 0) + 1;
                CreateCqResponse.setCqHandle(coreOut, 0, ++handles);
                CreateCqResponse.setCqe(coreOut, 0, CreateCq.cqe(coreIn, 0));
                Mlx5CreateCqResponse.setNumber(driverOut, 0, COMPLETION_QUEUE);
            }
            case CREATE_QP -> {
                userIndex = Mlx5CreateQp.userIndex(driverIn, 0);
                CreateQpResponse.setQpHandle(coreOut, 0, ++handles);
                CreateQpResponse.setQpn(coreOut, 0, QUEUE_PAIR);
                Mlx5CreateQpResponse.setRegister(driverOut, 0, -1);
            }
            default -> {}
        }
        return 0;
    }

    private static void context(MemorySegment out, MemorySegment driver) {
        GetContextResponse.setNumCompVectors(out, 0, 1);
        Mlx5GetContextResponse.setQueuePairs(driver, 0, 1 << 18);
        Mlx5GetContextResponse.setBlueFlameSize(driver, 0, 512);
        Mlx5GetContextResponse.setCacheLine(driver, 0, 64);
        Mlx5GetContextResponse.setMaxSendWqe(driver, 0, 1024);
        Mlx5GetContextResponse.setMaxReceiveWqe(driver, 0, 512);
        Mlx5GetContextResponse.setMaxSendBlocks(driver, 0, MOST_REQUESTS);
        Mlx5GetContextResponse.setMaxReceiveRequests(driver, 0, MOST_REQUESTS);
        Mlx5GetContextResponse.setMaxSharedRequests(driver, 0, MOST_REQUESTS - 1);
        Mlx5GetContextResponse.setPorts(driver, 0, 1);
        Mlx5GetContextResponse.setResponseLength(driver, 0, Mlx5GetContextResponse.SIZE);
        Mlx5GetContextResponse.setCqeVersion(driver, 0, 1);
        Mlx5GetContextResponse.setLogPageSize(driver, 0, 12);
        Mlx5GetContextResponse.setPagesPerSystemPage(driver, 0, 1);
    }

    private static void device(MemorySegment out) {
        QueryDeviceResponse.setMaxQp(out, 0, 1 << 17);
        QueryDeviceResponse.setMaxQpWr(out, 0, MOST_REQUESTS);
        QueryDeviceResponse.setMaxSge(out, 0, 30);
        QueryDeviceResponse.setMaxCq(out, 0, 1 << 20);
        QueryDeviceResponse.setMaxCqe(out, 0, (1 << 22) - 1);
        QueryDeviceResponse.setMaxMr(out, 0, 1 << 20);
        QueryDeviceResponse.setMaxPd(out, 0, 1 << 20);
        QueryDeviceResponse.setPhysPortCnt(out, 0, 1);
    }

    /** The only method that it has: a register page. */
    @Override
    public int call(MethodCall call) {
        if (call.object() != Mlx5IoctlIds.OBJECT_UAR) {
            return Errno.EPROTONOSUPPORT;
        }
        if (call.method() == Mlx5IoctlIds.UAR_ALLOC) {
            int page = FIRST_PAGE + pages++;
            Objects.requireNonNull(call.find(Mlx5IoctlIds.UAR_ALLOC_HANDLE)).answer(++handles);
            Host.setLong(output(call, Mlx5IoctlIds.UAR_ALLOC_MMAP_OFFSET), 0, (long) page * RegisterPage.SIZE);
            Host.setInt(output(call, Mlx5IoctlIds.UAR_ALLOC_MMAP_LENGTH), 0, RegisterPage.SIZE);
            Host.setInt(output(call, Mlx5IoctlIds.UAR_ALLOC_PAGE_ID), 0, page);
        }
        return 0;
    }

    private static MemorySegment output(MethodCall call, int id) {
        return Objects.requireNonNull(call.find(id)).bytes();
    }

    /** As Linux maps: memory with an owner that could end it. */
    @Override
    public MemorySegment map(long offset, long length) {
        return arena.allocate(length, RegisterPage.SIZE);
    }

    @Override
    public void unmap(MemorySegment mapping) {}

    @Override
    public Pin pin(MemorySegment memory) {
        pinned.put(memory.address(), memory);
        return () -> pinned.remove(memory.address());
    }

    @Override
    public Doorbell doorbell(int queuePairHandle) {
        throw new KernelException(Errno.EOPNOTSUPP, "mlx5 rings in a register page");
    }

    @Override
    public EventFile eventFile(int descriptor) {
        return new Quiet(descriptor);
    }

    @Override
    public Progress progress() {
        return Progress.NONE;
    }

    @Override
    public String description() {
        return "a fake mlx5 device";
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /** Nothing ever happens. */
    private record Quiet(int descriptor) implements EventFile {
        @Override
        public int read(MemorySegment record, long timeoutNs) {
            return 0;
        }

        @Override
        public boolean await(long timeoutNs) {
            return false;
        }

        @Override
        public void onReadable(@Nullable Runnable action) {}

        @Override
        public void close() {}
    }
}
