package dev.doorbell.soft.hca;

import dev.doorbell.kernel.abi.RxeBindWr;
import dev.doorbell.kernel.abi.RxeFlushWr;
import dev.doorbell.kernel.abi.RxeRdmaWr;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.spec.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Two queue pairs on one device or on two, with the work requests that concern memory itself. */
final class MemoryWork {
    /** REMOTE_WRITE, REMOTE_READ and REMOTE_ATOMIC. */
    static final int REMOTE = 0x0e;

    final Endpoint left;
    final Endpoint right;
    private final Runnable settle;

    private MemoryWork(Endpoint left, Endpoint right, Runnable settle) {
        this.left = left;
        this.right = right;
        this.settle = settle;
        Endpoint.connect(left, right);
    }

    static MemoryWork direct() {
        return direct(new Endpoint.Options());
    }

    static MemoryWork direct(Endpoint.Options options) {
        Device device = new Device(1, new java.util.concurrent.atomic.AtomicLong(1_000_000), null);
        return new MemoryWork(device.endpoint(options), device.endpoint(options), () -> {});
    }

    static MemoryWork wired() {
        return wired(new Endpoint.Options());
    }

    static MemoryWork wired(Endpoint.Options options) {
        return over(new Wire(), options);
    }

    static MemoryWork over(Wire wire, Endpoint.Options options) {
        return new MemoryWork(wire.left.endpoint(options), wire.right.endpoint(options), wire::finish);
    }

    /** Another pair of the same devices. */
    MemoryWork another() {
        return new MemoryWork(left.device.endpoint(), right.device.endpoint(), settle);
    }

    /** Lets everything happen that will. */
    void settle() {
        settle.run();
    }

    Device here() {
        return left.device;
    }

    Device there() {
        return right.device;
    }

    HcaMemoryWindow window(int type) {
        return java.util.Objects.requireNonNull(there().hca.allocateWindow(there().domain, type));
    }

    /** How the one work request ended that was posted at the left. */
    WorkCompletionStatus sent() {
        return outcome(left);
    }

    WorkCompletionStatus outcome(Endpoint endpoint) {
        settle();
        List<Endpoint.Done> done = endpoint.sent();
        if (done.isEmpty()) {
            throw new AssertionError("no completion");
        }
        return done.getFirst().status();
    }

    WorkCompletionStatus bind(HcaMemoryWindow window, Device.Buffer region, long offset, long length, int access) {
        bind(right, window.rkey(), window.rkey() + 1, region.key(), region.address() + offset, length, access);
        return outcome(right);
    }

    static void bind(Endpoint owner, int key, int nextKey, int lkey, long address, long length, int access) {
        long at = owner.prepare(1, WorkRequestOpcode.BIND_MW, Endpoint.SIGNALED);
        MemorySegment ring = owner.sends.memory();
        RxeBindWr.setAddr(ring, at, address);
        RxeBindWr.setLength(ring, at, length);
        RxeBindWr.setMrLkey(ring, at, lkey);
        RxeBindWr.setMwRkey(ring, at, key);
        RxeBindWr.setRkey(ring, at, nextKey);
        RxeBindWr.setAccess(ring, at, access);
        owner.submit();
    }

    WorkCompletionStatus invalidate(int key) {
        long at = right.prepare(2, WorkRequestOpcode.LOCAL_INV, Endpoint.SIGNALED);
        RxeSendWqe.setInvalidateRkey(right.sends.memory(), at, key);
        right.submit();
        return outcome(right);
    }

    void sendInvalidate(int key, Endpoint.Sge... elements) {
        long at = left.prepare(3, WorkRequestOpcode.SEND_WITH_INV, Endpoint.SIGNALED, elements);
        RxeSendWqe.setInvalidateRkey(left.sends.memory(), at, key);
        left.submit();
    }

    WorkCompletionStatus write(int key, long address, Device.Buffer source, long length) {
        left.rdma(4, WorkRequestOpcode.RDMA_WRITE, address, key, Endpoint.sge(source, 0, length));
        return sent();
    }

    WorkCompletionStatus read(int key, long address, Device.Buffer target, long length) {
        left.rdma(5, WorkRequestOpcode.RDMA_READ, address, key, Endpoint.sge(target, 0, length));
        return sent();
    }

    WorkCompletionStatus atomicWrite(int key, long address, long value) {
        postAtomicWrite(key, address, value, Long.BYTES);
        return sent();
    }

    void postAtomicWrite(int key, long address, long value, int length) {
        postAtomicWrite(left, key, address, value, length);
    }

    static void postAtomicWrite(Endpoint from, int key, long address, long value, int length) {
        long at = from.prepare(6, WorkRequestOpcode.ATOMIC_WRITE, Endpoint.SIGNALED);
        MemorySegment ring = from.sends.memory();
        RxeRdmaWr.setRkey(ring, at, key);
        RxeSendWqe.setIova(ring, at, address);
        RxeSendWqe.setDmaLength(ring, at, length);
        Host.setLong(ring, RxeSendWqe.inlineData(at), value);
        from.submit();
    }

    WorkCompletionStatus flush(int key, long address, long length, int placement, int selectivity) {
        postFlush(key, address, length, placement, selectivity);
        return sent();
    }

    void postFlush(int key, long address, long length, int placement, int selectivity) {
        postFlush(left, key, address, length, placement, selectivity);
    }

    static void postFlush(Endpoint from, int key, long address, long length, int placement, int selectivity) {
        long at = from.prepare(7, WorkRequestOpcode.FLUSH, Endpoint.SIGNALED);
        MemorySegment ring = from.sends.memory();
        RxeFlushWr.setRkey(ring, at, key);
        RxeFlushWr.setType(ring, at, placement);
        RxeFlushWr.setLevel(ring, at, selectivity);
        RxeSendWqe.setIova(ring, at, address);
        RxeSendWqe.setDmaLength(ring, at, length);
        from.submit();
    }
}
