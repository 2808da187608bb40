package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.EventFile;
import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.linux.syscall.RecordFile;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * An open device of the library.
 *
 * <p>Thread rules: any method from any thread.
 */
final class LibraryContext implements ProviderContext {
    private static final Map<Operation, Class<?>> OPERATIONS = Map.ofEntries(
            Map.entry(Operation.QUERY_DEVICE, LibraryContext.class),
            Map.entry(Operation.QUERY_PORT, LibraryContext.class),
            Map.entry(Operation.ALLOC_PD, LibraryContext.class),
            Map.entry(Operation.REG_MR, LibraryRegion.class),
            Map.entry(Operation.REREG_MR, LibraryRegion.class),
            Map.entry(Operation.ALLOC_MW, LibraryWindow.class),
            Map.entry(Operation.BIND_MW, LibrarySendQueue.class),
            Map.entry(Operation.CREATE_COMP_CHANNEL, ChannelRecords.class),
            Map.entry(Operation.CREATE_CQ, LibraryCompletionQueue.class),
            Map.entry(Operation.RESIZE_CQ, LibraryCompletionQueue.class),
            Map.entry(Operation.MODIFY_CQ, LibraryCompletionQueue.class),
            Map.entry(Operation.REQ_NOTIFY_CQ, LibraryCompletionQueue.class),
            Map.entry(Operation.POLL_CQ, LibraryCompletionQueue.class),
            Map.entry(Operation.CREATE_SRQ, LibrarySharedReceiveQueue.class),
            Map.entry(Operation.MODIFY_SRQ, LibrarySharedReceiveQueue.class),
            Map.entry(Operation.QUERY_SRQ, LibrarySharedReceiveQueue.class),
            Map.entry(Operation.POST_SRQ_RECV, LibraryReceiveQueue.class),
            Map.entry(Operation.CREATE_QP, LibraryQueuePair.class),
            Map.entry(Operation.MODIFY_QP, LibraryQueuePair.class),
            Map.entry(Operation.QUERY_QP, LibraryQueuePair.class),
            Map.entry(Operation.POST_SEND, LibrarySendQueue.class),
            Map.entry(Operation.POST_RECV, LibraryReceiveQueue.class),
            Map.entry(Operation.CREATE_AH, LibraryAddressHandle.class),
            Map.entry(Operation.ATTACH_MCAST, LibraryQueuePair.class),
            Map.entry(Operation.ASYNC_EVENT, AsyncRecords.class));

    private static final int MOST_ERRNO = 4096;

    private final LibraryChannel channel;
    private final int driverId;
    private final DataPath path;
    private final ObjectTable objects = new ObjectTable();
    private final PostingTable postings = new PostingTable();
    private final RecordFile asyncEvents;

    private LibraryContext(LibraryChannel channel, int driverId) {
        this.channel = channel;
        this.driverId = driverId;
        this.path = new DataPath(channel.context());
        this.asyncEvents = AsyncRecords.of(channel.library(), channel.context());
    }

    static LibraryContext open(LibraryChannel channel, int driverId) {
        try {
            return new LibraryContext(channel, driverId);
        } catch (KernelException e) {
            throw new VerbsFault(e.errno(), "ASYNC_EVENT: " + e.getMessage(), e);
        }
    }

    VerbsLibrary library() {
        return channel.library();
    }

    DataPath path() {
        return path;
    }

    ObjectTable objects() {
        return objects;
    }

    PostingTable postings() {
        return postings;
    }

    Draining draining() {
        return channel.draining();
    }

    @Override
    public int completionVectors() {
        return Math.max(channel.context().completionVectors(), 1);
    }

    @Override
    public EventFile asyncEvents() {
        return asyncEvents;
    }

    @Override
    public Map<Operation, Class<?>> operations() {
        return OPERATIONS;
    }

