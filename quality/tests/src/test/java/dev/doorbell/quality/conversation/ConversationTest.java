package dev.doorbell.quality.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.testkit.Property;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole conversations, through the verbs API, over a link that loses, doubles and delays packets. A failure says its seed;
 * {@code -Ddoorbell.seed=N} with the same test repeats it.
 */
@Timeout(600)
final class ConversationTest {
    private static final int PACKETS = 10_000;

    @ParameterizedTest(name = "{0} faults of each kind, {1} seeds")
    @CsvSource({"0.00, 10", "0.01, 100", "0.05, 100", "0.10, 100"})
    void everythingArrivesOnceAndInOrder(double faultRate, int seeds) {
        AtomicInteger givenUp = new AtomicInteger();
        Property.named("a conversation with " + faultRate + " of the packets lost, doubled and late")
                .runs(seeds)
                .check(draw -> {
                    try (Conversation conversation = new Conversation(draw, faultRate)) {
                        if (conversation.run(PACKETS)) {
                            assertThat(conversation.packets()).isGreaterThanOrEqualTo(PACKETS);
                        } else {
                            givenUp.incrementAndGet();
                        }
                    }
                });

        // A device gives up after eight failures in a row without any success between: rare even where each tenth
        // packet is lost.
        assertThat(givenUp.get())
                .as("conversations in which a device gave up")
                .isLessThanOrEqualTo(faultRate < 0.05 ? 0 : seeds / 20);
    }
}
