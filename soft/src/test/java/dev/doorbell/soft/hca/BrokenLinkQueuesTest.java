package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.soft.link.ForwardingLink;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links that throw what they never should: queue pairs join, leave and go all the same, or say why not. */
@Timeout(30)
class BrokenLinkQueuesTest {
    private static final Gid GROUP = Gid.ofIpv4(0xef01_0203);

    private final AtomicLong clock = new AtomicLong();
    private final InMemoryNetwork network = new InMemoryNetwork();
    private final Device left = device(1);
    private final Device right = device(2);
    private boolean breaking;

    private Device device(int number) {
        return new Device(number, clock, new Breaking(network.join(List.of(Device.gid(number)))));
    }

    /** A link that fails while the test says so. */
    private final class Breaking extends ForwardingLink {
        Breaking(PacketLink link) {
            super(link);
        }

        private void fail() {
            if (breaking) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void join(Gid group) {
            fail();
            super.join(group);
        }

        @Override
        public void leave(Gid group) {
            super.leave(group);
            fail();
        }

        @Override
        public Transmitter newTransmitter() {
            Transmitter transmitter = super.newTransmitter();
            return new Transmitter() {
                @Override
                public MemorySegment memory() {
                    return transmitter.memory();
                }

                @Override
                public long claim() {
                    return transmitter.claim();
                }

                @Override
                public void send(int length, Gid source, Gid destination) {
                    transmitter.send(length, source, destination);
                }

                @Override
                public void mark(long fields) {
                    transmitter.mark(fields);
                }

                @Override
                public boolean hasRoom(Gid destination) {
                    return transmitter.hasRoom(destination);
                }

                @Override
                public void flush() {
                    fail();
                    transmitter.flush();
                }
            };
        }
    }

    @Test
    void aGroupThatCannotBeJoinedIsAnErrno() {
        Endpoint member = left.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        breaking = true;
        assertThat(member.queuePair.attach(GROUP)).isEqualTo(Errno.EIO);
        assertThat(member.queuePair.isAttached()).isFalse();
        breaking = false;
        assertThat(member.queuePair.attach(GROUP)).isZero();
        breaking = true;
        assertThat(member.queuePair.detach(GROUP))
                .as("left, whatever the link does")
                .isZero();
        assertThat(member.queuePair.isAttached()).isFalse();
    }

    @Test
    void aQueuePairGoesThoughItsLinkFails() throws InterruptedException {
        Endpoint one = left.endpoint();
        Endpoint other = right.endpoint();
        Endpoint.connect(one, other);
        Endpoint member = right.endpoint(Endpoint.Options.of(QueuePairType.UD)).open();
        assertThat(member.queuePair.attach(GROUP)).isZero();
        one.send(1, sge(left.buffer(8)));
        breaking = true;
        for (Endpoint end : List.of(other, member)) {
            end.queuePair.destroy();
            assertThat(right.hca.queuePair(end.queuePair.number())).isNull();
            assertThat(end.queuePair.state()).isEqualTo(QueuePairState.RESET);
        }
        breaking = false;
        for (Endpoint end : List.of(other, member)) {
            Thread elsewhere = Thread.ofPlatform().start(end.queuePair::query);
            assertThat(elsewhere.join(Duration.ofSeconds(20)))
                    .as("no lock is held any more")
                    .isTrue();
        }
        assertThat(member.queuePair.isAttached()).isFalse();
    }
}
