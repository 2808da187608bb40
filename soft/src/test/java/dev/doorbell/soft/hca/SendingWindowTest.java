package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rule 3.4: the window after losses. */
class SendingWindowTest {
    private final SendingWindow window = new SendingWindow();

    private int size() {
        int size = 1;
        while (window.hasRoom(size, 1)) {
            size++;
        }
        assertThat(window.asks(size, 0)).isTrue();
        assertThat(window.asks(size - 1, 0)).isFalse();
        return size;
    }

    @Test
    void lossesHalveItAndEachWindowThatGetsThroughOpensItByOne() {
        assertThat(size()).isEqualTo(128);
        window.progress(1000);
        assertThat(size()).isEqualTo(128);
        window.lost();
        assertThat(size()).isEqualTo(64);
        window.progress(63);
        assertThat(size()).isEqualTo(64);
        window.progress(1);
        assertThat(size()).isEqualTo(65);
        window.start();
        assertThat(size()).isEqualTo(128);
    }

    @Test
    void itNeverCloses() {
        for (int i = 0; i < 100; i++) {
            window.lost();
        }
        assertThat(size()).isEqualTo(4);
        assertThat(window.readChunk()).isEqualTo(2);
        assertThat(window.hasRoom(0, SendingWindow.MOST / 2))
                .as("a READ may go alone")
                .isTrue();
        assertThat(window.hasRoom(1, SendingWindow.MOST / 2)).isFalse();
    }

    @Test
    void aQuestionGoesAlone() {
        window.ask();
        assertThat(window.hasRoom(0, 1)).isTrue();
        assertThat(window.asks(1, 1)).isTrue();
        assertThat(window.hasRoom(1, 1)).isFalse();
        window.progress(1);
        assertThat(size()).as("what was asked for was lost, probably").isEqualTo(64);
    }

    @Test
    void aSmallWindowAsksOften() {
        assertThat(window.asks(31, 31)).isFalse();
        assertThat(window.asks(32, 32)).isTrue();
        window.lost();
        assertThat(window.asks(15, 15)).isFalse();
        assertThat(window.asks(16, 16)).isTrue();
    }
}
