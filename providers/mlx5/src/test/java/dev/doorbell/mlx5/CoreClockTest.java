package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Be;
import dev.doorbell.verbs.spi.Operation;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The device's clock, and what a user may choose. */
class CoreClockTest {
    private static final long PAGE = 4096;

    private static Mlx5Context context(FakeMlx5 kernel) {
        return new ContextOpening(new FakeDevice(kernel), kernel, new DirectStores(), Mlx5Settings.USUAL).open();
    }

    @Test
    void theClockIsTheBigEndianCounterInItsPage() {
        FakeMlx5 kernel = new FakeMlx5("dyn");
        MemorySegment page = Arena.ofAuto().allocate(PAGE, PAGE);
        kernel.clock = page;
        Mlx5Context context = context(kernel);
        Be.setLong(page, 0, 0x1122_3344_ffff_fff0L);
        assertThat(context.queryClock()).isEqualTo(0x1122_3344_ffff_fff0L);
        Be.setLong(page, 0, 0x1122_3345_0000_0000L);
        assertThat(context.queryClock()).isEqualTo(0x1122_3345_0000_0000L);
        assertThat(context.offers(Operation.QUERY_RT_VALUES)).isTrue();
    }

    @Test
    void aDeviceWhoseClockCannotBeReadIsOpenedAndOffersNone() {
        Mlx5Context context = context(new FakeMlx5("dyn"));
        assertThat(context.offers(Operation.QUERY_RT_VALUES)).isFalse();
        assertThatThrownBy(context::queryClock)
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EOPNOTSUPP));
    }

    @Test
    void completionsHaveTimestampsWhereTheyWereAskedFor() {
        Mlx5Context context = context(new FakeMlx5("dyn"));
        for (boolean wanted : new boolean[] {false, true}) {
            assertThat(context.createCompletionQueue(new CompletionQueueRequest(7, 0, -1, 1, wanted, false))
                            .hasTimestamps())
                    .isEqualTo(wanted);
        }
    }

    @Test
    void entriesAreOfTheSizeThatTheUserChose() {
        Function<String, @Nullable String> nothing = name -> null;
        String variable = Mlx5Settings.ENTRY_SIZE_VARIABLE;
        assertThat(Mlx5Settings.of(nothing, Map.of()).entrySize()).isEqualTo(64);
        assertThat(Mlx5Settings.of(nothing, Map.of(variable, "128")).entrySize())
                .isEqualTo(128);
        assertThat(Mlx5Settings.of(name -> name.endsWith("cqeSize") ? "64" : null, Map.of(variable, "128"))
                        .entrySize())
                .isEqualTo(64);
        assertThat(Mlx5Settings.of(nothing, Map.of(Mlx5Settings.DATA_INSIDE_VARIABLE, "0"))
                        .dataInside())
                .isFalse();
        assertThatThrownBy(() -> Mlx5Settings.of(nothing, Map.of(Mlx5Settings.DATA_INSIDE_VARIABLE, "no")))
                .isInstanceOf(VerbsFault.class);
        assertThatThrownBy(() -> Mlx5Settings.of(nothing, Map.of(variable, "96")))
                .isInstanceOf(VerbsFault.class)
                .hasMessageContaining("96");
    }
}
