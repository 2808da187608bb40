package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses may be registered. */
final class PinsTest {
    private final Quotas quotas = new Quotas(SoftLimits.RXE);
    private final Pins pins = new Pins(quotas);

    @Test
    void memoryThatNoDeviceCanReach() {
        refused(MemorySegment.ofArray(new byte[8]), "heap");
        try (Arena confined = Arena.ofConfined()) {
            refused(confined.allocate(8), "confined");
        }
        MemorySegment closed;
        try (Arena shared = Arena.ofShared()) {
            closed = shared.allocate(8);
        }
        refused(closed, "closed");
        assertThat(quotas.census()).isEqualTo(Census.EMPTY);
    }

    private void refused(MemorySegment memory, String reason) {
        assertThatThrownBy(() -> pins.pin(memory))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT))
                .hasMessageContaining(reason);
    }

    @Test
    void aPinIsClosedOnce() {
        MemorySegment memory = Arena.ofAuto().allocate(100);
        CommandChannel.Pin first = pins.pin(memory);
        CommandChannel.Pin second = pins.pin(memory);
        first.close();
        first.close();
        assertThat(quotas.pins.used()).isEqualTo(1);
        assertThat(pins.find(memory.address(), 100)).isNotNull();
        second.close();
        assertThat(pins.find(memory.address(), 100)).isNull();
        assertThat(quotas.census()).isEqualTo(Census.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsWhatANaiveSearchFinds(long seed) {
        Random random = new Random(seed);
        MemorySegment memory = Arena.ofAuto().allocate(10_000);
        List<MemorySegment> naive = new ArrayList<>();
        List<CommandChannel.Pin> open = new ArrayList<>();
        for (int step = 0; step < 2000; step++) {
            MemorySegment part = part(memory, random);
            switch (random.nextInt(3)) {
                case 0 -> {
                    open.add(pins.pin(part));
                    naive.add(part);
                }
                case 1 -> {
                    if (!open.isEmpty()) {
                        int index = random.nextInt(open.size());
                        open.remove(index).close();
                        naive.remove(index);
                    }
                }
                default -> {
                    boolean covered = naive.stream()
                            .anyMatch(pinned -> pinned.address() <= part.address()
                                    && part.address() + part.byteSize() <= pinned.address() + pinned.byteSize());
                    MemorySegment found = pins.find(part.address(), part.byteSize());
                    assertThat(found != null).as("seed %d step %d", seed, step).isEqualTo(covered);
                    if (found != null) {
                        assertThat(found.address()).isEqualTo(part.address());
                        assertThat(found.byteSize()).isEqualTo(part.byteSize());
                    }
                }
            }
        }
    }

    private static MemorySegment part(MemorySegment memory, Random random) {
        long offset = random.nextLong(memory.byteSize() - 1);
        long longest = random.nextInt(8) == 0 ? memory.byteSize() - offset : Math.min(300, memory.byteSize() - offset);
        return memory.asSlice(offset, 1 + random.nextLong(longest));
    }

    @Test
    void hostileRangesFindNothing() {
        MemorySegment memory = Arena.ofAuto().allocate(100);
        pins.pin(memory);
        assertThat(pins.find(memory.address(), Long.MAX_VALUE)).isNull();
        assertThat(pins.find(memory.address() - 1, 2)).isNull();
        assertThat(pins.find(-1, 100)).isNull();
        assertThat(pins.find(0, Long.MAX_VALUE)).isNull();
        assertThat(pins.find(memory.address(), 0)).isNull();
        assertThat(pins.find(memory.address(), -100)).isNull();
        assertThat(pins.find(memory.address() + 100, 1)).isNull();
    }
}
