package dev.doorbell.rxe;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.abi.AllocPd;
import dev.doorbell.kernel.abi.AllocPdResponse;
import dev.doorbell.kernel.abi.GetContext;
import dev.doorbell.kernel.abi.GetContextResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
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
import dev.doorbell.verbs.uverbs.AllocatedWindow;
import dev.doorbell.verbs.uverbs.Command;
import dev.doorbell.verbs.uverbs.ContextCommands;
import dev.doorbell.verbs.uverbs.DeviceQueries;
import dev.doorbell.verbs.uverbs.MulticastCommands;
import dev.doorbell.verbs.uverbs.QueuePairCommands;
import dev.doorbell.verbs.uverbs.RegisteredRegion;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * One open device. It has no state but what GET_CONTEXT said: objects are the kernel's, and each wraps its own handle.
 *
 * <p>Thread rules: any method from any thread.
 */
final class RxeContext implements ProviderContext {
    private static final Map<Operation, Class<?>> OPERATIONS = Map.ofEntries(
            Map.entry(Operation.QUERY_DEVICE, DeviceQueries.class),
            Map.entry(Operation.QUERY_PORT, DeviceQueries.class),
            Map.entry(Operation.ALLOC_PD, RxeContext.class),
            Map.entry(Operation.REG_MR, RegisteredRegion.class),
            Map.entry(Operation.REREG_MR, RegisteredRegion.class),
            Map.entry(Operation.BIND_MW, RxeSendQueue.class),
            Map.entry(Operation.ALLOC_MW, AllocatedWindow.class),
            Map.entry(Operation.CREATE_COMP_CHANNEL, ContextCommands.class),
            Map.entry(Operation.CREATE_CQ, CompletionQueueCommands.class),
            Map.entry(Operation.CREATE_CQ_EX, CompletionQueueCommands.class),
            Map.entry(Operation.QUERY_RT_VALUES, DeviceQueries.class),
            Map.entry(Operation.RESIZE_CQ, CompletionQueueCommands.class),
            Map.entry(Operation.REQ_NOTIFY_CQ, RxeCompletionQueue.class),
            Map.entry(Operation.POLL_CQ, RxeCompletionQueue.class),
            Map.entry(Operation.CREATE_SRQ, RxeSharedReceiveQueue.class),
            Map.entry(Operation.MODIFY_SRQ, RxeSharedReceiveQueue.class),
            Map.entry(Operation.QUERY_SRQ, RxeSharedReceiveQueue.class),
            Map.entry(Operation.POST_SRQ_RECV, RxeReceiveQueue.class),
            Map.entry(Operation.CREATE_QP, QueuePairCreation.class),
            Map.entry(Operation.MODIFY_QP, QueuePairCommands.class),
            Map.entry(Operation.QUERY_QP, QueuePairCommands.class),
            Map.entry(Operation.POST_SEND, RxeSendQueue.class),
            Map.entry(Operation.POST_RECV, RxeReceiveQueue.class),
            Map.entry(Operation.CREATE_AH, RxeAddressHandle.class),
            Map.entry(Operation.ATTACH_MCAST, MulticastCommands.class),
            Map.entry(Operation.ASYNC_EVENT, RxeContext.class));

    private final CommandChannel channel;
    private final EventFile asyncEvents;
    private final int completionVectors;

    private RxeContext(CommandChannel channel, EventFile asyncEvents, int completionVectors) {
        this.channel = channel;
        this.asyncEvents = asyncEvents;
        this.completionVectors = completionVectors;
    }

    /** GET_CONTEXT, which must be the first command on a channel. There is nothing to map. */
    static RxeContext open(CommandChannel channel) {
        try (Command command = new Command(UverbsCommand.GET_CONTEXT, GetContext.SIZE, GetContextResponse.SIZE)) {
            command.send(channel);
            int vectors = GetContextResponse.numCompVectors(command.out(), 0);
            if (vectors < 1) {
                throw new VerbsFault(Errno.EIO, UverbsCommand.GET_CONTEXT.name() + ": " + vectors + " vectors");
            }
            return new RxeContext(
                    channel,
                    ContextCommands.eventFile(
                            channel, GetContextResponse.asyncFd(command.out(), 0), UverbsCommand.GET_CONTEXT),
                    vectors);
        }
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
    public PortAttributes queryPort(int port) {
        return DeviceQueries.port(channel, port);
    }

    @Override
    public int allocateProtectionDomain() {
        try (Command command = new Command(UverbsCommand.ALLOC_PD, AllocPd.SIZE, AllocPdResponse.SIZE)) {
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
        return RegisteredRegion.register(channel, protectionDomain, memory, iova, access);
    }

    @Override
    public ProviderMemoryWindow allocateMemoryWindow(int protectionDomain, int type) {
        return AllocatedWindow.allocate(channel, protectionDomain, type);
    }

    @Override
    public EventFile createCompletionChannel() {
        return ContextCommands.createCompletionChannel(channel);
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, int vector, int eventChannel, long cookie) {
        return CompletionQueueCommands.create(channel, entries, vector, eventChannel, cookie);
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(CompletionQueueRequest request) {
        return request.timestamps() || request.ignoreOverrun()
                ? CompletionQueueCommands.createExtended(channel, request)
                : createCompletionQueue(request.entries(), request.vector(), request.channel(), request.cookie());
    }

    @Override
    public boolean offers(Operation operation) {
        return operation == Operation.REREG_MR
                ? RegisteredRegion.canReregister(channel)
                : OPERATIONS.containsKey(operation);
    }

    @Override
    public ExtendedDeviceAttributes queryDeviceExtended() {
        return DeviceQueries.extended(channel);
    }

    @Override
    public long queryClock() {
        return DeviceQueries.clock(channel);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        return QueuePairCreation.create(channel, request);
    }

    @Override
    public ProviderAddressHandle createAddressHandle(int protectionDomain, AddressVector address) {
        return RxeAddressHandle.create(channel, protectionDomain, address);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(
            int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {
        return RxeSharedReceiveQueue.create(
                channel, new RxeSharedReceiveQueue.Request(protectionDomain, maxWorkRequests, maxSge, limit, cookie));
    }
}
