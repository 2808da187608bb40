package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.CreateCq;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.ControlSegment;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.kernel.abi.mlx5.DataSegment;
import dev.doorbell.kernel.abi.mlx5.DoorbellRecord;
import dev.doorbell.kernel.abi.mlx5.InlineSegment;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateCq;
import dev.doorbell.kernel.abi.mlx5.Mlx5CreateQp;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContext;
import dev.doorbell.kernel.abi.mlx5.Mlx5GetContextResponse;
import dev.doorbell.kernel.abi.mlx5.RemoteSegment;
import dev.doorbell.memory.Be;
import dev.doorbell.memory.Shared;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** One end of a reliable connection of an mlx5 device, with queues in memory of its own; writes what a driver would. */
final class Mlx5Connection {
    static final int BLOCKS = 16;
    static final int RECEIVES = 8;
    static final int ENTRIES = 16;
    static final int BUFFER = 4096;
    static final int USER_INDEX = 0x1234;

    private static final int STRIDE = 16;
    private static final int STRIDE_SHIFT = 4;
    private static final int LEAST_RECEIVE_QUEUE = RECEIVES * STRIDE;
    private static final int QUEUES = LEAST_RECEIVE_QUEUE + BLOCKS * ControlSegment.BLOCK;

    /** All that the device may use: completions, both queues, the doorbell records, and the data. */
    final MemorySegment memory;

    final MemorySegment completions;
    final MemorySegment queues;
    final MemorySegment queueRecord;
    final MemorySegment completionRecord;
    final MemorySegment buffer;
    final Program program;
    final int domain;
    final int completionQueue;
    final int handle;
    final int number;
    final int key;
    private int posted;
    private int received;
    private int consumer;

    Mlx5Connection(Program program, int channel) {
        this.program = program;
        this.domain = program.pd();
        this.memory = program.arena.allocate(4L * BUFFER, BUFFER);
        program.channel.pin(memory);
        this.completions = memory.asSlice(0, ENTRIES * Cqe.SIZE);
        this.queues = memory.asSlice(BUFFER, QUEUES);
        this.queueRecord = memory.asSlice(2L * BUFFER, DoorbellRecord.SIZE);
        this.completionRecord = memory.asSlice(2L * BUFFER + ControlSegment.BLOCK, DoorbellRecord.SIZE);
        this.buffer = memory.asSlice(3L * BUFFER, BUFFER);
        for (int entry = 0; entry < ENTRIES; entry++) {
            Cqe.setOpAndOwner(completions, (long) entry * Cqe.SIZE, 0xf0);
        }
        assertThat(createCq(channel, Program::asIs)).isZero();
        this.completionQueue = CreateCqResponse.cqHandle(program.out, 0);
        assertThat(createQp(Program::asIs)).isZero();
        this.handle = CreateQpResponse.qpHandle(program.out, 0);
        this.number = CreateQpResponse.qpn(program.out, 0);
        program.driverIn = MemorySegment.NULL;
        assertThat(program.regMr(domain, buffer, 15, Program::asIs)).isZero();
        this.key = RegMrResponse.lkey(program.out, 0);
    }

    /** Opens a device as the driver does. */
    static Program start(KernelDevice device) {
        Program program = Program.open(device);
        program.driverIn = program.arena.allocate(Mlx5GetContext.SIZE);
        Mlx5GetContext.setTotalRegisters(program.driverIn, 0, 16);
        Mlx5GetContext.setLowLatencyRegisters(program.driverIn, 0, 4);
        Mlx5GetContext.setMaxCqeVersion(program.driverIn, 0, 1);
        assertThat(program.send(
                        UverbsCommand.GET_CONTEXT,
                        GetContext.SIZE,
                        GetContextResponse.SIZE,
                        Mlx5GetContextResponse.SIZE,
                        Program::asIs))
                .isZero();
        program.driverIn = MemorySegment.NULL;
        return program;
    }

    int createCq(int channel, Consumer<MemorySegment> change) {
        MemorySegment driver = program.arena.allocate(Mlx5CreateCq.SIZE);
        Mlx5CreateCq.setBuffer(driver, 0, completions.address());
        Mlx5CreateCq.setRecord(driver, 0, completionRecord.address());
        Mlx5CreateCq.setEntrySize(driver, 0, Cqe.SIZE);
        change.accept(driver);
        program.driverIn = driver;
        return program.send(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, 8, in -> {
            CreateCq.setCqe(in, 0, ENTRIES - 1);
            CreateCq.setCompChannel(in, 0, channel);
        });
    }

