package dev.doorbell.quality.processes;

import dev.doorbell.memory.Host;
import dev.doorbell.soft.SoftNetwork;
import dev.doorbell.soft.link.UdpPlan.Carrier;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.AddressVector;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.Device;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A program that has two devices say everything to each other over the addresses of this host that it is given, through real
 * sockets. It prints OK and what, or ends with an exception. Words: two addresses, a multicast group, {@code true} for
 * segmentation offload.
 */
final class FamilyConversation implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int[] SIZES = {0, 1, 255, 1024, 4096, 4097, 65_536, 1_000_003};
    private static final int BYTES = 1 << 20;
    private static final int QKEY = 0x1234;
    private static final int HOPS = 33;

    /** The first packet of each connected socket is one whose number had to be found; no more than one for each queue pair. */
    private static final long MOST_LANES = 8;

    private static final int CLASS = 0xb8;
    private static final int LABEL = 0x4_5678;
    private static final AccessFlag[] ALL = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    private final SoftNetwork network;
    private final End left;
    private final End right;

    /** A device, and memory with pseudo-random content. */
    private static final class End {
        final Context context;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final MemoryRegion memory;
        final MemorySegment segment = Arena.ofAuto().allocate(BYTES, 64);

        End(Device device, int seed) {
            context = device.open();
            domain = context.allocateProtectionDomain();
            completions = context.createCompletionQueue(256);
            memory = domain.register(segment, ALL);
            byte[] bytes = new byte[BYTES];
            new Random(seed).nextBytes(bytes);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, BYTES);
        }

        QueuePair queuePair(QueuePairType type) {
            QueuePair made = domain.queuePair(completions)
                    .type(type)
                    .qkey(QKEY)
                    .depth(32, 32)
                    .build();
            if (type == QueuePairType.UD) {
                made.activate();
            }
            return made;
        }

        /** Waits for completions, all of which must succeed. */
        void complete(int count) {
            List<Long> bytes = new ArrayList<>();
            int got = completions.await(
                    count, PATIENCE, done -> bytes.add(done.requireSuccess().byteLength()));
            require(got == count, got + " completions of " + count);
        }
    }

    private FamilyConversation(InetAddress one, InetAddress other, boolean segmentation) {
        network = SoftNetwork.builder()
                .udp(plan -> plan.with(Carrier.LINUX).withSegmentation(segmentation))
                .device("soft0", one)
                .device("soft1", other)
                .build();
        List<Device> devices = DeviceCatalog.of(
                        List.of(network), DeviceCatalog.installed().providers())
                .devices();
        left = new End(devices.getFirst(), 1);
        right = new End(devices.getLast(), 2);
    }

    public static void main(String[] words) {
        InetAddress one = InetAddress.ofLiteral(words[0]);
        InetAddress other = InetAddress.ofLiteral(words[1]);
        Gid group = Gid.ofGroup(InetAddress.ofLiteral(words[2]));
        boolean segmentation = Boolean.parseBoolean(words[3]);
        try (FamilyConversation conversation = new FamilyConversation(one, other, segmentation)) {
            conversation.connections();
            conversation.datagrams(Gid.of(one), Gid.of(other));
            conversation.groups(Gid.of(one), group);
            conversation.checkCounters(segmentation);
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    private void connections() {
        ConnectOptions options = ConnectOptions.defaults()
                .hopLimit(HOPS)
                .trafficClass(CLASS)
                .flowLabel(LABEL)
                .ackTimeout(Duration.ofMillis(500));
        QueuePair one = left.queuePair(QueuePairType.RC);
        QueuePair other = right.queuePair(QueuePairType.RC);
        one.connect(other.endpoint(), options);
        other.connect(one.endpoint(), options);
        for (int size : SIZES) {
            exchange(one, other, size);
        }
        try (SendBatch batch = one.batch()) {
            Host.setLong(right.segment, 0, 7);
            batch.fetchAndAdd(1, right.memory.remote(), 0, 5)
                    .sge(left.memory.slice(0, 8))
                    .signaled();
            batch.compareAndSwap(2, right.memory.remote(), 0, 12, 99)
                    .sge(left.memory.slice(8, 8))
                    .signaled();
            batch.submit();
        }
        left.complete(2);
        require(Host.getLong(left.segment, 0) == 7 && Host.getLong(left.segment, 8) == 12, "what atomics found");
        require(Host.getLong(right.segment, 0) == 99, "what atomics left");
        print("SEND, WRITE, READ and atomics");
    }

    private void exchange(QueuePair one, QueuePair other, int size) {
        other.postReceive(1, right.memory.slice(0, size));
        one.postSend(1, left.memory.slice(0, size));
        right.complete(1);
        left.complete(1);
        require(same(size), "a SEND of " + size);
        right.segment.fill((byte) 0);
        try (SendBatch batch = one.batch()) {
            batch.write(1, right.memory.remote(), 0)
                    .sge(left.memory.slice(0, size))
                    .signaled();
            batch.submit();
        }
        left.complete(1);
        require(same(size), "a WRITE of " + size);
        left.segment.asSlice(0, size).fill((byte) 0);
        try (SendBatch batch = one.batch()) {
            batch.read(1, right.memory.remote(), 0)
                    .sge(left.memory.slice(0, size))
                    .signaled();
            batch.submit();
        }
        left.complete(1);
        require(same(size), "a READ of " + size);
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, left.segment, 0, size);
    }

    private boolean same(int size) {
        return MemorySegment.mismatch(left.segment, 0, size, right.segment, 0, size) < 0;
    }

    private AddressHandle handle(Gid to) {
        int source = left.context.gids(1).stream()
                .filter(entry -> entry.gid().equals(Gid.of(address(left))))
                .findFirst()
                .orElseThrow()
                .index();
        return left.domain.createAddressHandle(
                AddressVector.roce(to, 1, source).withTraffic(HOPS, CLASS).withFlowLabel(LABEL));
    }

    private static InetAddress address(End end) {
        String link = end.context.device().properties().getOrDefault("link", "");
        return InetAddress.ofLiteral(link.split(" ", 3)[1].replace(",", ""));
    }

    private void datagrams(Gid one, Gid other) {
        QueuePair sender = left.queuePair(QueuePairType.UD);
        QueuePair receiver = right.queuePair(QueuePairType.UD);
        int count = 20;
        int room = 2000;
        for (int index = 0; index < count; index++) {
            receiver.postReceive(index, right.memory.slice((long) index * room, room));
        }
        try (AddressHandle to = handle(other)) {
            try (SendBatch batch = sender.batch()) {
                for (int index = 0; index < count; index++) {
                    batch.send(index)
                            .to(to, receiver.number(), QKEY)
                            .sge(left.memory.slice(index, 1000))
                            .signaled();
                }
                batch.submit();
            }
            left.complete(count);
            right.complete(count);
        }
        for (int index = 0; index < count; index++) {
            long at = (long) index * room;
            checkHeader(Grh.read(right.memory.slice(at, Grh.BYTES)), one, other);
            require(
                    MemorySegment.mismatch(
                                    left.segment,
                                    index,
                                    index + 1000,
                                    right.segment,
                                    at + Grh.BYTES,
                                    at + Grh.BYTES + 1000)
                            < 0,
                    "datagram " + index);
        }
        print("datagrams");
    }

    private static void checkHeader(Grh header, Gid from, Gid to) {
        boolean ipv4 = from.isIpv4Mapped();
        Grh expected = new Grh(ipv4 ? 4 : 6, from, to, CLASS, ipv4 ? 0 : LABEL, HOPS);
        require(header.equals(expected), header + " instead of " + expected);
    }

    private void groups(Gid one, Gid group) {
        QueuePair sender = left.queuePair(QueuePairType.UD);
        QueuePair member = right.queuePair(QueuePairType.UD);
        member.attachMulticast(group);
        member.postReceive(1, right.memory.slice(0, 2000));
        try (AddressHandle to = handle(group);
                SendBatch batch = sender.batch()) {
            batch.send(1)
                    .to(to, AddressHandle.MULTICAST_QUEUE_PAIR, QKEY)
                    .sge(left.memory.slice(0, 500))
                    .signaled();
            batch.submit();
            left.complete(1);
            right.complete(1);
        }
        checkHeader(Grh.read(right.memory.slice(0, Grh.BYTES)), one, group);
        require(
                MemorySegment.mismatch(left.segment, 0, 500, right.segment, Grh.BYTES, Grh.BYTES + 500) < 0,
                "the datagram to a group");
        member.detachMulticast(group);
        print("groups");
    }

    private void checkCounters(boolean segmentation) {
        Map<String, Long> counters = right.context.device().counters(1);
        require(
                !counters.containsKey("dropped_bad_icrc")
                        && counters.getOrDefault("link_recovered_identifications", 0L) <= MOST_LANES,
                counters.toString());
        Map<String, Long> sent = left.context.device().counters(1);
        long packets = sent.getOrDefault("link_sent_packets", 0L);
        long sends = sent.getOrDefault("link_sends", 0L);
        require(segmentation ? sends < packets / 2 : sends == packets, sent.toString());
        print("segmentation " + segmentation);
    }

    private static void print(String what) {
        System.out.println("OK " + what);
    }

    @Override
    public void close() {
        left.context.close();
        right.context.close();
        network.close();
    }
}
