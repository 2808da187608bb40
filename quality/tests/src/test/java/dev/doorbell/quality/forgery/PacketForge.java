package dev.doorbell.quality.forgery;

import dev.doorbell.memory.Be;
import dev.doorbell.spec.ExtendedHeader;
import dev.doorbell.spec.Opcode;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.RemoteMemory;
import dev.doorbell.wire.Aeth;
import dev.doorbell.wire.AtomicEth;
import dev.doorbell.wire.Bth;
import dev.doorbell.wire.Deth;
import dev.doorbell.wire.Headers;
import dev.doorbell.wire.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Makes packets that nobody should send: noise, packets of every operation that are nearly or wholly right, with numbers, keys and addresses that
 * hit, and those with bits changed, cut off or drawn out. The same seed makes the same.
 */
final class PacketForge {
    /** Room for the longest. */
    static final int ROOM = 4096;

    private static final int[] OPCODES =
            IntStream.range(0, 256).filter(Opcode::isKnown).toArray();
    private static final int MANAGEMENT_QKEY = 0x8001_0000;
    private static final int MAD_BYTES = 256;

    private final SplittableRandom random;
    private final MemorySegment packet = Arena.ofAuto().allocate(ROOM, 64);

    PacketForge(long seed) {
        random = new SplittableRandom(seed);
    }

    /** What a forger knows of a queue pair. */
    record Target(QueuePairType type, int queuePair, int psn, int qkey, RemoteMemory memory) {}

    /** Where packets are made. */
    MemorySegment packet() {
        return packet;
    }

    /** Makes the next packet at the front of {@link #packet()}; returns its length. */
    int next(Target target) {
        return switch (random.nextInt(10)) {
            case 0 -> noise(target);
            case 1 -> management();
            case 2, 3, 4 -> spoiled(plausible(target));
            default -> plausible(target);
        };
    }

    boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private int noise(Target target) {
        int length = random.nextInt(200);
        fill(length);
        if (length >= Bth.SIZE && random.nextBoolean()) {
            Bth.setDestQp(packet, 0, target.queuePair());
        }
        return length;
    }

    /** A message of the connection manager, or what looks like one, for queue pair 1. */
    private int management() {
        int length = Headers.length(Opcode.UD_SEND_ONLY) + MAD_BYTES;
        fill(length);
        Bth.write(packet, 0, Opcode.UD_SEND_ONLY, 0, 1, random.nextInt(1 << 24));
        Deth.setQkey(packet, Bth.SIZE, MANAGEMENT_QKEY);
        Deth.setSrcQp(packet, Bth.SIZE, 1);
        long mad = Headers.length(Opcode.UD_SEND_ONLY);
        // Base version, class (communication management), class version, method, status, then the attribute.
        Be.setInt(packet, mad, 0x0107_0203);
        Be.setShort(packet, mad + 4, 0);
        Be.setShort(packet, mad + 16, 0x10 + random.nextInt(16));
        return random.nextInt(4) == 0 ? spoiled(length) : length;
    }

    private int plausible(Target target) {
        int opcode = OPCODES[random.nextInt(OPCODES.length)];
        // Mostly one that the queue pair takes.
        while (!Opcode.serves(opcode, target.type()) && random.nextInt(50) > 0) {
            opcode = OPCODES[random.nextInt(OPCODES.length)];
        }
        int payload = Opcode.hasPayload(opcode) ? payload() : 0;
        int headers = Headers.length(opcode);
        int pad = Headers.pad(payload);
        fill(headers + payload + pad);
        Bth.write(packet, 0, opcode, pad, queuePair(target), psn(target));
        Bth.setAckRequested(packet, 0, random.nextBoolean());
        Bth.setSolicited(packet, 0, random.nextBoolean());
        if (Opcode.has(opcode, ExtendedHeader.RETH)) {
            long at = Headers.offset(opcode, ExtendedHeader.RETH);
            Reth.setVa(packet, at, address(target));
            Reth.setRkey(packet, at, key(target));
            Reth.setDmaLength(packet, at, bytes(payload));
        }
        if (Opcode.has(opcode, ExtendedHeader.ATOMIC_ETH)) {
            long at = Headers.offset(opcode, ExtendedHeader.ATOMIC_ETH);
            AtomicEth.setVa(packet, at, address(target) & -8);
            AtomicEth.setRkey(packet, at, key(target));
        }
        if (Opcode.has(opcode, ExtendedHeader.DETH)) {
            Deth.setQkey(packet, Bth.SIZE, random.nextInt(4) == 0 ? random.nextInt() : target.qkey());
        }
        if (Opcode.has(opcode, ExtendedHeader.AETH) && random.nextBoolean()) {
            Aeth.setSyndrome(packet, Bth.SIZE, random.nextInt(4) == 0 ? 0x60 + random.nextInt(8) : 0x1f);
        }
        return headers + payload + pad;
    }

    private int spoiled(int length) {
        int end = length;
        switch (random.nextInt(4)) {
            case 0 -> end = random.nextInt(length + 1);
            case 1 -> end = Math.min(ROOM, length + random.nextInt(1, 64));
            default -> {}
        }
        for (int flips = random.nextInt(4); flips > 0 && end > 0; flips--) {
            int at = random.nextInt(random.nextBoolean() ? Math.min(end, 28) : end);
            Be.setByte(packet, at, Be.getUnsignedByte(packet, at) ^ 1 << random.nextInt(8));
        }
        return end;
    }

    private void fill(int length) {
        for (int at = 0; at < length; at++) {
            Be.setByte(packet, at, random.nextInt(256));
        }
    }

    private int payload() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> 8;
            case 2 -> 1024;
            case 3 -> 1023;
            default -> random.nextInt(300);
        };
    }

    private int queuePair(Target target) {
        return switch (random.nextInt(20)) {
            case 0 -> random.nextInt(1 << 24) | 1 << 23;
            case 1 -> Bth.MULTICAST_QP;
            default -> target.queuePair();
        };
    }

    private int psn(Target target) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(1 << 24);
            case 1, 2 -> target.psn() + random.nextInt(-100, 100) & 0xff_ffff;
            default -> target.psn() + random.nextInt(-2, 8) & 0xff_ffff;
        };
    }

    private long address(Target target) {
        long from = target.memory().address();
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> from + random.nextLong(-5000, target.memory().length() + 5000);
            default -> from + random.nextLong(target.memory().length());
        };
    }

    private int key(Target target) {
        return random.nextInt(8) == 0 ? random.nextInt() : target.memory().rkey();
    }

    private long bytes(int payload) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt() & 0xffff_ffffL;
            case 1 -> random.nextInt(100_000);
            case 2 -> 0;
            default -> payload;
        };
    }
}
