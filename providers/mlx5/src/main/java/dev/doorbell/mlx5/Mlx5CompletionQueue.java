package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.Progress;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.CqeOpcode;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.ErrorCqe;
import dev.doorbell.kernel.abi.mlx5.RegisterPage;
import dev.doorbell.memory.Barriers;
import dev.doorbell.memory.Padded;
import dev.doorbell.memory.SpinLock;
import dev.doorbell.spec.WorkCompletionFlag;
import dev.doorbell.spec.WorkCompletionOpcode;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.Destroy;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: a ring of entries that the device writes, each with an owner bit that changes with every lap. The doorbell
 * record tells the device how far it was emptied.
 *
 * <p>Moving the cursor onto an entry retires work requests of the queue that it is about; the fields are read from the entry while
 * the cursor stands on it.
 *
 * <p>Thread rules: calls are serialised by the caller, but for {@link #arm} and {@link #clean}.
 */
final class Mlx5CompletionQueue extends Padded implements ProviderCompletionQueue {
    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();
    private static final int WITH_IMM = WorkCompletionFlag.WITH_IMM.bit();
    private static final int WITH_INV = WorkCompletionFlag.WITH_INV.bit();
    private static final int GRH = WorkCompletionFlag.GRH.bit();
    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();
    private static final int INDEX_MASK = 0xff_ffff;
    private static final int ATOMIC_BYTES = 8;
    /** The device is told at the latest when this part of the queue was emptied. */
    private static final int TELL_AFTER_PART = 4;

    private final CommandChannel channel;
    private final Created created;
    private final Mlx5Device device;
    private final MemorySegment records;
    private final long record;
    private final SpinLock lock = new SpinLock();
    private final Progress progress;
    private final AtomicInteger events = new AtomicInteger();

    /** Held while the queue moves: until then entries are in two places, of which {@link #clean} would see one. */
    private final ReentrantLock moving = new ReentrantLock();

    private CqeRing ring;
    private QueueMemory memory;
    private boolean closed;

    /** Entries taken; the device knows of as many as it was told of. */
    int consumer;

    int told;

    /** The entry under the cursor, and what was found out about it. */
    private long at;

    private boolean isError;
    private int kind;
    private long id;
    private int status;
    private int opcode;
    private int flags;
    private long length;

    /** What CREATE_CQ gave. */
    record Created(
            int handle,
            int number,
            CqeRing ring,
            QueueMemory memory,
            DoorbellRecords.Slot record,
            boolean timestamps) {}

    Mlx5CompletionQueue(Mlx5Device device, Created created) {
        this.device = device;
        this.channel = device.channel();
        this.created = created;
        this.records = created.record().memory();
        this.record = created.record().at();
        this.ring = created.ring();
        this.memory = created.memory();
        this.progress = channel.progress();
    }

    /** Its number among the device's. */
    int number() {
        return created.number();
    }

    /** Entries taken. */
    int consumer() {
        return consumer;
    }

    /** Its entries. */
    CqeRing ring() {
        return ring;
    }

    @Override
    public int handle() {
        return created.handle();
    }

    @Override
    public int capacity() {
        return ring.entries() - 1;
    }

    @Override
    public boolean next() {
        if (take()) {
            return true;
        }
        progress.poll();
        if (take()) {
            return true;
        }
        end();
        return false;
    }

    private boolean take() {
        lock.lock();
        try {
            int skipped = 0;
            while (ring.isReady(consumer) && skipped < ring.entries()) {
                at = ring.entry(consumer);
                consumer++;
                if (consumer - told >= ring.entries() / TELL_AFTER_PART) {
                    tell();
                }
                if (read()) {
                    return true;
                }
                skipped++;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Takes in the entry under the cursor; false for one that concerns no queue of this context. */
    private boolean read() {
        MemorySegment memory = ring.memory();
        WorkQueues queues = device.queuePairs().find(key(memory));
        if (queues == null) {
            return false;
        }
        kind = Cqe.opcode(memory, at);
        status = SUCCESS;
        isError = false;
        flags = 0;
        switch (kind) {
            case CqeOpcode.REQUEST -> request(memory, queues);
            case CqeOpcode.RECEIVED_WRITE_IMMEDIATE,
                    CqeOpcode.RECEIVED_SEND,
                    CqeOpcode.RECEIVED_SEND_IMMEDIATE,
                    CqeOpcode.RECEIVED_SEND_INVALIDATE -> received(memory, queues);
            case CqeOpcode.REQUEST_ERROR, CqeOpcode.RESPONSE_ERROR -> failed(memory, queues);
            default -> {
                return false;
            }
        }
        return true;
    }

    private int key(MemorySegment memory) {
        return device.queuePairs().isByUserIndex() ? Cqe.userIndex(memory, at) & INDEX_MASK : Cqe.queuePair(memory, at);
    }

    private void request(MemorySegment memory, WorkQueues queues) {
        int counter = Cqe.wqeCounter(memory, at);
        Mlx5SendQueue send = queues.send();
        opcode = WqeOperations.completionOf(
                Cqe.opcodeAndQueuePair(memory, at) >>> 24, send.sent().operation(counter));
        length = WqeOperations.isAtomic(opcode) ? ATOMIC_BYTES : Integer.toUnsignedLong(Cqe.length(memory, at));
        long data = ring.data(at);
        if (data >= 0 && !send.scatter(counter, device.regions(), memory, data, ring.dataLength(at, length))) {
            status = WorkCompletionStatus.LOC_LEN_ERR.code();
        }
        id = send.sent().retire(counter);
    }

    private void received(MemorySegment memory, WorkQueues queues) {
        length = Integer.toUnsignedLong(Cqe.length(memory, at));
        opcode = kind == CqeOpcode.RECEIVED_WRITE_IMMEDIATE ? RECV_RDMA : RECV;
        flags = (Cqe.flagsAndSource(memory, at) >>> 28 & 3) != 0 ? GRH : 0;
        switch (kind) {
            case CqeOpcode.RECEIVED_WRITE_IMMEDIATE, CqeOpcode.RECEIVED_SEND_IMMEDIATE -> flags |= WITH_IMM;
            case CqeOpcode.RECEIVED_SEND_INVALIDATE -> flags |= WITH_INV;
            default -> {}
        }
        long data = ring.data(at);
        if (data >= 0 && !ring.dataIsBefore(at)) {
            // The data lie where the header's kind would: there is none on services that deliver so.
            flags &= ~GRH;
        }
        if (data >= 0 && !scatter(queues, memory, data, ring.dataLength(at, length))) {
            status = WorkCompletionStatus.LOC_LEN_ERR.code();
        }
        id = retireReceive(queues, memory);
    }

    private boolean scatter(WorkQueues queues, MemorySegment memory, long data, long bytes) {
        Mlx5SharedReceives shared = queues.shared();
        Mlx5ReceiveQueue receive = queues.receive();
        if (shared != null) {
            return shared.scatterInto(Cqe.wqeCounter(memory, at), device.regions(), memory, data, bytes);
        }
        return receive != null && receive.scatterOldest(device.regions(), memory, data, bytes);
    }

    private long retireReceive(WorkQueues queues, MemorySegment memory) {
        Mlx5SharedReceives shared = queues.shared();
        if (shared != null) {
            return shared.retire(Cqe.wqeCounter(memory, at));
        }
        Mlx5ReceiveQueue receive = queues.receive();
        return receive == null ? 0 : receive.retire();
    }

    private void failed(MemorySegment memory, WorkQueues queues) {
        isError = true;
        status = Syndromes.status(ErrorCqe.syndrome(memory, at));
        length = 0;
        if (kind == CqeOpcode.REQUEST_ERROR) {
            int counter = Cqe.wqeCounter(memory, at);
            opcode = queues.send().sent().operation(counter);
            id = queues.send().sent().retire(counter);
        } else {
            opcode = RECV;
            id = retireReceive(queues, memory);
        }
    }

    @Override
    public void end() {
        if (told != consumer) {
            lock.lock();
            try {
                tell();
            } finally {
                lock.unlock();
            }
        }
    }

    private void tell() {
        told = consumer;
        device.stores().record(records, record + DoorbellRecord.CONSUMER, consumer & INDEX_MASK);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public int vendorError() {
        return isError ? ErrorCqe.vendorError(ring.memory(), at) : 0;
    }

    @Override
    public int queuePairNumber() {
        return Cqe.queuePair(ring.memory(), at);
    }

    @Override
    public int opcode() {
        return opcode;
    }

    @Override
    public long byteLength() {
        return length;
    }

    @Override
    public int flags() {
        return flags;
    }

    @Override
    public int immediate() {
        return Cqe.immediate(ring.memory(), at);
    }

    @Override
    public int sourceQueuePair() {
        return Cqe.flagsAndSource(ring.memory(), at) & INDEX_MASK;
    }

    @Override
    public int slid() {
        return Cqe.sourceLid(ring.memory(), at);
    }

    @Override
    public int serviceLevel() {
        return Cqe.flagsAndSource(ring.memory(), at) >>> 24 & 0xf;
    }

    @Override
    public int dlidPathBits() {
        return Cqe.pathBits(ring.memory(), at) & 0x7f;
    }

    @Override
    public int pkeyIndex() {
        return Cqe.immediate(ring.memory(), at) & 0xffff;
    }

    @Override
    public boolean hasTimestamps() {
        return created.timestamps();
    }

    @Override
    public long timestamp() {
        return Cqe.timestamp(ring.memory(), at);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The record says from which entry on and after how many events, so that the device can tell a request that was overtaken
     * by an event from a new one.
     */
    @Override
    public void arm(boolean solicitedOnly) {
        lock.lock();
        try {
            int word = (events.get() & 3) << DoorbellRecord.ARM_SEQUENCE_SHIFT
                    | (solicitedOnly ? DoorbellRecord.ARM_SOLICITED : 0)
                    | consumer & INDEX_MASK;
            device.stores().record(records, record + DoorbellRecord.ARM, word);
            long request = (long) word << Integer.SIZE | created.number();
            Barriers.beforeRegister();
            device.stores().register(device.registers().armPage(), RegisterPage.ARM, request);
            Barriers.afterRegister();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void eventTaken() {
        events.incrementAndGet();
    }

    /**
     * {@inheritDoc}
     *
     * <p>The kernel gives the device another ring, and the device leaves a mark behind the last entry of the old one. What waits before
     * that mark is copied.
     */
    @Override
    public void resize(int entries) {
        end();
        moving.lock();
        try {
            CompletionQueueCommands.Moved moved = CompletionQueueCommands.resize(channel, handle(), ring, entries);
            if (moved != null) {
                move(moved);
            }
        } finally {
            moving.unlock();
        }
    }

    private void move(CompletionQueueCommands.Moved moved) {
        QueueMemory old = memory;
        int came;
        lock.lock();
        try {
            came = ring.copyTo(moved.ring(), consumer);
            ring = moved.ring();
            memory = moved.memory();
            // The mark was an entry too.
            consumer++;
            tell();
        } finally {
            lock.unlock();
        }
        old.close();
        if (came < 0) {
            throw new VerbsFault(
                    Errno.EIO, UverbsCommand.RESIZE_CQ.name() + ": the device left no mark; completions are lost");
        }
    }

    @Override
    public void moderate(int completions, int periodMicros) {
        CompletionQueueCommands.moderate(channel, handle(), completions, periodMicros);
    }

    /** Removes the entries of a queue pair that was reset or destroyed; those of others move together. */
    void clean(int key, @Nullable Mlx5SharedReceives shared) {
        moving.lock();
        try {
            cleanUp(key, shared);
        } finally {
            moving.unlock();
        }
    }

    private void cleanUp(int key, @Nullable Mlx5SharedReceives shared) {
        lock.lock();
        try {
            int end = consumer;
            while (end - consumer < ring.entries() && ring.isReady(end)) {
                end++;
            }
            int removed = 0;
            for (int index = end - 1; index - consumer >= 0; index--) {
                long entry = ring.entry(index);
                if (keyOf(entry) == key) {
                    removed++;
                    if (shared != null && isReceive(entry)) {
                        shared.retire(Cqe.wqeCounter(ring.memory(), entry));
                    }
                } else if (removed > 0) {
                    ring.move(index, index + removed);
                }
            }
            if (removed > 0) {
                consumer += removed;
                tell();
            }
        } finally {
            lock.unlock();
        }
    }

    private int keyOf(long entry) {
        return device.queuePairs().isByUserIndex()
                ? Cqe.userIndex(ring.memory(), entry) & INDEX_MASK
                : Cqe.queuePair(ring.memory(), entry);
    }

    private boolean isReceive(long entry) {
        int what = Cqe.opcode(ring.memory(), entry);
        return what != CqeOpcode.REQUEST && what != CqeOpcode.REQUEST_ERROR;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = CompletionQueueCommands.destroy(channel, handle());
        if (!Destroy.keeps(errno)) {
            closed = true;
            memory.close();
            device.records().free(created.record());
        }
        Command.check(errno, UverbsCommand.DESTROY_CQ);
    }
}
