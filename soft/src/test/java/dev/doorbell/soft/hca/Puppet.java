package dev.doorbell.soft.hca;

import dev.doorbell.memory.Be;
import dev.doorbell.soft.link.InMemoryLink;
import dev.doorbell.soft.link.InMemoryNetwork;
import dev.doorbell.soft.link.Transmitter;
import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import dev.doorbell.wire.Aeth;
import dev.doorbell.wire.AtomicEth;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Deth;
import dev.doorbell.wire.Headers;
import dev.doorbell.wire.PacketView;
import dev.doorbell.wire.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A peer made of hand-written packets, for one queue pair of a real device. */
final class Puppet {
    static final int PSN = 1000;

    private static final int NUMBER = 77;

    final AtomicLong clock = new AtomicLong(1_000_000);
    final InMemoryNetwork network = new InMemoryNetwork();
    final Device device = new Device(1, clock, network.join(List.of(Device.gid(1))));
    final Endpoint endpoint;
    private final InMemoryLink link = network.join(List.of(Device.gid(2)));
    private final Transmitter transmitter = link.newTransmitter();

    Puppet() {
        this(new Endpoint.Options());
    }

    Puppet(Endpoint.Options options) {
        options.sendPsn = PSN;
        options.receivePsn = PSN;
        endpoint = device.endpoint(options);
        if (endpoint.init() + endpoint.readyToReceive(Device.gid(2), NUMBER) + endpoint.readyToSend() != 0) {
            throw new AssertionError("not connected");
        }
    }

    /** A packet to send. */
    final class Packet {
        private final MemorySegment memory = transmitter.memory();
        private final long at = transmitter.claim();
        private final int opcode;
        private int length;

        private Packet(int opcode, int psn, int payload) {
            this.opcode = opcode;
            memory.fill((byte) 0);
            Bth.write(memory, at, opcode, Headers.pad(payload), endpoint.queuePair.number(), psn);
            length = Headers.length(opcode) + payload + Headers.pad(payload);
        }

        Packet ask() {
            Bth.setAckRequested(memory, at, true);
            return this;
        }

        Packet fill(int value) {
            for (int offset = Headers.length(opcode); offset < length; offset++) {
                Be.setByte(memory, at + offset, value);
            }
            return this;
        }

        Packet rdma(long address, int key, long bytes) {
            long header = at + Headers.offset(opcode, ExtendedHeader.RETH);
            Reth.setVa(memory, header, address);
            Reth.setRkey(memory, header, key);
            Reth.setDmaLength(memory, header, bytes);
            return this;
        }

        Packet add(long address, int key, long delta) {
            long header = at + Headers.offset(opcode, ExtendedHeader.ATOMIC_ETH);
            AtomicEth.setVa(memory, header, address);
            AtomicEth.setRkey(memory, header, key);
            AtomicEth.setSwapOrAdd(memory, header, delta);
            return this;
        }

        Packet datagram(int qkey, int source) {
            long header = at + Headers.offset(opcode, ExtendedHeader.DETH);
            Deth.setQkey(memory, header, qkey);
            Deth.setSrcQp(memory, header, source);
            return this;
        }

        Packet syndrome(int value) {
            Aeth.setSyndrome(memory, at + Headers.offset(opcode, ExtendedHeader.AETH), value);
            return this;
        }

        /** Sends it and returns what comes back at once. */
        List<PacketView> send() {
            post();
            return work();
        }

        /** Sends it. */
        void post() {
            transmitter.send(length, Device.gid(2), Device.gid(1));
        }
    }

    /** A packet with {@code payload} bytes, {@code index} after the first sequence number. */
    Packet packet(int opcode, int index, int payload) {
        return new Packet(opcode, PSN + index, payload);
    }

    List<PacketView> acknowledge(int index, int syndrome) {
        return packet(Opcode.RC_ACKNOWLEDGE, index, 0).syndrome(syndrome).send();
    }

    /** Lets the device work, and returns the packets that it sent. */
    List<PacketView> work() {
        int rounds = 0;
        while (device.hca.doWork(clock.get())) {
            if (rounds++ > 10_000) {
                throw new AssertionError("the device does not come to rest");
            }
        }
        return arrived();
    }

    /** Lets the device do one round of work, and returns the packets that it sent. */
    List<PacketView> step() {
        device.hca.doWork(clock.get());
        return arrived();
    }

    private List<PacketView> arrived() {
        List<PacketView> packets = new ArrayList<>();
        link.receive(
                (memory, at, length, source, destination) -> {
                    MemorySegment copy = Arena.ofAuto().allocate(length, 4);
                    MemorySegment.copy(memory, at, copy, 0, length);
                    PacketView view = new PacketView();
                    if (!view.parse(copy, 0, length)) {
                        throw new AssertionError("sent by the device: " + view);
                    }
                    packets.add(view);
                },
                clock.get(),
                Integer.MAX_VALUE);
        return packets;
    }

    /** Lets time pass until the device sends something; a deadline may come without anything to do. */
    List<PacketView> later() {
        List<PacketView> packets = List.of();
        for (int step = 0; step < 10 && packets.isEmpty(); step++) {
            clock.set(Math.max(clock.get(), device.hca.nextDeadlineNs()));
            packets = work();
        }
        return packets;
    }
}
