package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.CreateCompChannel;
import dev.doorbell.kernel.abi.CreateCompChannelResponse;
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
import dev.doorbell.kernel.abi.RegMr;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.RxeCreateQpResponse;
import dev.doorbell.kernel.abi.RxeMmapInfo;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A program as the kernel sees one: it sends command bytes over an open channel. Each method sends one command with
 * sane values, which the caller may change first, and returns the errno; the answers stay in {@link #out} and
 * {@link #driverOut}.
 */
final class Program implements AutoCloseable {
    static final int RC = 2;

    final CommandChannel channel;
    final Arena arena = Arena.ofShared();
    int asynchronousDescriptor;
    MemorySegment in = MemorySegment.NULL;
    MemorySegment out = MemorySegment.NULL;
    MemorySegment driverOut = MemorySegment.NULL;

    private Program(CommandChannel channel) {
        this.channel = channel;
    }

    /** Opens a device without sending anything. */
    static Program open(KernelDevice device) {
        return new Program(device.open());
    }

    /** Opens a device and sends GET_CONTEXT. */
    static Program start(KernelDevice device) {
        Program program = open(device);
        assertThat(program.getContext()).isZero();
        program.asynchronousDescriptor = GetContextResponse.asyncFd(program.out, 0);
        return program;
    }

    /** Changes nothing in a request. */
    static void asIs(MemorySegment in) {}

    /** The driver's part of requests. */
    MemorySegment driverIn = MemorySegment.NULL;

    int send(UverbsCommand command, int inBytes, int outBytes, int driverOutBytes, Consumer<MemorySegment> fill) {
        in = arena.allocate(Math.max(inBytes, 1)).asSlice(0, inBytes);
        fill.accept(in);
        out = arena.allocate(Math.max(outBytes, 1)).asSlice(0, outBytes);
        driverOut = arena.allocate(Math.max(driverOutBytes, 1)).asSlice(0, driverOutBytes);
        return channel.invoke(command, in, out, driverIn, driverOut);
    }

    int send(UverbsCommand command, int inBytes, int outBytes, Consumer<MemorySegment> fill) {
        return send(command, inBytes, outBytes, 0, fill);
    }

    int getContext() {
        return send(UverbsCommand.GET_CONTEXT, GetContext.SIZE, GetContextResponse.SIZE, Program::asIs);
    }

    int allocatePd() {
        return send(UverbsCommand.ALLOC_PD, AllocPd.SIZE, AllocPdResponse.SIZE, Program::asIs);
    }

    /** A new protection domain's handle. */
    int pd() {
        assertThat(allocatePd()).isZero();
        return AllocPdResponse.pdHandle(out, 0);
    }

    /** A new completion channel's descriptor. */
    int completionChannel() {
        assertThat(send(
                        UverbsCommand.CREATE_COMP_CHANNEL,
                        CreateCompChannel.SIZE,
                        CreateCompChannelResponse.SIZE,
                        Program::asIs))
                .isZero();
        return CreateCompChannelResponse.fd(out, 0);
    }

    int createCq(int entries, int channelDescriptor, long cookie, Consumer<MemorySegment> change) {
        return send(UverbsCommand.CREATE_CQ, CreateCq.SIZE, CreateCqResponse.SIZE, RxeMmapInfo.SIZE, in -> {
            CreateCq.setCqe(in, 0, entries);
            CreateCq.setCompChannel(in, 0, channelDescriptor);
            CreateCq.setUserHandle(in, 0, cookie);
            change.accept(in);
        });
    }

    /** A new completion queue's handle. */
    int cq(int entries) {
        assertThat(createCq(entries, -1, 0, Program::asIs)).isZero();
        return CreateCqResponse.cqHandle(out, 0);
    }

    int createQp(int pd, int cq, Consumer<MemorySegment> change) {
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

    /** A new queue pair's handle. */
    int qp(int pd, int cq) {
        assertThat(createQp(pd, cq, Program::asIs)).isZero();
        return CreateQpResponse.qpHandle(out, 0);
    }

    int regMr(int pd, MemorySegment memory, int access, Consumer<MemorySegment> change) {
        return send(UverbsCommand.REG_MR, RegMr.SIZE, RegMrResponse.SIZE, in -> {
            RegMr.setPdHandle(in, 0, pd);
            RegMr.setStart(in, 0, memory.address());
            RegMr.setHcaVa(in, 0, memory.address());
            RegMr.setLength(in, 0, memory.byteSize());
            RegMr.setAccessFlags(in, 0, access);
            change.accept(in);
        });
    }

    int destroyCq(int handle) {
        return send(
                UverbsCommand.DESTROY_CQ,
                DestroyCq.SIZE,
                DestroyCqResponse.SIZE,
                in -> DestroyCq.setCqHandle(in, 0, handle));
    }

    int destroyQp(int handle) {
        return send(
                UverbsCommand.DESTROY_QP,
                DestroyQp.SIZE,
                DestroyQpResponse.SIZE,
                in -> DestroyQp.setQpHandle(in, 0, handle));
    }

    /** Sends a command that is nothing but a handle at the start of its struct. */
    int sendHandle(UverbsCommand command, int handle) {
        return send(command, Integer.BYTES, 0, in -> Host.setInt(in, 0, handle));
    }

    @Override
    public void close() {
        channel.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
