package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.kernel.abi.mlx5.Mlx5AllocPdResponse;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.ExtendedDeviceAttributes;
import dev.doorbell.verbs.PortAttributes;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.ProviderAddressHandle;
import dev.doorbell.verbs.spi.ProviderCompletionQueue;
import dev.doorbell.verbs.spi.ProviderContext;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.spi.ProviderQueuePair;
import dev.doorbell.verbs.spi.ProviderSharedReceiveQueue;
import dev.doorbell.verbs.spi.VerbsFault;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.ContextCommands;
import dev.doorbell.verbs.uverbs.DeviceQueries;
import dev.doorbell.verbs.uverbs.MulticastCommands;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One open device.
 *
 * <p>Thread rules: any method from any thread.
 */
final class Mlx5Context implements ProviderContext {
    private static final Map<Operation, Class<?>> OPERATIONS = Map.ofEntries(
            Map.entry(Operation.QUERY_DEVICE, DeviceQueries.class),
            Map.entry(Operation.QUERY_PORT, DeviceQueries.class),
            Map.entry(Operation.ALLOC_PD, Mlx5Context.class),
            Map.entry(Operation.REG_MR, Mlx5MemoryRegion.class),
            Map.entry(Operation.REREG_MR, Mlx5MemoryRegion.class),
            Map.entry(Operation.ALLOC_MW, Mlx5MemoryWindow.class),
            Map.entry(Operation.BIND_MW, UmrWriter.class),
            Map.entry(Operation.CREATE_COMP_CHANNEL, ContextCommands.class),
            Map.entry(Operation.CREATE_CQ, CompletionQueueCommands.class),
            Map.entry(Operation.CREATE_CQ_EX, CompletionQueueCommands.class),
            Map.entry(Operation.RESIZE_CQ, Mlx5CompletionQueue.class),
            Map.entry(Operation.MODIFY_CQ, CompletionQueueCommands.class),
            Map.entry(Operation.QUERY_RT_VALUES, CoreClock.class),
            Map.entry(Operation.REQ_NOTIFY_CQ, Mlx5CompletionQueue.class),
            Map.entry(Operation.POLL_CQ, Mlx5CompletionQueue.class),
            Map.entry(Operation.CREATE_SRQ, Mlx5SharedReceiveQueue.class),
            Map.entry(Operation.MODIFY_SRQ, Mlx5SharedReceiveQueue.class),
            Map.entry(Operation.QUERY_SRQ, Mlx5SharedReceiveQueue.class),
            Map.entry(Operation.POST_SRQ_RECV, Mlx5SharedReceives.class),
            Map.entry(Operation.CREATE_QP, QueuePairCreation.class),
            Map.entry(Operation.MODIFY_QP, Mlx5QueuePair.class),
            Map.entry(Operation.QUERY_QP, Mlx5QueuePair.class),
            Map.entry(Operation.POST_SEND, Mlx5SendQueue.class),
            Map.entry(Operation.POST_RECV, Mlx5ReceiveQueue.class),
            Map.entry(Operation.CREATE_AH, Mlx5AddressHandle.class),
            Map.entry(Operation.ATTACH_MCAST, MulticastCommands.class),
            Map.entry(Operation.ASYNC_EVENT, Mlx5Context.class));

    private final Mlx5Device device;
    private final CommandChannel channel;
    private final EventFile asyncEvents;
    private final int completionVectors;
    private final @Nullable CoreClock clock;

    Mlx5Context(Mlx5Device device, EventFile asyncEvents, int completionVectors, @Nullable CoreClock clock) {
        this.clock = clock;
        this.device = device;
        this.channel = device.channel();
        this.asyncEvents = asyncEvents;
        this.completionVectors = completionVectors;
    }

    @Override
    public int completionVectors() {
        return completionVectors;
    }

    @Override
    public EventFile asyncEvents() {
        return asyncEvents;
    }

    @Override
    public Map<Operation, Class<?>> operations() {
        return OPERATIONS;
    }

    @Override
    public DeviceAttributes queryDevice() {
        return DeviceQueries.device(channel);
    }

    @Override
    public ExtendedDeviceAttributes queryDeviceExtended() {
        return DeviceQueries.extended(channel);
    }

    @Override
    public boolean offers(Operation operation) {
        return OPERATIONS.containsKey(operation) && (operation != Operation.QUERY_RT_VALUES || clock != null);
    }

    @Override
    public long queryClock() {
        if (clock == null) {
            throw VerbsFault.unsupported(Operation.QUERY_RT_VALUES.name());
        }
        return clock.read();
    }

    @Override
    public PortAttributes queryPort(int port) {
        return DeviceQueries.port(channel, port);
    }

    @Override
    public int allocateProtectionDomain() {
        try (Command command =
                new Command(UverbsCommand.ALLOC_PD, AllocPd.SIZE, AllocPdResponse.SIZE, Mlx5AllocPdResponse.SIZE)) {
            command.send(channel);
            return AllocPdResponse.pdHandle(command.out(), 0);
        }
    }

    @Override
    public void deallocateProtectionDomain(int handle) {
        ContextCommands.deallocateProtectionDomain(channel, handle);
    }

    @Override
    public ProviderMemoryRegion registerMemory(int protectionDomain, MemorySegment memory, long iova, int access) {
        return Mlx5MemoryRegion.register(device, protectionDomain, memory, iova, access);
    }

    @Override
    public ProviderMemoryWindow allocateMemoryWindow(int protectionDomain, int type) {
        return Mlx5MemoryWindow.allocate(device, protectionDomain, type);
    }

    @Override
    public EventFile createCompletionChannel() {
        return ContextCommands.createCompletionChannel(channel);
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, int vector, int eventChannel, long cookie) {
        return createCompletionQueue(new CompletionQueueRequest(entries, vector, eventChannel, cookie, false, false));
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        return CompletionQueueCommands.create(device, request, device.settings().entrySize());
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        return QueuePairCreation.create(device, request);
    }

    @Override
    public ProviderAddressHandle createAddressHandle(int protectionDomain, AddressVector address) {
        return Mlx5AddressHandle.create(device, protectionDomain, address);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(
            int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {
        return Mlx5SharedReceiveQueue.create(
                device, new Mlx5SharedReceiveQueue.Request(protectionDomain, maxWorkRequests, maxSge, limit, cookie));
    }

    /** What the objects share. */
    Mlx5Device device() {
        return device;
    }
}
