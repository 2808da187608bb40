package dev.doorbell.verbs.fake;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Guid;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.PortState;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An open device of the fake driver: sends commands, and executes work requests by itself. */
public final class FakeContext implements ProviderContext {
    /** Queue pairs in the order of their creation. */
    public final List<FakeQueuePair> queuePairs = new ArrayList<>();

    public Mtu activeMtu = Mtu.MTU_1024;

    private final CommandChannel channel;
    private final AtomicInteger handles = new AtomicInteger(1);

    FakeContext(CommandChannel channel) {
        this.channel = channel;
        invoke(UverbsCommand.GET_CONTEXT);
    }

    void invoke(UverbsCommand command) {
        int errno =
                channel.invoke(command, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL);
        if (errno != 0) {
            throw new VerbsFault(errno, command.name());
        }
    }

    int nextHandle() {
        return handles.getAndIncrement();
    }

    @Override
    public int completionVectors() {
        return 2;
    }

    @Override
    public EventFile asyncEvents() {
        return channel.eventFile(42);
    }

    @Override
    public Map<Operation, Class<?>> operations() {
        Map<Operation, Class<?>> operations = new EnumMap<>(Operation.class);
        operations.put(Operation.POST_SEND, FakeQueuePair.class);
        operations.put(Operation.POLL_CQ, FakeCompletionQueue.class);
        return operations;
    }

    @Override
    public DeviceAttributes queryDevice() {
        invoke(UverbsCommand.QUERY_DEVICE);
        return new DeviceAttributes(
                "1.0",
                new Guid(1),
                new Guid(2),
                1L << 40,
                4096,
                1,
                2,
                3,
                100,
                1000,
                0,
                4,
                4,
                10,
                1000,
                100,
                10,
                8,
                0,
                128,
                4,
                0,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                1,
                15,
                1);
    }

    @Override
    public PortAttributes queryPort(int port) {
        invoke(UverbsCommand.QUERY_PORT);
        if (port != 1) {
            throw new VerbsFault(Errno.EINVAL, "QUERY_PORT");
        }
        return new PortAttributes(
                PortState.ACTIVE,
                Mtu.MTU_4096,
                activeMtu,
                16,
                0,
                1L << 31,
                0,
                0,
                1,
                0,
                0,
                0,
                1,
                1,
                5,
                LinkLayer.ETHERNET);
    }

    @Override
    public int allocateProtectionDomain() {
        invoke(UverbsCommand.ALLOC_PD);
        return nextHandle();
    }

    @Override
    public void deallocateProtectionDomain(int handle) {
        invoke(UverbsCommand.DEALLOC_PD);
    }

    @Override
    public ProviderMemoryRegion registerMemory(int protectionDomain, MemorySegment memory, long iova, int access) {
        CommandChannel.Pin pin = channel.pin(memory);
        invoke(UverbsCommand.REG_MR);
        int key = nextHandle();
        return new ProviderMemoryRegion() {
            @Override
            public int lkey() {
                return key;
            }

            @Override
            public int rkey() {
                return key << 8;
            }

            @Override
            public void close() {
                invoke(UverbsCommand.DEREG_MR);
                pin.close();
            }
        };
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, int vector, int descriptor, long cookie) {
        invoke(UverbsCommand.CREATE_CQ);
        if (entries < 1 || entries > 1000 || vector < 0 || vector >= 2) {
            throw new VerbsFault(Errno.EINVAL, "CREATE_CQ");
        }
        return new FakeCompletionQueue(this, nextHandle(), entries);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        invoke(UverbsCommand.CREATE_QP);
        if (request.capacity().maxSendRequests() > 1000 || request.capacity().maxSendSge() > 4) {
            throw new VerbsFault(Errno.EINVAL, "CREATE_QP");
        }
        FakeQueuePair queuePair = new FakeQueuePair(this, channel, nextHandle(), request);
        queuePairs.add(queuePair);
        return queuePair;
    }
}
