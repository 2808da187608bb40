package dev.doorbell.soft.hca;

import static dev.doorbell.soft.hca.Endpoint.sge;

import dev.doorbell.kernel.abi.GrhArea;
import dev.doorbell.kernel.abi.RxeSendWqe;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.soft.link.CaptureLink;
import dev.doorbell.soft.link.ForwardingLink;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.PacketLink;
import dev.doorbell.soft.link.PacketSink;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkRequestOpcode;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Two devices that send each other every kind of packet that a device sends, each in a capture. */
final class EveryPacket {
    private static final int MTU_256 = 1;
    private static final int QKEY = new Endpoint.Options().qkey;
    private static final int MULTICAST_QUEUE_PAIR = 0xff_ffff;
    private static final int ACCESS = Device.ALL_ACCESS | AccessFlag.FLUSH_GLOBAL.bit() | AccessFlag.MW_BIND.bit();

    /** What a SEND carries tshark takes for a protocol of its own, and so wants more than a few bytes. */
    private static final int ONE_PACKET = 64;

    private static final int THREE_PACKETS = 600;

    private final AtomicLong clock = new AtomicLong(5_000_000);
    private final Losing losing;
    private final Device left;
    private final Device right;
    private final Device.Buffer source;
    private final Device.Buffer target;
    private long id;

    private EveryPacket(CaptureFile file, Gid here, Gid there) {
        InMemoryNetwork network = new InMemoryNetwork();
        left = new Device(here, clock, new CaptureLink(network.join(List.of(here)), file), HcaLimits.DEFAULT);
        losing = new Losing(new CaptureLink(network.join(List.of(there)), file));
        right = new Device(there, clock, losing, HcaLimits.DEFAULT);
        source = left.buffer(THREE_PACKETS).fill(1);
        target = right.buffer(4096, ACCESS);
    }

    /** Converses between two addresses of one kind, and with a group of that kind. */
    static void converse(CaptureFile file, Gid here, Gid there, Gid group) {
        EveryPacket packets = new EveryPacket(file, here, there);
        for (int size : new int[] {ONE_PACKET, THREE_PACKETS}) {
            packets.reliable(size);
            packets.unreliable(size);
        }
        packets.memory();
        packets.datagrams(group);
        packets.refusals();
    }

    /** A link that loses what arrives next. */
    private static final class Losing extends ForwardingLink {
        private int count;

        Losing(PacketLink link) {
            super(link);
        }

        @Override
        public int receive(PacketSink sink, long nowNs, int limit) {
            return link().receive(
                            (memory, at, length, from, to) -> {
                                if (count == 0) {
                                    sink.onPacket(memory, at, length, from, to);
                                } else {
                                    count--;
                                }
                            },
                            nowNs,
                            limit);
        }
    }

    private record Pair(Endpoint one, Endpoint other) {}

    private Pair pair(QueuePairType type) {
        Endpoint.Options options = Endpoint.Options.of(type);
        options.mtu = MTU_256;
        options.access = ACCESS;
        Pair pair = new Pair(left.endpoint(options), right.endpoint(options));
        Endpoint.connect(pair.one, pair.other);
        return pair;
    }

    private void reliable(int size) {
        Pair pair = pair(QueuePairType.RC);
        sendsAndWrites(pair, size);
        pair.one.read(id++, target, 0, sge(source, 0, size));
        settle(pair, 5);
        HcaMemoryWindow window = Objects.requireNonNull(right.hca.allocateWindow(right.domain, 2));
        int key = window.rkey() + 1;
        MemoryWork.bind(pair.other, window.rkey(), key, target.key(), target.address(), 64, MemoryWork.REMOTE);
        pair.other.receive(id++, sge(target));
        long at = pair.one.prepare(id++, WorkRequestOpcode.SEND_WITH_INV, Endpoint.SIGNALED, sge(source, 0, size));
        RxeSendWqe.setInvalidateRkey(pair.one.sends.memory(), at, key);
        pair.one.submit();
        settle(pair, 1);
    }

