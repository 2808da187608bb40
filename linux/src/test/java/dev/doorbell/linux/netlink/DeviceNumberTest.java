package dev.doorbell.linux.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeviceNumberTest {
    @Test
    void majorAndMinorLieInPieces() {
        assertThat(DeviceNumber.text(0xe7c0)).isEqualTo("231:192");
        assertThat(DeviceNumber.text(0x105)).isEqualTo("1:5");
        assertThat(DeviceNumber.text(0x1234_5000_0000_0000L | 0xfff00 | 0xab | 0xfL << 20))
                .isEqualTo(0x12345fffL + ":" + 0xfab);
    }
}
