package dev.doorbell.bench.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.doorbell.bench.udp.UdpOptions.Effort;
import dev.doorbell.bench.udp.UdpOptions.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UdpOptionsTest {
    @Test
    void everythingIsMeasuredUnlessSomethingIsNamed() {
        assertThat(UdpOptions.parse().parts()).containsExactlyInAnyOrder(Part.values());
        assertThat(UdpOptions.parse("--loopback", "--latency").parts())
                .containsExactlyInAnyOrder(Part.LOOPBACK, Part.LATENCY);
        assertThat(UdpOptions.parse("--veth").has(Part.LOOPBACK)).isFalse();
    }

    @Test
    void effortAndPlaceAreIndependent() {
        UdpOptions options = UdpOptions.parse("--quick", "--rounds", "3", "--no-pin");
        assertThat(options.effort().rounds()).isEqualTo(3);
        assertThat(options.effort().chunks()).isEqualTo(Effort.QUICK.chunks());
        assertThat(options.pin()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rounds", "--rounds 0", "--rounds x", "--fast"})
    void whatMakesNoSenseIsExplained(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpOptions.parse(line.split(" ")))
                .withMessageMatching(".*(--rounds|unknown option).*");
    }
}
