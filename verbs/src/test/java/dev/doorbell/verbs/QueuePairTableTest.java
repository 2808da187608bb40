package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs by their numbers: as a map has them, also while others come and go. */
@Timeout(60)
final class QueuePairTableTest {
    private final Fixture fixture = new Fixture();
    private final QueuePairTable table = new QueuePairTable();
    private final QueuePair first = fixture.builder().build();
    private final QueuePair second = fixture.builder().build();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itIsAMap(long seed) {
        Random random = new Random(seed);
        Map<Integer, Long> cookies = new HashMap<>();
        Map<Integer, QueuePair> model = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            int number = random.nextInt(400) * 0x101;
            if (random.nextBoolean()) {
                QueuePair queuePair = random.nextBoolean() ? first : second;
                table.add(number, step, queuePair);
                model.put(number, queuePair);
                cookies.put(number, (long) step);
            } else {
                table.remove(number, cookies.getOrDefault(number, -1L));
                model.remove(number);
            }
            int asked = random.nextInt(400) * 0x101;
            assertThat(table.find(asked)).isSameAs(model.get(asked));
        }
        assertThat(model).isNotEmpty();
    }

    @Test
    void whoGotTheNumberAnewIsNotTakenOutInPlaceOfTheOther() {
        table.add(7, 1, first);
        table.add(7, 2, second);
        table.remove(7, 1);
        assertThat(table.find(7)).isSameAs(second);
        table.remove(7, 2);
        assertThat(table.find(7)).isNull();
    }

    @Test
    void oneThatStaysIsFoundWhileOthersComeAndGo() throws InterruptedException {
        table.add(0x11, 1, first);
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<@Nullable Object> wrong = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                QueuePair found = table.find(0x11);
                QueuePair other = table.find(0x1100);
                if (found != first || (other != null && other != second)) {
                    wrong.set(found + ", " + other);
                }
            }
        });
        for (int round = 0; round < 20_000; round++) {
            int number = 0x1100 + round % 300;
            table.add(number, round, second);
            if (round % 3 != 0) {
                table.remove(number, round);
            }
        }
        done.set(true);
        reader.join();
        assertThat(wrong.get()).isNull();
    }
}
