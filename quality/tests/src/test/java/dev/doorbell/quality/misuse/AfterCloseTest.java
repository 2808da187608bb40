package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.FlushPlacement;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.AsyncEvents;
import dev.doorbell.verbs.Capability;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.DeviceMemory;
import dev.doorbell.verbs.DeviceObject;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.FlowRule;
import dev.doorbell.verbs.KeyedMemory;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.MemoryWindow;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.RateLimit;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.TagList;
import dev.doorbell.verbs.VendorConnectionOptions;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every public method of everything that can be closed, called after close: it says that the object is closed, or it answers
 * from what it knows. Nothing else, and no crash. A method that is missing in these lists fails the test.
 */
@Timeout(60)
final class AfterCloseTest {
    private static final MemorySegment NATIVE = Arena.global().allocate(64, 8);
    private static final Duration NOW = Duration.ZERO;

    private final Pair pair = Pair.builder().build();
    private final End end = pair.left();
    private final Context context = end.context();
    private final ProtectionDomain domain = end.domain();
    private final CompletionQueue completions = end.completions();
    private final QueuePair queuePair = end.queuePair();
    private final MemoryRegion region = end.region();
    private final RemoteMemory remote = pair.right().region().remote();
    private final Endpoint peer = pair.right().queuePair().endpoint();
    private final AddressVector address = AddressVector.roce(
            peer.gid(), 1, context.chooseGid(1, peer.gid()).entry().index());
    private final CompletionCursor cursor = endedRound(completions);

    private static CompletionCursor endedRound(CompletionQueue queue) {
        CompletionCursor cursor = queue.poll();
        cursor.close();
        return cursor;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void everythingThatCanBeClosedIsHere() {
        Set<String> closeable = new ClassFileImporter()
                .importPackages("dev.doorbell.verbs").stream()
                        .filter(type -> type.getPackageName().equals("dev.doorbell.verbs"))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> type.isAssignableTo(AutoCloseable.class))
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toSet());

