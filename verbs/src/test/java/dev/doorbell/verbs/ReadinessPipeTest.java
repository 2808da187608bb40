package dev.doorbell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadinessPipeTest {
    private static final int ROUNDS = 20_000;

    /** Whoever raises it may be kept from its processor at any moment: what a selector has seen can be lowered all the same. */
    @Test
    void whatASelectorSawIsLowered() throws Exception {
        Semaphore turns = new Semaphore(0);
        Semaphore done = new Semaphore(0);
        try (ReadinessPipe pipe = ReadinessPipe.open("pipe");
                Selector selector = Selector.open()) {
            pipe.source().register(selector, SelectionKey.OP_READ);
            Thread raiser = Thread.ofPlatform().start(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    turns.acquireUninterruptibly();
                    pipe.raise();
                    done.release();
                }
            });
            for (int round = 0; round < ROUNDS; round++) {
                turns.release();
                assertThat(selector.select()).isEqualTo(1);
                selector.selectedKeys().clear();
                pipe.lower();
                assertThat(selector.selectNow()).as("round %d", round).isZero();
                done.acquireUninterruptibly();
            }
            raiser.join();
        }
    }
}
