package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.KernelException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class MemoryPinTest {
    @Test
    void holdsMemoryUntilClosed() {
        MemorySegment memory = Arena.ofAuto().allocate(8);
        MemoryPin pin = new MemoryPin(memory);
        assertThat(pin.memory()).isSameAs(memory);
        pin.close();
        pin.close();
        assertThat(pin.memory()).isNull();
    }

    @Test
    void acceptsSharedAndGlobalMemory() {
        try (Arena shared = Arena.ofShared()) {
            new MemoryPin(shared.allocate(8)).close();
        }
        new MemoryPin(Arena.global().allocate(8)).close();
    }

    @Test
    void refusesWhatADeviceCannotReach() {
        refusal(MemorySegment.ofArray(new byte[8])).hasMessageContaining("heap");
        try (Arena confined = Arena.ofConfined()) {
            refusal(confined.allocate(8)).hasMessageContaining("confined");
        }
        MemorySegment gone;
        try (Arena shared = Arena.ofShared()) {
            gone = shared.allocate(8);
        }
        refusal(gone).hasMessageContaining("closed");
    }

    private static AbstractThrowableAssert<?, ?> refusal(MemorySegment memory) {
        return assertThatThrownBy(() -> new MemoryPin(memory))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT));
    }
}