        assertThat(closeable)
                .containsExactlyInAnyOrder(
                        "AddressHandle",
                        "CompletionChannel",
                        "CompletionCursor",
                        "CompletionQueue",
                        "Context",
                        "DeviceMemory",
                        "DeviceObject",
                        "KeyedMemory",
                        "MemoryRegion",
                        "MemoryWindow",
                        "ProtectionDomain",
                        "QueuePair",
                        "ReceiveBatch",
                        "RegisteredArena",
                        "SendBatch",
                        "SharedReceiveQueue");
    }

    @Test
    void context() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(4).build();
        MemoryWindow window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        AddressHandle handle = domain.createAddressHandle(peer);
        CompletionChannel channel = context.createCompletionChannel();
        context.close();

        contextAnswers(contextRefuses(new Calls())).check(Context.class);
        assertThat(catchThrowable(() -> context.completionQueue(4).build())).isInstanceOf(ClosedException.class);
        everythingInTheContextIsClosed();
        checkSharedReceiveQueue(shared);
        checkWindow(window);
        checkAddressHandle(handle);
        checkChannel(channel);
    }

    private Calls contextRefuses(Calls calls) {
        return calls.refuses("query()", context::query)
                .refuses("queryExtended()", context::queryExtended)
                .refuses("supports(Capability)", () -> context.supports(Capability.CLOCK))
                .refuses("capabilities()", context::capabilities)
                .refuses("queryClock()", context::queryClock)
                .refuses("allocateDeviceMemory(long,int)", () -> context.allocateDeviceMemory(64, 3))
                .refuses("openXrcDomain(int,int)", () -> context.openXrcDomain(-1, 0))
                .refuses("createIndirectionTable(List)", () -> context.createIndirectionTable(List.of()))
                .refuses("createCounters()", context::createCounters)
                .refuses("readCounters(DeviceObject,int)", () -> {
                    try (Generous other = new Generous()) {
                        context.readCounters(other.context.createCounters(), 1);
                    }
                })
                .refuses("queryPort(int)", () -> context.queryPort(1))
                .refuses("pkeyIndex(int,int)", () -> context.pkeyIndex(1, 0xffff))
                .refuses("gid(int,int)", () -> context.gid(1, 0))
                .refuses(
                        "replyAddress(int,WorkCompletion,MemorySegment,long)",
                        () -> context.replyAddress(1, cursor, NATIVE, 0))
                .refuses("allocateProtectionDomain()", context::allocateProtectionDomain)
                .refuses("createCompletionQueue(int)", () -> context.createCompletionQueue(4))
                .refuses("createCompletionChannel()", context::createCompletionChannel);
    }

    private Calls contextAnswers(Calls calls) {
        return calls.answers("events()", context::events)
                .answers("completionQueue(int)", () -> context.completionQueue(4))
                .answers(
                        "queuePair(int)",
                        () -> assertThat(context.queuePair(queuePair.number())).isEmpty())
                .answers("device()", context::device)
                .answers("driver()", context::driver)
                .answers("driverAbi()", context::driverAbi)
                .answers("coreAbi()", context::coreAbi)
                .answers("commandFile()", context::commandFile)
                .answers("asyncFile()", context::asyncFile)
                .answers("completionVectors()", context::completionVectors)
                .answers("operations()", context::operations)
                .answers("gids(int)", () -> context.gids(1))
                .answers("pkey(int,int)", () -> context.pkey(1, 0))
                .answers("chooseGid(int)", () -> context.chooseGid(1))
                .answers("chooseGid(int,Gid)", () -> context.chooseGid(1, peer.gid()))
                .answers("isOpen()", () -> assertThat(context.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(context.toString()).isNotEmpty())
                .answers("close()", context::close);
    }

    private void everythingInTheContextIsClosed() {
        assertThat(region.isOpen()).isFalse();
        checkDomain();
        checkCompletionQueue();
        checkQueuePair();
        checkRegion();
    }

    @Test
    void protectionDomain() {
        queuePair.close();
        region.close();
        domain.close();

        checkDomain();
    }

    private void checkDomain() {
        domainAnswers(domainRefuses(domainMakesAddressHandles(new Calls()))).check(ProtectionDomain.class);
        assertThat(catchThrowable(
                        () -> domain.queuePair(completions).depth(1, 1).build()))
                .isInstanceOf(ClosedException.class);
        assertThat(catchThrowable(() -> domain.sharedReceiveQueue(1).build())).isInstanceOf(ClosedException.class);
        assertThat(catchThrowable(() -> pair.right()
                        .domain()
                        .register(NATIVE, AccessFlag.LOCAL_WRITE)
                        .reregister()
                        .protectionDomain(domain)
                        .apply()))
                .isInstanceOf(ClosedException.class);
    }

    private Calls domainMakesAddressHandles(Calls calls) {
        return calls.refuses("createAddressHandle(AddressVector)", () -> domain.createAddressHandle(address))
                .refuses("createAddressHandle(Endpoint)", () -> domain.createAddressHandle(peer))
                .refuses("createAddressHandle(Gid)", () -> domain.createAddressHandle(peer.gid()))
                .refuses(
                        "createAddressHandle(WorkCompletion,MemorySlice)",
                        () -> domain.createAddressHandle(cursor, region.slice()));
    }

    private Calls domainRefuses(Calls calls) {
        Set<AccessFlag> nothing = EnumSet.noneOf(AccessFlag.class);
        return calls.refuses("register(MemorySegment,Set)", () -> domain.register(NATIVE, nothing))
                .refuses("register(MemorySegment,AccessFlag[])", () -> domain.register(NATIVE))
                .refuses("register(ByteBuffer,AccessFlag[])", () -> domain.register(ByteBuffer.allocateDirect(64)))
                .refuses("register(MemorySegment,long,Set)", () -> domain.register(NATIVE, 0, nothing))
                .refuses("arena(AccessFlag[])", () -> domain.arena())
                .refuses("arena(long,AccessFlag[])", () -> domain.arena(4096))
                .refuses("allocateMemoryWindow(Type)", () -> domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1))
                .refuses("nullRegion()", domain::nullRegion)
                .refuses(
                        "registerDmaBuffer(int,long,long,long,Set)",
                        () -> domain.registerDmaBuffer(3, 0, 64, 0, nothing))
                .refuses("prefetch(List,boolean,boolean)", () -> domain.prefetch(List.of(), false, false))
                .refuses("threadDomain()", domain::threadDomain)
                .refuses("receiveWorkQueue(CompletionQueue,int,int)", () -> domain.receiveWorkQueue(completions, 1, 1));
    }

    private Calls domainAnswers(Calls calls) {
        return calls.answers("queuePair(CompletionQueue)", () -> domain.queuePair(completions))
                .answers("sharedReceiveQueue(int)", () -> domain.sharedReceiveQueue(1))
                .answers("context()", domain::context)
                .answers("handle()", domain::handle)
                .answers("isOpen()", () -> assertThat(domain.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(domain.toString()).isNotEmpty())
                .answers("close()", domain::close);
    }

    @Test
    void completionQueue() {
        queuePair.close();
        completions.close();

        checkCompletionQueue();
    }

    private void checkCompletionQueue() {
        new Calls()
                .refuses("poll()", completions::poll)
                .refuses("poll(int,CompletionHandler)", () -> completions.poll(1, completion -> {}))
                .refuses("await(int,Duration,CompletionHandler)", () -> completions.await(1, NOW, completion -> {}))
                .refuses(
                        "await(BooleanSupplier,Duration,CompletionHandler)",
                        () -> completions.await(() -> true, NOW, completion -> {}))
                .refuses("awaitSuccess(int,Duration)", () -> completions.awaitSuccess(1, NOW))
                .refuses("arm()", completions::arm)
                .refuses("armSolicited()", completions::armSolicited)
                .refuses("drain(CompletionHandler)", () -> completions.drain(completion -> {}))
                .refuses("moderate(int,Duration)", () -> completions.moderate(1, NOW))
                .refuses("resize(int)", () -> completions.resize(8))
                .answers("channel()", completions::channel)
                .answers("acknowledgedEvents()", completions::acknowledgedEvents)
                .answers("context()", completions::context)
                .answers("handle()", completions::handle)
                .answers("attachment()", completions::attachment)
                .answers("attach(Object)", () -> completions.attach(this))
                .answers("vector()", completions::vector)
                .answers("capacity()", completions::capacity)
                .answers("committed()", completions::committed)
                .answers("isOpen()", () -> assertThat(completions.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(completions.toString()).isNotEmpty())
                .answers("close()", completions::close)
                .check(CompletionQueue.class);
        assertThat(catchThrowable(() ->
                        pair.right().domain().queuePair(completions).depth(1, 1).build()))
                .isInstanceOf(ClosedException.class);
    }

    @Test
    void completionChannel() {
        CompletionChannel channel = context.createCompletionChannel();
        channel.close();

        checkChannel(channel);
    }

    private void checkChannel(CompletionChannel channel) {
        new Calls()
                .refuses("poll()", channel::poll)
                .refuses("await(Duration)", () -> channel.await(NOW))
                .refuses("selectable()", channel::selectable)
                .answers("context()", channel::context)
                .answers("descriptor()", channel::descriptor)
                .answers("isOpen()", () -> assertThat(channel.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(channel.toString()).isNotEmpty())
                .answers("close()", channel::close)
                .check(CompletionChannel.class);
        assertThat(catchThrowable(
                        () -> context.completionQueue(4).channel(channel).build()))
                .isInstanceOf(ClosedException.class);
    }

    @Test
    void asyncEvents() {
        context.close();
        AsyncEvents events = context.events();

        new Calls()
                .refuses("poll()", events::poll)
                .refuses("await(Duration)", () -> events.await(NOW))
                .refuses("selectable()", events::selectable)
                .check(AsyncEvents.class);
    }

    @Test
    void queuePair() {
        queuePair.close();

        checkQueuePair();
    }

    private void checkQueuePair() {
        QueuePairAttributes error =
                QueuePairAttributes.builder().state(QueuePairState.ERROR).build();
        MemorySlice slice = region.slice(0, 8);
        new Calls()
                .refuses("initialize()", queuePair::initialize)
                .refuses("activate()", queuePair::activate)
                .refuses("attachMulticast(Gid)", () -> queuePair.attachMulticast(peer.gid()))
                .refuses("detachMulticast(Gid)", () -> queuePair.detachMulticast(peer.gid()))
                .refuses("connect(Endpoint)", () -> queuePair.connect(peer))
                .refuses("connect(Endpoint,ConnectOptions)", () -> queuePair.connect(peer, ConnectOptions.defaults()))
                .refuses("modify(QueuePairAttributes)", () -> queuePair.modify(error))
                .refuses("query()", queuePair::query)
                .refuses("batch()", queuePair::batch)
                .refuses("receives()", queuePair::receives)
                .refuses("postSend(long,MemorySlice)", () -> queuePair.postSend(1, slice))
                .refuses("postSend(long,MemoryRegion,long,long,int)", () -> queuePair.postSend(1, region, 0, 8, 0))
                .refuses(
                        "postSendInline(long,MemorySegment,long,long,int)",
                        () -> queuePair.postSendInline(1, region.segment(), 0, 8, 0))
                .refuses(
                        "postWrite(long,MemorySlice,RemoteMemory,long)",
                        () -> queuePair.postWrite(1, slice, region.remote(), 0))
                .refuses(
                        "postWrite(long,MemoryRegion,long,long,long,int,int)",
                        () -> queuePair.postWrite(1, region, 0, 8, 0, 0, 0))
                .refuses(
                        "postWriteInline(long,MemorySegment,long,long,long,int,int)",
                        () -> queuePair.postWriteInline(1, region.segment(), 0, 8, 0, 0, 0))
                .refuses(
                        "postRead(long,MemorySlice,RemoteMemory,long)",
                        () -> queuePair.postRead(1, slice, region.remote(), 0))
                .refuses(
                        "postRead(long,MemoryRegion,long,long,long,int,int)",
                        () -> queuePair.postRead(1, region, 0, 8, 0, 0, 0))
                .refuses("postReceive(long,MemorySlice)", () -> queuePair.postReceive(1, slice))
                .refuses("sendSlots()", queuePair::sendSlots)
                .refuses("receiveCredit()", queuePair::receiveCredit)
                .answers("protectionDomain()", queuePair::protectionDomain)
                .answers("sendCompletions()", queuePair::sendCompletions)
                .answers("receiveCompletions()", queuePair::receiveCompletions)
                .answers("sharedReceiveQueue()", queuePair::sharedReceiveQueue)
                .answers("supports(WorkRequestOpcode)", () -> queuePair.supports(WorkRequestOpcode.SEND))
                .answers("type()", queuePair::type)
                .answers("number()", queuePair::number)
                .answers("handle()", queuePair::handle)
                .answers("attachment()", queuePair::attachment)
                .answers("attach(Object)", () -> queuePair.attach(this))
                .answers("capacity()", queuePair::capacity)
                .answers("state()", queuePair::state)
                .answers("endpoint()", queuePair::endpoint)
                .answers("gid()", queuePair::gid)
                .answers("isOpen()", () -> assertThat(queuePair.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(queuePair.toString()).isNotEmpty())
                .answers("close()", () -> queuePair.close())
                .answers("close(Duration)", () -> queuePair.close(NOW))
                .check(QueuePair.class);
        List.<Calls.Call>of(
                        () -> new FlowRule(0, 1, List.of()).attachTo(queuePair),
                        () -> new RateLimit(1, 0, 0).applyTo(queuePair),
                        () -> VendorConnectionOptions.of(queuePair),
                        () -> new VendorConnectionOptions(1, 2, 0).applyTo(queuePair))
                .forEach(call -> assertThat(catchThrowable(call::make)).isInstanceOf(ClosedException.class));
    }

    @Test
    void memoryRegion() {
        region.close();

        checkRegion();
        assertThat(catchThrowable(() -> queuePair.postSend(1, region.slice(0, 8))))
                .isInstanceOf(ClosedException.class);
        assertThat(catchThrowable(() -> queuePair.postReceive(1, region.slice(0, 8))))
                .isInstanceOf(ClosedException.class);
    }

    private void checkRegion() {
        new Calls()
                .answers("reregister()", region::reregister)
                .answers("protectionDomain()", region::protectionDomain)
                .answers("address()", region::address)
                .answers("length()", region::length)
                .answers("lkey()", region::lkey)
                .answers("rkey()", region::rkey)
                .answers("access()", region::access)
                .answers("accessFlags()", region::accessFlags)
                .answers("segment()", region::segment)
                .answers("slice(long,long)", () -> region.slice(0, 8))
                .answers("slice()", () -> region.slice())
                .answers("remote()", region::remote)
                .answers("arena()", region::arena)
                .answers("isOpen()", () -> assertThat(region.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(region.toString()).isNotEmpty())
                .answers("close()", region::close)
                .check(MemoryRegion.class);
        assertThat(catchThrowable(() -> region.reregister()
                        .access(EnumSet.noneOf(AccessFlag.class))
                        .apply()))
                .isInstanceOf(ClosedException.class);
    }

    @Test
    void memoryWindow() {
        MemoryWindow window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        window.close();

        checkWindow(window);
        try (SendBatch batch = queuePair.batch()) {
            assertThat(catchThrowable(() -> batch.invalidate(1, window))).isInstanceOf(ClosedException.class);
        }
    }

    private void checkWindow(MemoryWindow window) {
        Set<AccessFlag> grants = EnumSet.of(AccessFlag.REMOTE_READ);
        new Calls()
                .refuses("remote()", window::remote)
                .refuses(
                        "bind(QueuePair,long,MemorySlice,Set)",
                        () -> window.bind(queuePair, 1, region.slice(0, 8), grants))
                .answers("protectionDomain()", window::protectionDomain)
                .answers("type()", window::type)
                .answers("rkey()", window::rkey)
                .answers("isBound()", window::isBound)
                .answers("isOpen()", () -> assertThat(window.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(window.toString()).isNotEmpty())
                .answers("close()", window::close)
                .check(MemoryWindow.class);
    }

    @Test
    void addressHandle() {
        AddressHandle handle = domain.createAddressHandle(peer);
        handle.close();

        checkAddressHandle(handle);
    }

    private void checkAddressHandle(AddressHandle handle) {
        new Calls()
                .answers("protectionDomain()", handle::protectionDomain)
                .answers("address()", handle::address)
                .answers("maxBytes()", handle::maxBytes)
                .answers("isOpen()", () -> assertThat(handle.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(handle.toString()).isNotEmpty())
                .answers("close()", handle::close)
                .check(AddressHandle.class);
    }

    @Test
    void sharedReceiveQueue() {
        SharedReceiveQueue shared = domain.sharedReceiveQueue(4).build();
        ReceiveBatch batch = shared.receives();
        batch.close();
        shared.close();

        checkSharedReceiveQueue(shared);
        checkReceiveBatch(batch);
    }

    private void checkSharedReceiveQueue(SharedReceiveQueue shared) {
        new Calls()
                .refuses("receives()", shared::receives)
                .refuses("postReceive(long,MemorySlice)", () -> shared.postReceive(1, region.slice(0, 8)))
                .refuses("receiveCredit()", shared::receiveCredit)
                .refuses("armLimit(int)", () -> shared.armLimit(1))
                .refuses("resize(int)", () -> shared.resize(8))
                .refuses("query()", shared::query)
                .refuses("number()", shared::number)
                .refuses("changeTags(TagList)", () -> shared.changeTags(new TagList.Remove(1, 2)))
                .answers("protectionDomain()", shared::protectionDomain)
                .answers("handle()", shared::handle)
                .answers("attachment()", shared::attachment)
                .answers("attach(Object)", () -> shared.attach(this))
                .answers("maxSge()", shared::maxSge)
                .answers("isOpen()", () -> assertThat(shared.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(shared.toString()).isNotEmpty())
                .answers("close()", shared::close)
                .check(SharedReceiveQueue.class);
        assertThat(catchThrowable(() -> domain.queuePair(completions)
                        .sharedReceiveQueue(shared)
                        .depth(1, 0)
                        .build()))
                .isInstanceOf(ClosedException.class);
    }

    /** A device with what no device of ours has. */
    private static final class Generous implements AutoCloseable {
        private final SoftNetwork network = SoftNetwork.builder().devices(1).build();
        private final Context context = DeviceCatalog.of(
                        List.of(network),
                        DeviceCatalog.installed().providers().stream()
                                .map(GenerousDriver::new)
                                .toList())
                .devices()
                .getFirst()
                .open();
        private final ProtectionDomain domain = context.allocateProtectionDomain();

        @Override
        public void close() {
            context.close();
            network.close();
        }
    }

    @Test
    void whatHardlyAnyDeviceHas() {
        try (Generous device = new Generous()) {
            DeviceMemory memory = device.context.allocateDeviceMemory(64, 3);
            KeyedMemory nothing = device.domain.nullRegion();
            DeviceObject counters = device.context.createCounters();
            memory.close();
            nothing.close();
            counters.close();

            new Calls()
                    .refuses("write(long,MemorySegment)", () -> memory.write(0, NATIVE))
                    .refuses("read(long,MemorySegment)", () -> memory.read(0, NATIVE))
                    .refuses(
                            "register(ProtectionDomain,long,long,Set)",
                            () -> memory.register(device.domain, 0, 8, EnumSet.noneOf(AccessFlag.class)))
                    .answers("length()", memory::length)
                    .answers("isOpen()", () -> assertThat(memory.isOpen()).isFalse())
                    .answers("toString()", () -> assertThat(memory.toString()).isNotEmpty())
                    .answers("close()", memory::close)
                    .check(DeviceMemory.class);
            new Calls()
                    .answers("address()", nothing::address)
                    .answers("length()", nothing::length)
                    .answers("lkey()", nothing::lkey)
                    .answers("remote()", nothing::remote)
                    .answers("isOpen()", () -> assertThat(nothing.isOpen()).isFalse())
                    .answers("toString()", () -> assertThat(nothing.toString()).isNotEmpty())
                    .answers("close()", nothing::close)
                    .check(KeyedMemory.class);
            new Calls()
                    .answers("handle()", counters::handle)
                    .answers("isOpen()", () -> assertThat(counters.isOpen()).isFalse())
                    .answers("toString()", () -> assertThat(counters.toString()).isNotEmpty())
                    .answers("close()", counters::close)
                    .check(DeviceObject.class);
        }
    }

    @Test
    void registeredArena() {
        RegisteredArena arena = domain.arena(AccessFlag.LOCAL_WRITE);
        MemorySegment memory = arena.allocate(64);
        arena.close();

        new Calls()
                .refuses("allocate(long,long)", () -> arena.allocate(8, 8))
                .refuses("allocateSlice(long)", () -> arena.allocateSlice(8))
                .refuses("allocateSlice(long,long)", () -> arena.allocateSlice(8, 8))
                .answers("slice(MemorySegment)", () -> arena.slice(memory))
                .answers("regions()", arena::regions)
                .answers("scope()", () -> assertThat(arena.scope().isAlive()).isFalse())
                .answers("isOpen()", () -> assertThat(arena.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(arena.toString()).isNotEmpty())
                .answers("close()", arena::close)
                .check(RegisteredArena.class);
        assertThat(catchThrowable(() -> arena.allocate(8))).isInstanceOf(ClosedException.class);
        assertThat(catchThrowable(() -> queuePair.postSend(1, arena.slice(memory))))
                .isInstanceOf(ClosedException.class);
        assertThat(catchThrowable(() -> memory.get(ValueLayout.JAVA_BYTE, 0)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sendBatch() {
        SendBatch batch = queuePair.batch();
        batch.close();
        queuePair.close();

        describesWorkRequests(batch, remotes(batch, opensWorkRequests(batch, new Calls())))
                .check(SendBatch.class);
    }

    private Calls opensWorkRequests(SendBatch batch, Calls calls) {
        return calls.refuses("send(long)", () -> batch.send(1))
                .refuses("sendWithImmediate(long,int)", () -> batch.sendWithImmediate(1, 2))
                .refuses("write(long,long,int)", () -> batch.write(1, 8, 2))
                .refuses("write(long,RemoteMemory,long)", () -> batch.write(1, remote, 0))
                .refuses("writeWithImmediate(long,long,int,int)", () -> batch.writeWithImmediate(1, 8, 2, 3))
                .refuses(
                        "writeWithImmediate(long,RemoteMemory,long,int)",
                        () -> batch.writeWithImmediate(1, remote, 0, 3))
                .refuses("read(long,long,int)", () -> batch.read(1, 8, 2))
                .refuses("read(long,RemoteMemory,long)", () -> batch.read(1, remote, 0))
                .refuses("compareAndSwap(long,long,int,long,long)", () -> batch.compareAndSwap(1, 8, 2, 3, 4))
                .refuses(
                        "compareAndSwap(long,RemoteMemory,long,long,long)",
                        () -> batch.compareAndSwap(1, remote, 0, 3, 4))
                .refuses("fetchAndAdd(long,long,int,long)", () -> batch.fetchAndAdd(1, 8, 2, 3))
                .refuses("fetchAndAdd(long,RemoteMemory,long,long)", () -> batch.fetchAndAdd(1, remote, 0, 3));
    }

    private Calls remotes(SendBatch batch, Calls calls) {
        MemorySlice slice = region.slice(0, 8);
        MemoryWindow window = pair.right().domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
        Set<AccessFlag> grants = EnumSet.of(AccessFlag.REMOTE_READ);
        return calls.refuses("sendWithInvalidate(long,int)", () -> batch.sendWithInvalidate(1, 2))
                .refuses("atomicWrite(long,long,int,long)", () -> batch.atomicWrite(1, 8, 2, 3))
                .refuses("atomicWrite(long,RemoteMemory,long,long)", () -> batch.atomicWrite(1, remote, 0, 3))
                .refuses(
                        "flush(long,RemoteMemory,FlushPlacement)",
                        () -> batch.flush(1, remote, FlushPlacement.GLOBAL_VISIBILITY))
                .refuses(
                        "flush(long,long,long,int,FlushPlacement)",
                        () -> batch.flush(1, 8, 8, 2, FlushPlacement.GLOBAL_VISIBILITY))
                .refuses(
                        "flushAll(long,int,FlushPlacement)",
                        () -> batch.flushAll(1, 2, FlushPlacement.GLOBAL_VISIBILITY))
                .refuses(
                        "bind(long,MemoryWindow,MemoryRegion,long,long,int)",
                        () -> batch.bind(1, window, region, 0, 8, 0))
                .refuses("bind(long,MemoryWindow,MemorySlice,Set)", () -> batch.bind(1, window, slice, grants))
                .refuses("unbind(long,MemoryWindow)", () -> batch.unbind(1, window))
                .refuses("invalidate(long,MemoryWindow)", () -> batch.invalidate(1, window))
                .refuses("invalidate(long,int)", () -> batch.invalidate(1, 2));
    }

    private Calls describesWorkRequests(SendBatch batch, Calls calls) {
        MemorySlice slice = region.slice(0, 8);
        AddressHandle handle = pair.right().domain().createAddressHandle(peer);
        return calls.refuses("room()", batch::room)
                .refuses("size()", batch::size)
                .refuses("to(AddressHandle,int,int)", () -> batch.to(handle, 1, 2))
                .refuses("to(AddressHandle,Endpoint)", () -> batch.to(handle, peer))
                .refuses("sge(MemorySlice)", () -> batch.sge(slice))
                .refuses("sge(MemoryRegion,long,long)", () -> batch.sge(region, 0, 8))
                .refuses("sge(long,long,int)", () -> batch.sge(8, 8, 8))
                .refuses("inline(MemorySegment,long,long)", () -> batch.inline(NATIVE, 0, 8))
                .refuses("signaled()", batch::signaled)
                .refuses("solicited()", batch::solicited)
                .refuses("fence()", batch::fence)
                .refuses("submit()", batch::submit)
                .answers("close()", batch::close);
    }

    @Test
    void receiveBatch() {
        ReceiveBatch batch = queuePair.receives();
        batch.close();
        queuePair.close();

        checkReceiveBatch(batch);
    }

    private void checkReceiveBatch(ReceiveBatch batch) {
        MemorySlice slice = region.slice(0, 8);
        new Calls()
                .refuses("room()", batch::room)
                .refuses("size()", batch::size)
                .refuses("receive(long)", () -> batch.receive(1))
                .refuses("sge(MemorySlice)", () -> batch.sge(slice))
                .refuses("sge(MemoryRegion,long,long)", () -> batch.sge(region, 0, 8))
                .refuses("sge(long,long,int)", () -> batch.sge(8, 8, 8))
                .refuses("submit()", batch::submit)
                .answers("close()", batch::close)
                .check(ReceiveBatch.class);
    }

    /** A batch that is open while its queue pair is closed by the same thread. */
    @Test
    void batchesThatStayOpen() {
        SendBatch sends = queuePair.batch();
        ReceiveBatch receives = queuePair.receives();
        sends.write(1, remote, 0).sge(region, 0, 8);
        receives.receive(2).sge(region, 0, 8);

        queuePair.close();

        assertThat(catchThrowable(sends::submit)).isInstanceOf(ClosedException.class);
        assertThat(catchThrowable(receives::submit)).isInstanceOf(ClosedException.class);
        sends.close();
        receives.close();
    }

    @Test
    void completionCursor() {
        queuePair.close();
        completions.close();

        new Calls()
                .refuses("next()", cursor::next)
                .refuses("id()", cursor::id)
                .refuses("status()", cursor::status)
                .refuses("statusCode()", cursor::statusCode)
                .refuses("isSuccess()", cursor::isSuccess)
                .refuses("vendorError()", cursor::vendorError)
                .refuses("queuePairNumber()", cursor::queuePairNumber)
                .refuses("queuePair()", cursor::queuePair)
                .refuses("opcode()", cursor::opcode)
                .refuses("byteLength()", cursor::byteLength)
                .refuses("flags()", cursor::flags)
                .refuses("hasImmediate()", cursor::hasImmediate)
                .refuses("immediate()", cursor::immediate)
                .refuses("invalidatedRkey()", cursor::invalidatedRkey)
                .refuses("hasGrh()", cursor::hasGrh)
                .refuses("timestamp()", cursor::timestamp)
                .refuses("wallclockNs()", cursor::wallclockNs)
                .refuses("sourceQueuePair()", cursor::sourceQueuePair)
                .refuses("sourceLid()", cursor::sourceLid)
                .refuses("serviceLevel()", cursor::serviceLevel)
                .refuses("destinationPathBits()", cursor::destinationPathBits)
                .refuses("requireSuccess()", cursor::requireSuccess)
                .refuses("describe()", cursor::describe)
                .refuses("copy()", cursor::copy)
                .answers("completionQueue()", cursor::completionQueue)
                .answers("toString()", () -> assertThat(cursor.toString()).isNotEmpty())
                .answers("close()", cursor::close)
                .check(CompletionCursor.class);
    }
}
