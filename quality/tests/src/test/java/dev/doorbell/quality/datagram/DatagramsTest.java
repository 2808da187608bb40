package dev.doorbell.quality.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.CompletionCursor;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.SendBatch;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams as programs send them: to an endpoint, back to a sender, to a group. */
@ParameterizedClass
@EnumSource(Path.class)
@Timeout(60)
final class DatagramsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Gid GROUP = Gid.ofGroup(InetAddress.ofLiteral("239.1.2.3"));
    private static final int QKEY = 0x1111_1111;

    private final Pair pair;
    private final End left;
    private final End right;
    private final MemorySlice inbox;

    DatagramsTest(Path path) {
        pair = Pair.builder()
                .path(path)
                .queuePair(queuePair -> queuePair.type(QueuePairType.UD).qkey(QKEY))
                .build();
        left = pair.left();
        right = pair.right();
        inbox = right.region().slice(8192, 4096 + Grh.BYTES);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void send(AddressHandle to, int number, int immediate) {
        try (SendBatch batch = left.queuePair().batch()) {
            batch.sendWithImmediate(1, immediate)
                    .to(to, number, QKEY)
                    .sge(left.region(), 0, 100)
                    .signaled();
            batch.submit();
        }
        await(left);
    }

    private static void await(End end) {
        assertThat(end.completions().await(1, PATIENCE, completion -> {
                    assertThat(completion.describe()).contains("success");
                }))
                .isEqualTo(1);
    }

    private static CompletionCursor awaitOne(End end) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            CompletionCursor cursor = end.completions().poll();
            if (cursor.next()) {
                return cursor;
            }
            cursor.close();
        }
        throw new AssertionError("no completion came to " + end.queuePair());
    }

    @Test
    void aDatagramReachesAnEndpointAndItsReceiverAnswers() {
        left.memory().fill((byte) 7);
        Endpoint peer = Endpoint.fromText(right.queuePair().endpoint().toText());
        right.queuePair().postReceive(5, inbox);
        try (AddressHandle to = left.domain().createAddressHandle(peer)) {
            try (SendBatch batch = left.queuePair().batch()) {
                batch.send(1).sge(left.region(), 0, 100).to(to, peer).signaled();
                batch.submit();
            }
            await(left);
        }
        AddressHandle back;
        int sender;
        try (CompletionCursor received = awaitOne(right)) {
            received.requireSuccess();
            assertThat(received.hasGrh()).isTrue();
            assertThat(received.byteLength()).isEqualTo(Grh.BYTES + 100);
            assertThat(received.sourceQueuePair()).isEqualTo(left.queuePair().number());
            sender = received.sourceQueuePair();
            back = right.domain().createAddressHandle(received, inbox);
        }
        assertThat(inbox.region().segment().get(ValueLayout.JAVA_BYTE, inbox.offset() + Grh.BYTES + 99))
                .isEqualTo((byte) 7);
        Grh header = Grh.read(inbox);
        assertThat(header)
                .isEqualTo(new Grh(
                        4,
                        left.queuePair().endpoint().gid(),
                        right.queuePair().endpoint().gid(),
                        0,
                        0,
                        64));
        assertThat(back.address().destination()).isEqualTo(header.source());
        assertThat(back.address().hopLimit()).isEqualTo(255);
        assertThat(back.maxBytes()).isEqualTo(4096);

        left.queuePair().postReceive(6, left.region().slice(4096, 64));
        try (SendBatch batch = right.queuePair().batch()) {
            batch.send(2).inline(right.memory(), 0, 24).to(back, sender, QKEY).signaled();
            batch.submit();
        }
        await(right);
        await(left);
        back.close();
    }

    @Test
    void aDatagramReachesItsSender() {
        QueuePair queuePair = left.queuePair();
        queuePair.postReceive(1, left.region().slice(8192, 200));
        try (AddressHandle self = left.domain().createAddressHandle(queuePair.endpoint())) {
            send(self, queuePair.number(), 5);
            await(left);
        }
    }

    @Test
    void aGroupReachesAllThatAreInIt() {
        End third = pair.anotherEnd(right);
        third.queuePair().activate();
        right.queuePair().attachMulticast(GROUP);
        third.queuePair().attachMulticast(GROUP);
        right.queuePair().postReceive(1, inbox);
        third.queuePair().postReceive(1, third.region().slice(0, 200));
        try (AddressHandle group = left.domain().createAddressHandle(GROUP)) {
            send(group, AddressHandle.MULTICAST_QUEUE_PAIR, 0x1020);
            for (End member : new End[] {right, third}) {
                try (CompletionCursor received = awaitOne(member)) {
                    assertThat(received.immediate()).isEqualTo(0x1020);
                }
            }
            assertThat(Grh.read(inbox).destination()).isEqualTo(GROUP);
            third.queuePair().detachMulticast(GROUP);
            right.queuePair().postReceive(2, inbox);
            send(group, AddressHandle.MULTICAST_QUEUE_PAIR, 3);
            try (CompletionCursor received = awaitOne(right);
                    AddressHandle back = right.domain().createAddressHandle(received, inbox)) {
                assertThat(back.address().destination())
                        .isEqualTo(left.queuePair().endpoint().gid());
            }
        }
        // The right one is still attached: closing it leaves the group.
        right.queuePair().close();
        third.queuePair().close();
    }

    @Test
    void attributesCanBeReadBack() {
        QueuePairAttributes attributes = left.queuePair().query();
        assertThat(attributes.state()).isEqualTo(QueuePairState.RTS);
        assertThat(attributes.qkey()).isEqualTo(QKEY);
        assertThat(attributes.sendPsn()).isEqualTo(left.queuePair().endpoint().psn());
        assertThat(left.queuePair().endpoint().qkey()).isEqualTo(QKEY);
        assertThat(AddressVector.udpSourcePort(0)).isEqualTo(0xc000);
        assertThat(AddressVector.udpSourcePort(0xf_ffff)).isEqualTo(0xffc0);
    }
}
