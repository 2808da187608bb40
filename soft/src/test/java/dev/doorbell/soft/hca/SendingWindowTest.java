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
        assertThat(window.isFilledBy(size)).isTrue();
        assertThat(window.isFilledBy(size - 1)).isFalse();
        return size;
    }

    @Test
    void lossesHalveItAndProgressOpensItAgain() {
        assertThat(size()).isEqualTo(128);
        window.progress();
        assertThat(size()).isEqualTo(128);
        window.lost();
        assertThat(size()).isEqualTo(64);
        window.progress();
        assertThat(size()).isEqualTo(65);
        window.start();
        assertThat(size()).isEqualTo(128);
    }

    @Test
    void itNeverCloses() {
        for (int i = 0; i < 100; i++) {
            window.lost();
        }
        assertThat(size()).isEqualTo(16);
        assertThat(window.hasRoom(0, PacketSender.READ_CHUNK))
                .as("a READ may go alone")
                .isTrue();
        assertThat(window.hasRoom(1, PacketSender.READ_CHUNK)).isFalse();
    }
}