    /** The driver's table says what there is; what it does not say is known of the drivers. */
    @Override
    public boolean offers(Operation operation) {
        return switch (operation) {
            case ALLOC_MW, BIND_MW -> path.hasWindows();
            case MODIFY_CQ -> path.hasModeration();
            case CREATE_SRQ, MODIFY_SRQ, QUERY_SRQ, POST_SRQ_RECV -> path.hasSharedReceives();
            case REREG_MR -> driverId != DriverId.RXE && driverId != DriverId.SIW;
            default -> OPERATIONS.containsKey(operation);
        };
    }

    @Override
    public DeviceAttributes queryDevice() {
        return queryDeviceExtended().base();
    }

    @Override
    public ExtendedDeviceAttributes queryDeviceExtended() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment extended = arena.allocate(DeviceAttr.EXTENDED_SIZE, Long.BYTES);
            int errno = path.queryExtended(channel.context().address(), extended);
            if (errno == 0) {
                return DeviceAttr.readExtended(extended);
            }
            if (errno != Errno.EOPNOTSUPP && errno != Errno.ENOSYS) {
                throw new VerbsFault(errno, "EX_QUERY_DEVICE");
            }
            MemorySegment plain = arena.allocate(DeviceAttr.SIZE, Long.BYTES);
            library().check(Function.QUERY_DEVICE, channel.context().address(), plain.address());
            return ExtendedDeviceAttributes.of(DeviceAttr.read(plain, 0));
        }
    }

    @Override
    public PortAttributes queryPort(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(2L * PortAttr.SIZE, Long.BYTES);
            library().check(Function.QUERY_PORT, channel.context().address(), port, attributes.address());
            return PortAttr.read(attributes);
        }
    }

    @Override
    public int allocateProtectionDomain() {
        long domain = library().make(Function.ALLOC_PD, channel.context().address());
        int handle = Foreign.intAt(domain + Heads.PD_HANDLE);
        objects.putDomain(handle, domain);
        return handle;
    }

    @Override
    public void deallocateProtectionDomain(int handle) {
        library().check(Function.DEALLOC_PD, objects.domain(handle));
        objects.removeDomain(handle);
    }

    @Override
    public ProviderMemoryRegion registerMemory(int protectionDomain, MemorySegment memory, long iova, int access) {
        return LibraryRegion.register(channel, objects, protectionDomain, memory, iova, access);
    }

    @Override
    public ProviderMemoryWindow allocateMemoryWindow(int protectionDomain, int type) {
        long window = path.allocateWindow(objects.domain(protectionDomain), type);
        if (window < 0 && window > -MOST_ERRNO) {
            throw new VerbsFault((int) -window, "ALLOC_MW");
        }
        return new LibraryWindow(path, objects, window);
    }

    @Override
    public EventFile createCompletionChannel() {
        try {
            return ChannelRecords.create(library(), objects, channel.context());
        } catch (KernelException e) {
            throw new VerbsFault(e.errno(), "CREATE_COMP_CHANNEL: " + e.getMessage(), e);
        }
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, int vector, int eventChannel, long cookie) {
        long queue = library()
                .make(
                        Function.CREATE_CQ,
                        channel.context().address(),
                        entries,
                        cookie,
                        objects.channel(eventChannel),
                        vector);
        if (Foreign.longAt(queue + Heads.CQ_COOKIE) != cookie || Foreign.intAt(queue + Heads.CQ_ENTRIES) < entries) {
            library().number(Function.DESTROY_CQ, queue);
            throw ContextStruct.mismatch("completion queue");
        }
        return new LibraryCompletionQueue(library(), path, postings, driverId == DriverId.RXE, queue);
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairRequest request) {
        return LibraryQueuePair.create(this, request);
    }

    @Override
    public ProviderAddressHandle createAddressHandle(int protectionDomain, AddressVector address) {
        return LibraryAddressHandle.create(library(), objects, protectionDomain, address);
    }

    @Override
    public ProviderSharedReceiveQueue createSharedReceiveQueue(
            int protectionDomain, int maxWorkRequests, int maxSge, int limit, long cookie) {
        return LibrarySharedReceiveQueue.create(this, protectionDomain, maxWorkRequests, maxSge, limit, cookie);
    }
}
