package dev.doorbell.quality.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.quality.stack.End;
import dev.doorbell.quality.stack.Pair;
import dev.doorbell.quality.stack.Path;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.VerbsException;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs get wrong with datagrams and unreliable connections is refused with a reason. */
@Timeout(60)
final class DatagramMisuseTest {
    private static final Gid GROUP = Gid.ofIpv4(0xe100_0001);

    private final Pair pair = Pair.of(QueuePairType.UD, Path.DIRECT);
    private final End end = pair.left();
    private final QueuePair queuePair = end.queuePair();
    private final AddressHandle handle = end.domain().createAddressHandle(queuePair.endpoint());

    @AfterEach
    void close() {
        pair.close();
    }

    private static void refused(QueuePair queuePair, Consumer<SendBatch> description, String... words) {
        try (SendBatch batch = queuePair.batch()) {
            refused(
                    () -> {
                        description.accept(batch);
                        batch.submit();
                    },
                    words);
        }
        try (SendBatch batch = queuePair.batch()) {
            assertThat(batch.size()).as("posted").isZero();
        }
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageContainingAll(words);
    }

    @Test
    void aDatagramNeedsAnAddress() {
        refused(queuePair, batch -> batch.send(1).sge(end.region(), 0, 8), "does not say where it goes", "to()");
        refused(
                queuePair,
                batch -> {
                    batch.send(1).to(handle, 5, 0).sge(end.region(), 0, 8);
                    batch.send(2).sge(end.region(), 0, 8);
                },
                "does not say where it goes");
        refused(queuePair, batch -> batch.to(handle, 1, 2), "no work request is open");
    }

    @Test
    void aDatagramFitsInOnePacket() {
        refused(
                queuePair,
                batch -> batch.send(1).sge(end.region(), 0, 4097).to(handle, 5, 0),
                "4097 bytes",
                "4096",
                "one packet");
        try (SendBatch batch = queuePair.batch()) {
            batch.send(1).sge(end.region(), 0, 4096).to(handle, 5, 0);
            assertThat(batch.submit()).isEqualTo(1);
        }
    }

    @Test
    void onlySendsAreDatagrams() {
        RemoteMemory remote = end.region().remote();
        refused(queuePair, batch -> batch.write(1, remote, 0), "RDMA_WRITE on UD");
        refused(queuePair, batch -> batch.read(1, remote, 0), "RDMA_READ on UD");
        refused(queuePair, batch -> batch.fetchAndAdd(1, remote, 0, 1), "ATOMIC_FETCH_AND_ADD on UD");
    }

    @Test
    void unreliableConnectionsNeitherReadNorCount() {
        try (Pair unreliable = Pair.of(QueuePairType.UC, Path.DIRECT)) {
            QueuePair connected = unreliable.left().queuePair();
            RemoteMemory remote = unreliable.right().region().remote();
            refused(connected, batch -> batch.read(1, remote, 0), "RDMA_READ on UC", "type RC");
            refused(connected, batch -> batch.compareAndSwap(1, remote, 0, 1, 2), "on UC");
            refused(connected, batch -> batch.send(1).to(handle, 5, 0), "its peer alone");
            refused(connected::activate, "UC", "connect()");
        }
    }

    @Test
    void anAddressHandleIsForItsOwnDomainAndNumbersHaveLimits() {
        ProtectionDomain other = end.context().allocateProtectionDomain();
        AddressHandle foreign = other.createAddressHandle(queuePair.endpoint());
        refused(queuePair, batch -> batch.send(1).to(foreign, 5, 0), "belongs to");
        refused(queuePair, batch -> batch.send(1).to(handle, 1 << 24, 0), "24 bits");
        assertThatThrownBy(other::close).hasMessageContaining("EBUSY").hasMessageContaining("address handle");
        foreign.close();
        foreign.close();
        other.close();
    }

    @Test
    void aClosedAddressHandleCannotBeNamed() {
        handle.close();
        assertThat(handle.isOpen()).isFalse();
        try (SendBatch batch = queuePair.batch()) {
            assertThatThrownBy(() -> batch.send(1).to(handle, 5, 0))
                    .isInstanceOf(ClosedException.class)
                    .hasMessageContaining("address handle");
        }
    }

    @Test
    void addressesThatLeadNowhereAreExplained() {
        Gid peer = queuePair.endpoint().gid();
        refused(
                () -> end.domain().createAddressHandle(AddressVector.roce(peer, 1, 0)),
                "leads nowhere",
                "same family",
                "slots");
        assertThatThrownBy(() -> end.domain().createAddressHandle(AddressVector.roce(peer, 1, 77)))
                .hasMessageContaining("ENODATA")
                .hasMessageContaining("77");
        assertThatThrownBy(() -> end.domain().createAddressHandle(AddressVector.roce(peer, 2, 1)))
                .hasMessageContaining("EINVAL");
        refused(() -> end.domain().createAddressHandle(Gid.ZERO), "leads nowhere");
    }

    @Test
    void groupsAreForDatagramsAndHaveAnAddressOfTheirOwn() {
        try (Pair reliable = Pair.on(Path.DIRECT)) {
            refused(() -> reliable.left().queuePair().attachMulticast(GROUP), "only a UD queue pair");
        }
        refused(() -> queuePair.attachMulticast(queuePair.endpoint().gid()), "224.0.0.0/4");
        refused(() -> queuePair.detachMulticast(GROUP), "not attached");
        queuePair.attachMulticast(GROUP);
        queuePair.attachMulticast(GROUP);
        queuePair.detachMulticast(GROUP);
        refused(() -> queuePair.detachMulticast(GROUP), "not attached");
        queuePair.close();
        assertThatThrownBy(() -> queuePair.attachMulticast(GROUP)).isInstanceOf(ClosedException.class);
    }

    @Test
    void datagramsHaveNoPeerAndComeUpOnce() {
        refused(() -> queuePair.connect(queuePair.endpoint()), "activate()");
        refused(queuePair::activate, "state RTS", "RESET or INIT");
    }

    @Test
    void whatIsNoHeaderIsNotReadAsOne() {
        end.memory().fill((byte) 0x11);
        refused(() -> Grh.read(end.memory(), 0), "neither an IPv4 nor an IPv6 header");
        assertThatThrownBy(() -> Grh.read(end.memory(), end.memory().byteSize() - 39))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
