package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.verbs.AsyncEvents;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionChannel;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.RegisteredArena;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

    /** A call that a list names; what it returns does not matter. */
    @FunctionalInterface
    private interface Call {
        void make();
    }

    /** The calls of a type, by signature. */
    private static final class Calls {
        private final Map<String, Call> refused = new LinkedHashMap<>();
        private final Map<String, Call> answered = new LinkedHashMap<>();

        /** It throws {@link ClosedException}. */
        Calls refuses(String signature, Call call) {
            refused.put(signature, call);
            return this;
        }

        /** It answers as before. */
        Calls answers(String signature, Call call) {
            answered.put(signature, call);
            return this;
        }

        void check(Class<?>... types) {
            Set<String> listed = new TreeSet<>(refused.keySet());
            listed.addAll(answered.keySet());
            assertThat(listed).as("public methods of %s", types[0]).isEqualTo(publicMethods(types));
            refused.forEach((signature, call) -> assertThat(catchThrowable(call::make))
                    .as("%s.%s after close", types[0].getSimpleName(), signature)
                    .isInstanceOfSatisfying(ClosedException.class, closed -> {
                        assertThat(closed.errnoName()).isEqualTo("EBADF");
                        assertThat(closed.object()).isNotEmpty();
                        assertThat(closed.remedy()).isNotEmpty();
                    }));
            answered.forEach((signature, call) -> assertThat(catchThrowable(call::make))
                    .as("%s.%s after close", types[0].getSimpleName(), signature)
                    .isNull());
        }

        private static Set<String> publicMethods(Class<?>... types) {
            return new ClassFileImporter()
                    .importClasses(types).stream()
                            .flatMap(type -> type.getMethods().stream())
                            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                            .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
                            .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                            .map(Calls::signature)
                            .collect(Collectors.toCollection(TreeSet::new));
        }

        private static String signature(JavaMethod method) {
            return method.getName()
                    + method.getRawParameterTypes().stream()
                            .map(JavaClass::getSimpleName)
                            .collect(Collectors.joining(",", "(", ")"));
        }
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
                        "CompletionChannel",
                        "CompletionCursor",
                        "CompletionQueue",
                        "Context",
                        "MemoryRegion",
                        "ProtectionDomain",
                        "QueuePair",
                        "ReceiveBatch",
                        "RegisteredArena",
                        "SendBatch");
    }

    @Test
    void context() {
        context.close();

        new Calls()
                .refuses("query()", context::query)
                .refuses("queryPort(int)", () -> context.queryPort(1))
                .refuses("allocateProtectionDomain()", context::allocateProtectionDomain)
                .refuses("createCompletionQueue(int)", () -> context.createCompletionQueue(4))
                .refuses("createCompletionChannel()", context::createCompletionChannel)
                .answers("events()", context::events)
                .answers("completionQueue(int)", () -> context.completionQueue(4))
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
                .answers("isOpen()", () -> assertThat(context.isOpen()).isFalse())
                .answers("toString()", () -> assertThat(context.toString()).isNotEmpty())
                .answers("close()", context::close)
                .check(Context.class);
        assertThat(catchThrowable(() -> context.completionQueue(4).build())).isInstanceOf(ClosedException.class);
        everythingInTheContextIsClosed();
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
        new Calls()
                .refuses("register(MemorySegment,Set)", () -> domain.register(NATIVE, EnumSet.noneOf(AccessFlag.class)))
                .refuses("register(MemorySegment,AccessFlag[])", () -> domain.register(NATIVE))
                .refuses("register(ByteBuffer,AccessFlag[])", () -> domain.register(ByteBuffer.allocateDirect(64)))
                .refuses("arena(AccessFlag[])", () -> domain.arena())
                .refuses("arena(long,AccessFlag[])", () -> domain.arena(4096))
                .answers("queuePair(CompletionQueue)", () -> domain.queuePair(completions))
                .answers("context()", domain::context)
                .answers("handle()", domain::handle)
                .answers("toString()", () -> assertThat(domain.toString()).isNotEmpty())
                .answers("close()", domain::close)
                .check(ProtectionDomain.class);
        assertThat(catchThrowable(
                        () -> domain.queuePair(completions).depth(1, 1).build()))
                .isInstanceOf(ClosedException.class);
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
                .answers("channel()", completions::channel)
                .answers("acknowledgedEvents()", completions::acknowledgedEvents)
                .answers("context()", completions::context)
                .answers("handle()", completions::handle)
                .answers("vector()", completions::vector)
                .answers("capacity()", completions::capacity)
                .answers("committed()", completions::committed)
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

        new Calls()
                .refuses("poll()", channel::poll)
                .refuses("await(Duration)", () -> channel.await(NOW))
                .refuses("selectable()", channel::selectable)
                .answers("context()", channel::context)
                .answers("descriptor()", channel::descriptor)
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
                .refuses("connect(Endpoint)", () -> queuePair.connect(peer))
                .refuses("connect(Endpoint,ConnectOptions)", () -> queuePair.connect(peer, ConnectOptions.defaults()))
                .refuses("modify(QueuePairAttributes)", () -> queuePair.modify(error))
                .refuses("query()", queuePair::query)
                .refuses("batch()", queuePair::batch)
                .refuses("receives()", queuePair::receives)
                .refuses("postSend(long,MemorySlice)", () -> queuePair.postSend(1, slice))
                .refuses("postReceive(long,MemorySlice)", () -> queuePair.postReceive(1, slice))
                .refuses("sendSlots()", queuePair::sendSlots)
                .refuses("receiveCredit()", queuePair::receiveCredit)
                .answers("protectionDomain()", queuePair::protectionDomain)
                .answers("sendCompletions()", queuePair::sendCompletions)
                .answers("receiveCompletions()", queuePair::receiveCompletions)
                .answers("type()", queuePair::type)
                .answers("number()", queuePair::number)
                .answers("handle()", queuePair::handle)
                .answers("capacity()", queuePair::capacity)
                .answers("state()", queuePair::state)
                .answers("endpoint()", queuePair::endpoint)
                .answers("gid()", queuePair::gid)
                .answers("toString()", () -> assertThat(queuePair.toString()).isNotEmpty())
                .answers("close()", () -> queuePair.close())
                .answers("close(Duration)", () -> queuePair.close(NOW))
                .check(QueuePair.class);
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

        MemorySlice slice = region.slice(0, 8);
        new Calls()
                .refuses("room()", batch::room)
                .refuses("size()", batch::size)
                .refuses("send(long)", () -> batch.send(1))
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
                .refuses("fetchAndAdd(long,RemoteMemory,long,long)", () -> batch.fetchAndAdd(1, remote, 0, 3))
                .refuses("sge(MemorySlice)", () -> batch.sge(slice))
                .refuses("sge(MemoryRegion,long,long)", () -> batch.sge(region, 0, 8))
                .refuses("sge(long,long,int)", () -> batch.sge(8, 8, 8))
                .refuses("inline(MemorySegment,long,long)", () -> batch.inline(NATIVE, 0, 8))
                .refuses("signaled()", batch::signaled)
                .refuses("solicited()", batch::solicited)
                .refuses("fence()", batch::fence)
                .refuses("submit()", batch::submit)
                .answers("close()", batch::close)
                .check(SendBatch.class);
    }

    @Test
    void receiveBatch() {
        ReceiveBatch batch = queuePair.receives();
        batch.close();
        queuePair.close();

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
        CompletionCursor cursor = completions.poll();
        cursor.close();
        completions.close();

        new Calls()
                .refuses("next()", cursor::next)
                .refuses("id()", cursor::id)
                .refuses("status()", cursor::status)
                .refuses("statusCode()", cursor::statusCode)
                .refuses("isSuccess()", cursor::isSuccess)
                .refuses("vendorError()", cursor::vendorError)
                .refuses("queuePairNumber()", cursor::queuePairNumber)
                .refuses("opcode()", cursor::opcode)
                .refuses("byteLength()", cursor::byteLength)
                .refuses("flags()", cursor::flags)
                .refuses("hasImmediate()", cursor::hasImmediate)
                .refuses("immediate()", cursor::immediate)
                .refuses("invalidatedRkey()", cursor::invalidatedRkey)
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
                .check(CompletionCursor.class, WorkCompletion.class);
    }
}
