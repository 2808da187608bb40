package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A drained queue pair gets another address. Its peer's number cannot change, so there is one with that number here and
 * one there: the devices draw the same numbers.
 */
@Timeout(30)
class RerouteTest {
    private static final long SEED = 4;
    private static final int MESSAGES = 3;

    private final AtomicLong clock = new AtomicLong(5_000_000);
    private final InMemoryNetwork network = new InMemoryNetwork();
    private final Device here = device(1);
    private final Device there = device(2);

    private Device device(int address) {
        return new Device(
                Device.gid(address), clock, network.join(List.of(Device.gid(address))), HcaLimits.DEFAULT, SEED);
    }

    private void settle() {
        while (here.hca.doWork(clock.get()) || there.hca.doWork(clock.get())) {}
    }

    @ParameterizedTest
    @CsvSource({"RC, true", "RC, false", "UC, true", "UC, false"})
    void fromAPeerOfThisDeviceToOneOfAnotherAndBack(QueuePairType type, boolean firstHere) {
        Endpoint.Options options = Endpoint.Options.of(type);
        Endpoint.Options later = Endpoint.Options.of(type);
        later.receivePsn += MESSAGES;
        Endpoint near = here.endpoint(firstHere ? options : later);
        Endpoint mover = here.endpoint(options);
        Endpoint far = there.endpoint(firstHere ? later : options);
        assertThat(far.queuePair.number()).isEqualTo(near.queuePair.number());
        Endpoint first = firstHere ? near : far;
        Endpoint second = firstHere ? far : near;

        Endpoint.connect(mover, first);
        exchange(mover, first, MESSAGES);
        move(mover, second);
        exchange(mover, second, MESSAGES);
        answer(second, mover);
        assertThat(first.received()).isEmpty();
    }

    private void exchange(Endpoint from, Endpoint to, int count) {
        Device.Buffer source = from.device.buffer(3000).fill(7);
        for (int index = 0; index < count; index++) {
            Device.Buffer target = to.device.buffer(3000);
            to.receive(index, sge(target));
            from.send(index, sge(source, 0, index == 0 ? 1000 : 0));
            settle();
            assertThat(from.sent()).extracting(Endpoint.Done::status).containsExactly(WorkCompletionStatus.SUCCESS);
            assertThat(to.received()).extracting(Endpoint.Done::id).containsExactly((long) index);
        }
    }

    /** The peer's peer answers the other way too: its responder found the new way as its requester did. */
    private void answer(Endpoint from, Endpoint to) {
        exchange(from, to, 1);
    }

    private void move(Endpoint mover, Endpoint peer) {
        assertThat(mover.to(QueuePairState.SQD)).isZero();
        settle();
        QueuePairSettings settings = new QueuePairSettings();
        settings.state = QueuePairState.SQD.code();
        settings.destinationGid = peer.device.gid;
        assertThat(mover.queuePair.modify(
                        settings, Endpoint.mask(QueuePairAttribute.STATE, QueuePairAttribute.ADDRESS_VECTOR)))
                .isZero();
        assertThat(mover.to(QueuePairState.RTS)).isZero();
        assertThat(peer.init()).isZero();
        assertThat(peer.readyToReceive(mover)).isZero();
        assertThat(peer.readyToSend()).isZero();
    }
}
