package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A ring of completions between a device that is the test's thread and whoever polls. */
public final class FakeCompletionQueue implements ProviderCompletionQueue {
    private final FakeContext context;
    private final int handle;
    private final int capacity;
    private final long[] ids;
    private final int[] statuses;
    private final int[] numbers;
    private final int[] opcodes;
    private final int[] lengths;
    private final int[] flags;
    private final int[] immediates;
    private final AtomicInteger produced = new AtomicInteger();
    private int consumed;
    private boolean standing;
    private volatile boolean closed;

    FakeCompletionQueue(FakeContext context, int handle, int capacity) {
        this.context = context;
        this.handle = handle;
        this.capacity = capacity;
        int size = Integer.highestOneBit(capacity * 2);
        this.ids = new long[size];
        this.statuses = new int[size];
        this.numbers = new int[size];
        this.opcodes = new int[size];
        this.lengths = new int[size];
        this.flags = new int[size];
        this.immediates = new int[size];
    }

    /** Reports a completion, as a device does. */
    public void complete(long id, int status, int number, int opcode, int length) {
        complete(id, status, number, opcode, length, 0, 0);
    }

    /** Reports a completion, as a device does. */
    public void complete(long id, int status, int number, int opcode, int length, int flag, int immediate) {
        int at = produced.get() & ids.length - 1;
        ids[at] = id;
        statuses[at] = status;
        numbers[at] = number;
        opcodes[at] = opcode;
        lengths[at] = length;
        flags[at] = flag;
        immediates[at] = immediate;
        produced.incrementAndGet();
    }

    private int at() {
        if (closed) {
            throw new IllegalStateException("a field was read after the ring was unmapped");
        }
        return consumed & ids.length - 1;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public boolean next() {
        end();
        standing = consumed != produced.get();
        return standing;
    }

    @Override
    public void end() {
        at();
        if (standing) {
            consumed++;
            standing = false;
        }
    }

    @Override
    public long id() {
        return ids[at()];
    }

    @Override
    public int status() {
        return statuses[at()];
    }

    @Override
    public int vendorError() {
        return statuses[at()] == 0 ? 0 : 0x77;
    }

    @Override
    public int queuePairNumber() {
        return numbers[at()];
    }

    @Override
    public int opcode() {
        return opcodes[at()];
    }

    @Override
    public long byteLength() {
        return lengths[at()];
    }

    @Override
    public int flags() {
        return flags[at()];
    }

    @Override
    public int immediate() {
        return immediates[at()];
    }

    @Override
    public int sourceQueuePair() {
        return at() * 0 + 5;
    }

    @Override
    public int slid() {
        return at() * 0 + 6;
    }

    @Override
    public int serviceLevel() {
        return at() * 0 + 7;
    }

    @Override
    public int dlidPathBits() {
        return at() * 0 + 8;
    }

    @Override
    public int pkeyIndex() {
        return at() * 0;
    }

    @Override
    public void close() {
        context.invoke(UverbsCommand.DESTROY_CQ);
        closed = true;
    }
}
