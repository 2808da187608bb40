package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Doorbell;
import dev.doorbell.kernel.abi.CreateCqResponse;
import dev.doorbell.kernel.abi.CreateQp;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.RxeCqe;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.RxeQueueHeader;
import dev.doorbell.kernel.abi.RxeRecvWqe;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.kernel.abi.RxeSge;
import dev.doorbell.memory.SharedRing;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** One end of a reliable connection with everything that it needs: memory, a completion queue, a queue pair. */
final class Connection {
    static final int DEPTH = 15;
    static final int BUFFER = 256;

    final Program program;
    final MemorySegment buffer;
    final int domain;
    final int completionQueue;
    final int handle;
    final int number;
    final int key;
    final Doorbell doorbell;
    final SharedRing sends;
    final SharedRing receives;
    final SharedRing completions;
    private final CommandChannel.Pin pin;
    private int sendProducer;
    private int receiveProducer;
    private int consumer;

    Connection(Program program, int channel, long cookie) {
        this.program = program;
        this.domain = program.pd();
        assertThat(program.createCq(2 * DEPTH, channel, cookie, Program::asIs)).isZero();
        this.completionQueue = CreateCqResponse.cqHandle(program.out, 0);
        this.completions = map(program.driverOut, 0, 2 * DEPTH);
        assertThat(program.createQp(domain, completionQueue, in -> {
                    CreateQp.setMaxSendWr(in, 0, DEPTH);
                    CreateQp.setMaxRecvWr(in, 0, DEPTH);
                    CreateQp.setUserHandle(in, 0, cookie);
                }))
                .isZero();
        this.handle = CreateQpResponse.qpHandle(program.out, 0);
        this.number = CreateQpResponse.qpn(program.out, 0);
        this.receives = map(program.driverOut, RxeCreateQpResponse.RECEIVE_QUEUE, DEPTH);
        this.sends = map(program.driverOut, RxeCreateQpResponse.SEND_QUEUE, DEPTH);
        this.doorbell = program.channel.doorbell(handle);
        this.buffer = program.arena.allocate(BUFFER, 4096);
        this.pin = program.channel.pin(buffer);
        assertThat(program.regMr(domain, buffer, 15, Program::asIs)).isZero();
        this.key = RegMrResponse.lkey(program.out, 0);
    }

    private SharedRing map(MemorySegment answer, int at, int elements) {
        MemorySegment ring = program.channel.map(RxeMmapInfo.offset(answer, at), RxeMmapInfo.length(answer, at));
        int mask = RxeQueueHeader.indexMask(ring, 0);
        assertThat(mask).isGreaterThanOrEqualTo(elements);
        return new SharedRing(ring, 128, 256, RxeQueueHeader.SIZE, RxeQueueHeader.log2ElemSize(ring, 0), mask);
    }

    /** Takes both ends to RTS, with each other as the peer. */
    static void connect(Connection first, Gid firstGid, Connection second, Gid secondGid) {
        RcSteps.connect(first.program, first.handle, second.number, secondGid);
        RcSteps.connect(second.program, second.handle, first.number, firstGid);
    }

    int modify(int mask, Consumer<MemorySegment> change) {
        return RcSteps.modify(program, handle, mask, change);
    }

    /** Posts a SEND of the buffer's start without ringing. */
    void write(long id, int length, WorkRequestOpcode opcode, Consumer<Long> change) {
        MemorySegment ring = sends.memory();
        long at = sends.offset(sendProducer);
        RxeSendWqe.clear(ring, at);
        RxeSendWqe.setWrId(ring, at, id);
        RxeSendWqe.setOpcode(ring, at, opcode.code());
        RxeSendWqe.setSendFlags(ring, at, SendFlag.SIGNALED.bit());
        RxeSendWqe.setDmaLength(ring, at, length);
        RxeSendWqe.setDmaResid(ring, at, length);
        RxeSendWqe.setDmaNumSge(ring, at, 1);
        element(ring, RxeSendWqe.sge(at, 0), length);
        change.accept(at);
        sendProducer = sends.next(sendProducer);
        sends.producerRelease(sendProducer);
    }

    /** Posts a SEND of the buffer's start and rings the doorbell. */
    int send(long id, int length) {
        write(id, length, WorkRequestOpcode.SEND, at -> {});
        return doorbell.ring();
    }

    void receive(long id) {
        MemorySegment ring = receives.memory();
        long at = receives.offset(receiveProducer);
        RxeRecvWqe.setWrId(ring, at, id);
        RxeRecvWqe.setDmaLength(ring, at, BUFFER);
        RxeRecvWqe.setDmaResid(ring, at, BUFFER);
        RxeRecvWqe.setDmaCurSge(ring, at, 0);
        RxeRecvWqe.setDmaSgeOffset(ring, at, 0);
        RxeRecvWqe.setDmaNumSge(ring, at, 1);
        element(ring, RxeRecvWqe.sge(at, 0), BUFFER);
        receiveProducer = receives.next(receiveProducer);
        receives.producerRelease(receiveProducer);
    }

    private void element(MemorySegment ring, long at, int length) {
        RxeSge.setAddr(ring, at, buffer.address());
        RxeSge.setLength(ring, at, length);
        RxeSge.setLkey(ring, at, key);
    }

    /** Takes the next completion off the queue and returns its work request's identifier; -1 if there is none. */
    long poll() {
        if (completions.producerAcquire() == consumer) {
            program.channel.progress().poll();
            if (completions.producerAcquire() == consumer) {
                return -1;
            }
        }
        long id = RxeCqe.wrId(completions.memory(), completions.offset(consumer));
        lastStatus = RxeCqe.status(completions.memory(), completions.offset(consumer));
        consumer = completions.next(consumer);
        completions.consumerRelease(consumer);
        return id;
    }

    /** Status of the completion that {@link #poll} took last. */
    int lastStatus;

    void closePin() {
        pin.close();
    }
}
