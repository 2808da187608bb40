package dev.doorbell.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmConnectionParameters;
import dev.doorbell.kernel.abi.CmEce;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmReject;
import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.VendorConnectionOptions;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Identifiers and their events against a kernel of a test's making. */
@Timeout(60)
class CmIdTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final EventChannel channel = kernel.open();
    private final ScriptedChannel script = kernel.channels.getFirst();

    @AfterEach
    void close() {
        channel.close();
        kernel.close();
    }

    private CmEvent next(CmEventType type) {
        return channel.await(SOON).orElseThrow().expect(type);
    }

    private static QueuePair queuePair(CmId id) {
        Context context = id.context();
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue completions = context.createCompletionQueue(8);
        return id.createQueuePair(domain.queuePair(completions).depth(4, 4));
    }

    /** Resolves, and makes a queue pair. */
    private CmId resolved() {
        CmId id = channel.create(PortSpace.TCP);
        script.connectsBy(id.number());
        id.resolveAddress(ScriptedChannel.THERE, SOON);
        next(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(SOON);
        next(CmEventType.ROUTE_RESOLVED);
        queuePair(id);
        return id;
    }

    @Test
    void theSideThatConnectsMovesItsQueuePairAndConfirms() {
        CmId id = resolved();
        QueuePair queuePair = id.queuePair().orElseThrow();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.INIT);
        assertThat(id.localAddress()).contains(ScriptedChannel.HERE);
        assertThat(id.peerAddress()).contains(ScriptedChannel.THERE);

        id.connect(ConnectionParameters.defaults().withPrivateData((byte) 1, (byte) 2));

        CmEvent event = next(CmEventType.ESTABLISHED);
        assertThat(event.id()).isSameAs(id);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(queuePair.query().maxReadAtomic()).isEqualTo(2);
        assertThat(queuePair.query().maxDestReadAtomic()).isEqualTo(4);
        assertThat(queuePair.query().destinationQueuePair()).isEqualTo(99);
        assertThat(id.isConnected()).isTrue();
        assertThat(script.log)
                .containsExactly(
                        "CREATE_ID",
                        "RESOLVE_ADDR",
                        "QUERY",
                        "RESOLVE_ROUTE",
                        "INIT_QP_ATTR INIT",
                        "CONNECT",
                        "INIT_QP_ATTR INIT",
                        "INIT_QP_ATTR RTR",
                        "INIT_QP_ATTR RTS",
                        "ACCEPT confirm");
        ConnectionParameters asked = script.connectParameters();
        assertThat(asked.privateData()).containsExactly(1, 2);
        assertThat(asked.queuePairNumber()).isEqualTo(queuePair.number());
        assertThat(asked.responderResources()).isBetween(1, 16);
        assertThat(asked.initiatorDepth()).isBetween(1, 16);
    }

    @Test
    void aListenerAcceptsWithWhatThePeerAskedFor() {
        CmId listener = channel.create(PortSpace.TCP);
        listener.bind(ScriptedChannel.HERE);
        listener.listen(10);
        script.raise(CmEventType.CONNECT_REQUEST, listener.cookie(), 55, 0, (record, at) -> {
            CmConnectionParameters.setResponderResources(record, at, 2);
            CmConnectionParameters.setInitiatorDepth(record, at, 1);
            CmConnectionParameters.setPrivateDataLen(record, at, 56);
            record.set(ValueLayout.JAVA_BYTE, at + CmConnectionParameters.PRIVATE_DATA, (byte) 42);
        });

        CmEvent event = next(CmEventType.CONNECT_REQUEST);
        CmId id = event.id();
        assertThat(event.listener()).contains(listener);
        assertThat(event.privateData()).hasSize(56).startsWith(42, 0);
        QueuePair queuePair = queuePair(id);
        id.accept(ConnectionParameters.defaults());

        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(queuePair.query().maxDestReadAtomic()).isEqualTo(2);
        assertThat(queuePair.query().maxReadAtomic()).isEqualTo(1);
        assertThat(script.acceptParameters().responderResources()).isEqualTo(2);
        assertThat(script.acceptParameters().initiatorDepth()).isEqualTo(1);
        script.raise(CmEventType.ESTABLISHED, id.cookie(), 55, 0, (record, at) -> {});
        assertThat(next(CmEventType.ESTABLISHED).id()).isSameAs(id);
    }

    @Test
    void theIdentifierOfARequestBeginsWithWhatItsListenerHas() {
        CmId listener = channel.create(PortSpace.TCP);
        assertThat(listener.attachment()).isNull();
        assertThat(listener.attach("service")).isNull();
        listener.bind(ScriptedChannel.HERE);
        listener.listen(10);
        script.raise(CmEventType.CONNECT_REQUEST, listener.cookie(), 55, 0, (record, at) -> {});
        CmId id = next(CmEventType.CONNECT_REQUEST).id();
        assertThat(id.attachment()).isEqualTo("service");

        assertThat(id.attach("session")).isEqualTo("service");
        assertThat(listener.attachment()).isEqualTo("service");
        id.close();
        assertThat(id.attachment()).isEqualTo("session");
    }

    @Test
    void aQueuePairThatWasReleasedMakesRoomForAnother() {
        CmId id = resolved();
        QueuePair first = id.queuePair().orElseThrow();
        id.releaseQueuePair();
        assertThat(first.isOpen()).isFalse();
        assertThat(id.queuePair()).isEmpty();

        QueuePair second = queuePair(id);
        assertThat(id.queuePair()).contains(second);
        id.connect(ConnectionParameters.defaults());
        next(CmEventType.ESTABLISHED);
        assertThat(second.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void aQueuePairOfTheProgramStaysOpenWhenItIsReleased() {
        CmId id = resolved();
        id.releaseQueuePair();
        id.releaseQueuePair();
        ProtectionDomain domain = id.context().allocateProtectionDomain();
        QueuePair own = domain.queuePair(id.context().createCompletionQueue(8))
                .depth(4, 4)
                .build();
        id.useQueuePair(own);
        id.releaseQueuePair();
        assertThat(own.isOpen()).isTrue();
        assertThat(id.queuePair()).isEmpty();
    }

    @Test
    void vendorOptionsTravelWithTheRequestAndTheAnswer() {
        VendorConnectionOptions mine = new VendorConnectionOptions(0x2c9, 0x1f, 0);
        VendorConnectionOptions theirs = new VendorConnectionOptions(0x2c9, 0xf00, 0);
        CmId id = resolved();
        id.connect(ConnectionParameters.defaults().withVendorOptions(mine).withDepths(1, 1));
        assertThat(script.connectParameters().vendorOptions()).contains(mine);
        assertThat(next(CmEventType.ESTABLISHED).parameters().orElseThrow().vendorOptions())
                .isEmpty();

        CmId listener = channel.create(PortSpace.TCP);
        listener.bind(ScriptedChannel.HERE);
        listener.listen(10);
        script.raise(CmEventType.CONNECT_REQUEST, listener.cookie(), 55, 0, (record, at) -> {
            CmEce.setVendorId(record, CmEventRecord.ECE, theirs.vendorId());
            CmEce.setAttrMod(record, CmEventRecord.ECE, theirs.options());
        });
        CmEvent request = next(CmEventType.CONNECT_REQUEST);
        assertThat(request.parameters().orElseThrow().vendorOptions()).contains(theirs);
        queuePair(request.id());
        request.id().accept(ConnectionParameters.defaults().withVendorOptions(mine));
        assertThat(script.acceptParameters().vendorOptions()).contains(mine);
    }

    @Test
    void vendorOptionsAreRefusedUnderTheirOwnReason() {
        CmId id = channel.create(PortSpace.TCP);
        AtomicInteger reason = new AtomicInteger();
        script.reactions.put(CmCommand.REJECT, request -> reason.set(CmReject.reason(request, 0)));
        id.rejectVendorOptions((byte) 1);
        assertThat(reason).hasValue(RejectReason.VENDOR_OPTION_NOT_SUPPORTED.code());
        id.reject();
        assertThat(reason).hasValue(0);
        assertThatThrownBy(() -> id.rejectVendorOptions(new byte[149])).hasMessageContaining("allowed 148 bytes");
    }

    @Test
    void aRejectionSaysItsReasonAndData() {
        CmId id = resolved();
        script.reactions.put(
                CmCommand.CONNECT,
                request -> script.raise(CmEventType.REJECTED, id.number(), 28, (record, at) -> {
                    CmConnectionParameters.setPrivateDataLen(record, at, 148);
                    record.set(ValueLayout.JAVA_BYTE, at + CmConnectionParameters.PRIVATE_DATA, (byte) 9);
                }));
        id.connect(ConnectionParameters.defaults());
        CmEvent event = channel.await(SOON).orElseThrow();
        assertThat(event.rejectReason()).contains(RejectReason.CONSUMER_DEFINED);
        assertThatThrownBy(() -> event.expect(CmEventType.ESTABLISHED))
                .isInstanceOfSatisfying(RejectedException.class, rejected -> {
                    assertThat(rejected.reason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
                    assertThat(rejected.privateData()).hasSize(148).startsWith(9, 0);
                    assertThat(rejected.errno()).isEqualTo(Errno.ECONNREFUSED);
                    assertThat(rejected).hasMessageContaining("reason 28");
                });
        assertThat(id.queuePair().orElseThrow().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void failuresArriveAsThemselves() {
        CmId id = channel.create(PortSpace.TCP);
        script.raise(CmEventType.ADDR_ERROR, id.number(), -Errno.EHOSTUNREACH);
        script.raise(CmEventType.UNREACHABLE, id.number(), -Errno.ETIMEDOUT);
        CmException noHost = channel.poll().orElseThrow().failure().orElseThrow();
        assertThat(noHost.errnoName()).isEqualTo("EHOSTUNREACH");
        assertThat(noHost.event()).isEqualTo(CmEventType.ADDR_ERROR);
        CmException silent = channel.poll().orElseThrow().failure().orElseThrow();
        assertThat(silent.errnoName()).isEqualTo("ETIMEDOUT");
        assertThat(silent).hasMessageContaining("does not answer").hasMessageContaining("4791");
    }

    @Test
    void aQueuePairThatCannotBeBroughtUpIsAConnectError() {
        CmId id = resolved();
        script.reactions.put(CmCommand.CONNECT, request -> {
            script.refusals.put(CmCommand.INIT_QP_ATTR, Errno.EINVAL);
            script.raise(CmEventType.CONNECT_RESPONSE, id.number(), 0);
        });
        id.connect(ConnectionParameters.defaults());
        CmEvent event = channel.await(SOON).orElseThrow();
        assertThat(event.type()).isEqualTo(CmEventType.CONNECT_ERROR);
        assertThat(event.failure().orElseThrow().errno()).isEqualTo(Errno.EINVAL);
        assertThat(script.log).endsWith("REJECT");
        assertThat(id.isConnected()).isFalse();
    }

    @Test
    void theEndOfAConnectionFlushesTheQueuePair() {
        CmId id = resolved();
        id.connect(ConnectionParameters.defaults());
        next(CmEventType.ESTABLISHED);
        script.raise(CmEventType.DISCONNECTED, id.number(), 0);
        next(CmEventType.DISCONNECTED);
        assertThat(id.queuePair().orElseThrow().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(id.isConnected()).isFalse();
    }

    @Test
    void privateDataHaveTheirLimits() {
        CmId id = resolved();
        ConnectionParameters most = ConnectionParameters.defaults().withPrivateData(new byte[56]);
        id.connect(most);
        assertThatThrownBy(() -> id.connect(most.withPrivateData(new byte[57])))
                .isInstanceOf(CmException.class)
                .hasMessageContaining("asked 57 bytes of private data, allowed 56 bytes");
        assertThatThrownBy(() -> id.accept(most.withPrivateData(new byte[197])))
                .hasMessageContaining("allowed 196 bytes");
        assertThatThrownBy(() -> id.reject(new byte[149])).hasMessageContaining("allowed 148 bytes");
        CmId datagrams = channel.create(PortSpace.UDP);
        assertThatThrownBy(() -> datagrams.connect(most.withPrivateData(new byte[181])))
                .hasMessageContaining("allowed 180 bytes");
        assertThatThrownBy(() -> datagrams.accept(most.withPrivateData(new byte[137])))
                .hasMessageContaining("allowed 136 bytes");
    }

    @Test
    void aRefusedCommandSaysWhatAndWhy() {
        CmId id = channel.create(PortSpace.TCP);
        script.refusals.put(CmCommand.BIND, Errno.EADDRINUSE);
        assertThatThrownBy(() -> id.bind(ScriptedChannel.HERE))
                .isInstanceOf(CmException.class)
                .hasMessageContaining("BIND on CM id")
                .hasMessageContaining("EADDRINUSE: another identifier is bound to that port");
    }

    @Test
    void migrationTakesTheEventsAlong() {
        try (EventChannel other = kernel.open()) {
            CmId id = channel.create(PortSpace.TCP);
            id.migrate(other);
            assertThat(id.channel()).isSameAs(other);
            ScriptedChannel target = kernel.channels.get(1);
            assertThat(target.log).containsExactly("MIGRATE_ID");
            target.raise(CmEventType.ROUTE_RESOLVED, id.cookie(), id.number(), 0, (record, at) -> {});
            assertThat(other.await(SOON).orElseThrow().id()).isSameAs(id);
            script.raise(CmEventType.ROUTE_RESOLVED, id.cookie(), id.number(), 0, (record, at) -> {});
            assertThat(channel.poll()).as("an event of what has gone").isEmpty();
            id.close();
            assertThat(target.log).endsWith("DESTROY_ID");
        }
    }

    @Test
    void aRefusedMigrationLeavesItWhereItWas() {
        try (EventChannel other = kernel.open()) {
            CmId id = channel.create(PortSpace.TCP);
            kernel.channels.get(1).refusals.put(CmCommand.MIGRATE_ID, Errno.ENOENT);
            assertThatThrownBy(() -> id.migrate(other)).isInstanceOf(CmException.class);
            assertThat(id.channel()).isSameAs(channel);
            script.raise(CmEventType.ROUTE_RESOLVED, id.number(), 0);
            assertThat(channel.poll()).isPresent();
        }
    }

    @Test
    void closeDisconnectsThenFreesTheQueuePairThenTheIdentifier() {
        CmId id = resolved();
        id.connect(ConnectionParameters.defaults());
        next(CmEventType.ESTABLISHED);
        script.log.clear();
        id.close();
        id.close();
        assertThat(script.log).containsExactly("DISCONNECT", "DESTROY_ID");
        assertThatThrownBy(() -> id.queuePair().orElseThrow().batch()).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> id.resolveRoute(SOON)).isInstanceOf(ClosedException.class);
        assertThat(channel.size()).isZero();
    }

    @Test
    void closingTheChannelClosesWhatIsInIt() {
        CmId first = channel.create(PortSpace.TCP);
        CmId second = channel.create(PortSpace.UDP);
        channel.close();
        channel.close();
        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isFalse();
        assertThat(script.isClosed()).isTrue();
        assertThat(kernel.network.census().values()).allMatch(census -> census.isEmpty());
        assertThatThrownBy(() -> channel.await(SOON)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> channel.create(PortSpace.TCP)).isInstanceOf(ClosedException.class);
    }

    @Test
    void closingTheChannelEndsAWait() throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                channel.await(Duration.ofDays(1));
            } catch (ClosedException e) {
                thrown[0] = e;
            }
        });
        channel.close();
        waiting.join();
        assertThat(thrown[0]).isInstanceOf(ClosedException.class);
    }

    @Test
    void aRequestOfAClosedListenerIsDestroyed() {
        CmId listener = channel.create(PortSpace.TCP);
        long cookie = listener.cookie();
        listener.close();
        script.log.clear();
        script.raise(CmEventType.CONNECT_REQUEST, cookie, 55, 0, (record, at) -> {});
        assertThat(channel.poll()).isEmpty();
        assertThat(script.log).containsExactly("DESTROY_ID");
    }

    @Test
    void aNameWithoutAddressIsRefused() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 7471);
        CmId id = channel.create(PortSpace.UDP);
        List<ThrowingCallable> calls = List.of(
                () -> id.bind(nowhere),
                () -> id.resolveAddress(nowhere, SOON),
                () -> id.resolveAddress(nowhere, ScriptedChannel.THERE, SOON),
                () -> id.joinMulticast(nowhere, false));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOfSatisfying(
                            CmException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("host nowhere.invalid is unknown");
        }
    }

    @Test
    void withoutADeviceThereIsNoContext() {
        CmId id = channel.create(PortSpace.TCP);
        assertThatThrownBy(id::context).isInstanceOf(CmException.class).hasMessageContaining("it has no device yet");
    }
}