    int createQp(Consumer<MemorySegment> change) {
        MemorySegment driver = program.arena.allocate(Mlx5CreateQp.SIZE);
        Mlx5CreateQp.setBuffer(driver, 0, queues.address());
        Mlx5CreateQp.setRecord(driver, 0, queueRecord.address());
        Mlx5CreateQp.setSendBlocks(driver, 0, BLOCKS);
        Mlx5CreateQp.setReceiveRequests(driver, 0, RECEIVES);
        Mlx5CreateQp.setReceiveShift(driver, 0, STRIDE_SHIFT);
        Mlx5CreateQp.setUserIndex(driver, 0, USER_INDEX);
        change.accept(driver);
        program.driverIn = driver;
        return program.send(UverbsCommand.CREATE_QP, CreateQp.SIZE, CreateQpResponse.SIZE, 8, in -> {
            CreateQp.setPdHandle(in, 0, domain);
            CreateQp.setSendCqHandle(in, 0, completionQueue);
            CreateQp.setRecvCqHandle(in, 0, completionQueue);
            CreateQp.setQpType(in, 0, Program.RC);
            CreateQp.setMaxSendWr(in, 0, 4);
            CreateQp.setMaxRecvWr(in, 0, RECEIVES);
            CreateQp.setMaxSendSge(in, 0, 1);
            CreateQp.setMaxRecvSge(in, 0, 1);
        });
    }

    /** Where a unit of the next work request lies. */
    long unit(int index) {
        long place = (long) posted * ControlSegment.BLOCK + (long) index * ControlSegment.UNIT;
        return LEAST_RECEIVE_QUEUE + place % (BLOCKS * ControlSegment.BLOCK);
    }

    /** Writes a work request's control segment; the caller has written what follows. */
    void control(int opcode, int units) {
        long at = unit(0);
        ControlSegment.setIndexAndOpcode(queues, at, ControlSegment.indexAndOpcode(posted & 0xffff, opcode));
        ControlSegment.setQueuePairAndUnits(queues, at, number << 8 | units);
        ControlSegment.setFlags(queues, at, ControlSegment.COMPLETION);
        posted += (units + 3) / 4;
    }

    /** Tells how far the queue is filled. */
    void ring() {
        Shared.setIntRelease(queueRecord, DoorbellRecord.SEND, Integer.reverseBytes(posted & 0xffff));
    }

    void data(int index, long offset, int length) {
        data(queues, unit(index), offset, length);
    }

    private void data(MemorySegment queue, long at, long offset, int length) {
        DataSegment.setLength(queue, at, length);
        DataSegment.setKey(queue, at, key);
        DataSegment.setAddr(queue, at, buffer.address() + offset);
    }

    void remote(int index, Mlx5Connection peer, long offset) {
        RemoteSegment.setAddress(queues, unit(index), peer.buffer.address() + offset);
        RemoteSegment.setKey(queues, unit(index), peer.key);
    }

    /** Writes inline data behind the control segment; how many units that took. */
    int inline(int index, byte[] bytes) {
        int units = (InlineSegment.SIZE + bytes.length + 15) / 16;
        byte[] all = new byte[units * 16];
        System.arraycopy(bytes, 0, all, InlineSegment.SIZE, bytes.length);
        for (int unit = 0; unit < units; unit++) {
            MemorySegment.copy(MemorySegment.ofArray(all), unit * 16L, queues, unit(index + unit), ControlSegment.UNIT);
        }
        InlineSegment.setLengthAndMark(queues, unit(index), bytes.length | InlineSegment.MARK);
        return units;
    }

    void receive(long offset, int length) {
        data(queues, (long) (received % RECEIVES) * STRIDE, offset, length);
        received++;
        Shared.setIntRelease(queueRecord, DoorbellRecord.RECEIVE, Integer.reverseBytes(received & 0xffff));
    }

    /** Arms the completion queue for any completion. */
    void arm() {
        Shared.setIntRelease(completionRecord, DoorbellRecord.ARM, Integer.reverseBytes(consumer & 0xff_ffff));
    }

    /** Where the next completion lies; -1 if there is none. */
    long next() {
        long at = (long) (consumer & ENTRIES - 1) * Cqe.SIZE;
        int last = Shared.getIntAcquire(completions, at + Cqe.SIZE - Integer.BYTES) >>> 24;
        boolean mine = last >>> 4 != 15 && (last & 1) == ((consumer & ENTRIES) == 0 ? 0 : 1);
        return mine ? at : -1;
    }

    /** Takes the next completion, after one look at the device if there is none yet; -1 if there is none then. */
    long poll() {
        long at = next();
        if (at < 0) {
            program.channel.progress().poll();
            at = next();
        }
        if (at >= 0) {
            consumer++;
            Be.setInt(completionRecord, DoorbellRecord.CONSUMER, consumer & 0xff_ffff);
        }
        return at;
    }

    /** As {@link #poll}, however long it takes: the device's thread may be at it. */
    long await() {
        long at = poll();
        while (at < 0) {
            Thread.onSpinWait();
            at = poll();
        }
        return at;
    }

    int posted() {
        return posted;
    }
}
