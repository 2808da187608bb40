package dev.doorbell.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.Gid;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PortAddressTest {
    private static final String MESSAGE = "0000:000011:a3f05c:00000000000000000000ffff0a4d0001\0";
    private static final PortAddress ADDRESS =
            new PortAddress(0, 0x11, 0xa3f05c, Gid.parseHex("00000000000000000000ffff0a4d0001"));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void theBytesAreThoseOfTheCPrograms() {
        assertThat(HexFormat.of().formatHex(ADDRESS.toMessage()))
                .isEqualTo("303030303a3030303031313a6133663035633a"
                        + "3030303030303030303030303030303030303030666666663061346430303031"
                        + "00");
        assertThat(ADDRESS.toMessage()).isEqualTo(bytes(MESSAGE)).hasSize(PortAddress.BYTES);
    }

    @Test
    void everyDigitHasItsPlace() {
        PortAddress full =
                new PortAddress(0xfedc, 0xfedcba, 0x987654, Gid.parseHex("fe80000000000000deadbeef01234567"));
        assertThat(full.toMessage()).isEqualTo(bytes("fedc:fedcba:987654:fe80000000000000deadbeef01234567\0"));
        assertThat(PortAddress.fromMessage(full.toMessage())).isEqualTo(full);
    }

    @Test
    void digitsOfEitherCaseAreRead() {
        assertThat(PortAddress.fromMessage(bytes(MESSAGE))).isEqualTo(ADDRESS);
        assertThat(PortAddress.fromMessage(bytes("0000:000011:A3F05C:00000000000000000000FFFF0A4D0001\0")))
                .isEqualTo(ADDRESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0000:000011:a3f05c:00000000000000000000ffff0a4d0001", // no NUL
                "0000:000011:a3f05c:00000000000000000000ffff0a4d0001\0\0", // one too many
                "0000:000011:a3f05c:00000000000000000000ffff0a4d00010", // a digit where the NUL is
                "0000:000011:a3f05c:00000000000000000000ffff0a4d000\0\0", // a digit too few
                "0000:000011:a3f05c:00000000000000000000ffff0a4d000g\0", // no digit
                "0000;000011;a3f05c;00000000000000000000ffff0a4d0001\0", // other marks
                "000:0000011:a3f05c:00000000000000000000ffff0a4d0001\0", // other lengths
                "-001:000011:a3f05c:00000000000000000000ffff0a4d0001\0",
                "0x00:000011:a3f05c:00000000000000000000ffff0a4d0001\0",
                " 000:000011:a3f05c:00000000000000000000ffff0a4d0001\0",
                "0000:000011:a3f05c:::ffff:10.77.0.1\0",
                "0000:000011:a3f05c:00000000000000000000ffff0a4d0001\n",
                "\u00ff\u0000\u001b[2J",
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> PortAddress.fromMessage(bytes(text)))
                .isInstanceOf(PingpongException.class)
                .hasMessageStartingWith("the peer sent '")
                .hasMessageContaining("LID:QPN:PSN:GID")
                .message()
                .matches("[ -~]*");
    }

    @Test
    void whatStrangersSendCannotSpeakToTheTerminal() {
        assertThat(PortAddress.quoted("\u001b[2J\0é")).isEqualTo("'\\x1b[2J\\x00\\xe9'");
    }

    @Test
    void theTextIsThatOfTheCPrograms() {
        assertThat(ADDRESS.toText(",")).isEqualTo("LID 0x0000, QPN 0x000011, PSN 0xa3f05c, GID ::ffff:10.77.0.1");
        assertThat(ADDRESS.toText(":")).isEqualTo("LID 0x0000, QPN 0x000011, PSN 0xa3f05c: GID ::ffff:10.77.0.1");
    }
}
