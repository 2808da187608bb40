package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Be;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a register may lie. */
class RegisterTest {
    /** What a kernel says about its registers is looked at before anything is stored there. */
    @ParameterizedTest
    @CsvSource({"3840, 256", "3968, 128", "0, 100", "-64, 64", "4096, 0", "4040, 0", "0, -64", "0, 1073741824"})
    void aRegisterLiesInItsPage(long at, int half) {
        MemorySegment page = Arena.ofAuto().allocate(4096, 64);
        assertThatThrownBy(() -> new Register(new DirectStores(), page, 0, at, half, true))
                .isInstanceOfSatisfying(
                        VerbsFault.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
    }

    @ParameterizedTest
    @CsvSource({"2048, 256", "3584, 256", "4032, 0"})
    void aRegisterMayEndWithItsPage(long at, int half) {
        MemorySegment page = Arena.ofAuto().allocate(4096, 64);
        Register register = new Register(new DirectStores(), page, 0, at, half, true);
        register.ring(3);
        assertThat(Be.getLong(page, at)).isEqualTo(3);
    }
}