    private void unreliable(int size) {
        Pair pair = pair(QueuePairType.UC);
        sendsAndWrites(pair, size);
        settle(pair, 4);
    }

    private void sendsAndWrites(Pair pair, int size) {
        for (int i = 0; i < 3; i++) {
            pair.other.receive(id++, sge(target));
        }
        pair.one.send(id++, sge(source, 0, size));
        pair.one.sendImmediate(id++, 7, sge(source, 0, size));
        pair.one.write(id++, target, 0, sge(source, 0, size));
        pair.one.writeImmediate(id++, 8, target, sge(source, 0, size));
    }

    private void memory() {
        Pair pair = pair(QueuePairType.RC);
        pair.one.fetchAdd(id++, target.address(), target.key(), 5, sge(source, 0, 8));
        pair.one.compareSwap(id++, target.address(), target.key(), 5, 9, sge(source, 8, 8));
        MemoryWork.postAtomicWrite(pair.one, target.key(), target.address(), 11, Long.BYTES);
        MemoryWork.postFlush(pair.one, target.key(), target.address(), 64, 1, 0);
        settle(pair, 4);
    }

    private void datagrams(Gid group) {
        Endpoint.Options options = Endpoint.Options.of(QueuePairType.UD);
        Endpoint one = left.endpoint(options).open();
        Endpoint other = right.endpoint(options).open();
        check(other.queuePair.attach(group) == 0, "the group is joined");
        for (int i = 0; i < 3; i++) {
            other.receive(id++, sge(right.buffer(4096 + GrhArea.SIZE)));
        }
        HcaAddressHandle unicast = one.address(right.gid);
        one.datagram(id++, unicast, other.queuePair.number(), QKEY, sge(source, 0, 77));
        long at = one.prepareDatagram(
                id++, WorkRequestOpcode.SEND_WITH_IMM, unicast, other.queuePair.number(), QKEY, sge(source, 0, 78));
        RxeSendWqe.setImmData(one.sends.memory(), at, 9);
        one.submit();
        one.datagram(id++, one.address(group), MULTICAST_QUEUE_PAIR, QKEY, sge(source, 0, 79));
        settle(new Pair(one, other), 3);
        check(other.received().size() == 3, "three datagrams arrived");
    }

    /** Every reason to say no, each of which but the first two breaks a connection. */
    private void refusals() {
        Pair notReady = pair(QueuePairType.RC);
        notReady.one.send(id++, sge(source, 0, ONE_PACKET));
        work();
        notReady.other.receive(id++, sge(target));
        settle(notReady, 1);

        Pair lost = pair(QueuePairType.RC);
        losing.count = 1;
        lost.one.write(id++, target, 0, sge(source, 0, ONE_PACKET));
        lost.one.write(id++, target, 0, sge(source, 0, ONE_PACKET));
        settle(lost, 2);

        Pair tooLong = pair(QueuePairType.RC);
        tooLong.other.receive(id++, sge(target, 0, 8));
        tooLong.one.send(id++, sge(source, 0, ONE_PACKET));
        settle(tooLong, 1);

        Pair noRight = pair(QueuePairType.RC);
        noRight.one.rdma(
                id++, WorkRequestOpcode.RDMA_WRITE, target.address(), target.key() ^ 1, sge(source, 0, ONE_PACKET));
        settle(noRight, 1);

        Pair broken = pair(QueuePairType.RC);
        broken.other.receive(id++, new Endpoint.Sge(target.address(), 4096, target.key() ^ 1));
        broken.one.send(id++, sge(source, 0, ONE_PACKET));
        settle(broken, 1);
    }

    private void settle(Pair pair, int completions) {
        work();
        for (int steps = 0; steps < 1000; steps++) {
            boolean stepped = left.step();
            if (!right.step() && !stepped) {
                break;
            }
            work();
        }
        int sent = pair.one.sent().size();
        check(sent == completions, "completions: " + sent + " instead of " + completions);
    }

    private void work() {
        while (left.hca.doWork(clock.get()) || right.hca.doWork(clock.get())) {
            // Each round may have made work for the next.
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
