package dev.doorbell.quality.rings;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.memory.Host;
import dev.doorbell.quality.stack.TappedChannel;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Knows everything that a program shares with an mlx5 device: the register pages that were mapped, and the queues and doorbell records
 * that were pinned. And spoils it.
 */
final class Mlx5Attacker {
    private static final int WORD = Integer.BYTES;

    private final List<MemorySegment> registers = new CopyOnWriteArrayList<>();
    private final List<MemorySegment> pinned = new CopyOnWriteArrayList<>();

    /** Where garbage goes. */
    enum Target {
        /** Register pages: doorbells, whole work requests, arming. */
        REGISTERS,
        /** Send, receive and completion queues, and doorbell records. */
        MEMORY,
        /** Both. */
        EVERYTHING
    }

    /** Puts the attacker on a channel. */
    CommandChannel on(CommandChannel channel) {
        return new TappedChannel(channel) {
            @Override
            public Pin pin(MemorySegment memory) {
                pinned.add(memory);
                return super.pin(memory);
            }

            @Override
            protected void mapped(MemorySegment mapping) {
                registers.add(mapping);
            }

            @Override
            protected void ringing() {}
        };
    }

    /** Memory that is the program's own rather than the driver's is spared. */
    void spare(MemorySegment memory) {
        pinned.removeIf(segment -> segment.address() == memory.address());
    }

    /** Queues that the driver has given to the device, and pages of doorbell records; then the register pages. */
    int places() {
        return pinned.size() + registers.size();
    }

    /** Overwrites words, a few or most of them, with anything, with extremes, or with what lies elsewhere. */
    void spoil(Target target, Random random) {
        if (target != Target.REGISTERS) {
            pinned.forEach(segment -> spoil(segment, random));
        }
        if (target != Target.MEMORY) {
            registers.forEach(segment -> spoil(segment, random));
        }
    }

    private static void spoil(MemorySegment memory, Random random) {
        int words = (int) (memory.byteSize() / WORD);
        int count = random.nextBoolean() ? 1 + random.nextInt(16) : words;
        for (int i = 0; i < count; i++) {
            long at = (long) random.nextInt(words) * WORD;
            long from = (long) random.nextInt(words) * WORD;
            switch (random.nextInt(6)) {
                case 0 -> Host.setInt(memory, at, 0);
                case 1 -> Host.setInt(memory, at, -1);
                case 2 -> Host.setInt(memory, at, Host.getInt(memory, from));
                case 3 -> Host.setInt(memory, at, Host.getInt(memory, at) ^ 1 << random.nextInt(Integer.SIZE));
                case 4 -> Host.setByte(memory, at + random.nextInt(WORD), random.nextInt());
                default -> Host.setInt(memory, at, random.nextInt());
            }
        }
    }
}
