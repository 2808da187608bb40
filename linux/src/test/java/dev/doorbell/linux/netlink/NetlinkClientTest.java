package dev.doorbell.linux.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.KernelException;
import dev.doorbell.kernel.abi.NetlinkHeader;
import dev.doorbell.kernel.abi.NldevIds;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of an exchange, against datagrams of a few bytes. */
@Timeout(30)
class NetlinkClientTest {
    /** Header without length and number: type, flags, then sequence and port. */
    private static final String GET = "0114" + "0200";

    private static final String INTERRUPTED = "0114" + "1200";
    private static final String DONE = "0300" + "0200";
    private static final String ERROR = "0200" + "0000";
    private static final String SEQUENCE = "0b000000" + "00000000";

    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> sent = new ArrayList<>();
    private int receives;

    private final NetlinkClient client = new NetlinkClient(
            new NetlinkTransport() {
                @Override
                public void send(MemorySegment message) {
                    sent.add(HexFormat.of().formatHex(message.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
                }

                @Override
                public int receive(MemorySegment datagram, long timeoutNs) {
                    receives++;
                    if (answers.isEmpty()) {
                        return 0;
                    }
                    byte[] bytes = HexFormat.of().parseHex(answers.poll());
                    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, datagram, 0, bytes.length);
                    return bytes.length;
                }

                @Override
                public void close() {}
            },
            10,
            1_000_000_000L);

    private static String message(String head, String sequence, String payload) {
        int length = NetlinkHeader.SIZE + payload.length() / 2;
        return "%02x000000".formatted(length) + head + sequence + payload + "00".repeat(-length & 3);
    }

    private static NetlinkRequest request() {
        return new NetlinkRequest(NldevIds.GET, NldevIds.FLAG_DUMP);
    }

    @Test
    void requestsAreThoseBytes() {
        answers.add(message(ERROR, SEQUENCE, "00000000"));
        client.order(new NetlinkRequest(NldevIds.NEW_LINK, NldevIds.FLAG_ACK)
                .number(NldevIds.DEVICE_INDEX, 0x11223344)
                .text(NldevIds.DEVICE_NAME, "rxe0")
                .text(NldevIds.LINK_TYPE, "rxe"));
        assertThat(sent)
                .containsExactly("2c000000" + "0314" + "0500" + "0b000000" + "00000000" + "0800" + "0100" + "44332211"
                        + "0900" + "0200" + "7278653000" + "000000" + "0800" + "4100" + "72786500");
    }

    @Test
    void aListMayComeInOneDatagramOrInMany() {
        answers.add(message(GET, SEQUENCE, "0800010005000000") + message(GET, SEQUENCE, "0800010006000000"));
        answers.add(message(GET, SEQUENCE, "0800010007000000") + message(DONE, SEQUENCE, "00000000"));
        assertThat(client.list(request()))
                .extracting(each -> each.number(NldevIds.DEVICE_INDEX, -1L))
                .containsExactly(5L, 6L, 7L);
    }

    @Test
    void otherNumbersAndTypesArePassedOver() {
        answers.add(message(GET, "0a000000" + "00000000", "0800010005000000")
                + message("0214" + "0200", SEQUENCE, "0800010005000000")
                + message("0100" + "0000", SEQUENCE, "")
                + message(DONE, "0c000000" + "00000000", "00000000")
                + message(DONE, SEQUENCE, ""));
        assertThat(client.list(request())).isEmpty();
    }

    @Test
    void aListThatChangedIsAskedForAgain() {
        answers.add(message(INTERRUPTED, SEQUENCE, "0800010005000000") + message(DONE, SEQUENCE, ""));
        answers.add(
                message(GET, "0c000000" + "00000000", "0800010006000000") + message(DONE, "0c000000" + "00000000", ""));
        assertThat(client.list(request()))
                .extracting(each -> each.number(NldevIds.DEVICE_INDEX, -1L))
                .containsExactly(6L);
        assertThat(sent).hasSize(2);
    }

    @Test
    void aListThatNeverStandsStillIsGivenUp() {
        for (int sequence = 11; sequence < 40; sequence++) {
            String number = "%02x000000".formatted(sequence) + "00000000";
            answers.add(message(INTERRUPTED, number, "") + message(DONE, number, ""));
        }
        assertThatThrownBy(() -> client.list(request())).hasMessageEndingWith("(EAGAIN)");
        assertThat(sent).hasSizeLessThan(20);
    }

    @Test
    void lengthsAreNotBelieved() {
        for (String head : List.of("00000000", "0f000000", "ffffffff", "ffffff7f", "40000000")) {
            answers.clear();
            answers.add(head + GET + "%02x000000".formatted(11 + sent.size()) + "00000000");
            assertThatThrownBy(() -> client.list(request()))
                    .as(head)
                    .isInstanceOf(KernelException.class)
                    .hasMessageEndingWith("(EPROTO)");
        }
        answers.add("100000");
        assertThatThrownBy(() -> client.list(request())).hasMessageEndingWith("(EPROTO)");
    }

    @Test
    void errorsAreErrnos() {
        answers.add(message(ERROR, SEQUENCE, "ffffffff"));
        assertThatThrownBy(() -> client.list(request())).hasMessageEndingWith("(EPERM)");
        answers.add(message(ERROR, "0c000000" + "00000000", "00000080"));
        assertThatThrownBy(() -> client.list(request())).hasMessageEndingWith("(EPROTO)");
        answers.add(message(ERROR, "0d000000" + "00000000", "0500"));
        assertThatThrownBy(() -> client.list(request())).hasMessageEndingWith("(EPROTO)");
    }

    @Test
    void anEndlessAnswerEnds() {
        String many = message(GET, SEQUENCE, "").repeat(2000);
        for (int i = 0; i < 100; i++) {
            answers.add(many);
        }
        assertThatThrownBy(() -> client.list(request()))
                .hasMessageContaining("more than " + NetlinkClient.MAX_MESSAGES);
        assertThat(receives).isLessThan(20);
    }

    @Test
    void attributesEndWhereTheyMakeNoSense() {
        assertThat(parse("0800010005000000" + "0300" + "0200")).matches(a -> !a.isComplete() && a.has(1) && !a.has(2));
        assertThat(parse("0800010005000000" + "0900" + "0200" + "41424344")).matches(a -> !a.isComplete() && !a.has(2));
        assertThat(parse("0800010005000000" + "08")).matches(a -> !a.isComplete() && a.has(1));
        assertThat(parse("05000e0001")).as("without its padding").matches(NetlinkAttributes::isComplete);
        assertThat(parse("0800018005000000").number(1, -1L)).as("nested flag").isEqualTo(5);
    }

    @Test
    void valuesOfAnotherSizeAreAbsent() {
        assertThat(parse("0700010001020300").number(1, 9L)).isEqualTo(9);
        assertThat(parse("04000100").number(1, 9L)).isEqualTo(9);
        assertThat(parse("05000100ff").number(1, 9L)).isEqualTo(255);
        assertThat(parse("08000100ffffffff").number(1, 9L)).isEqualTo(0xffff_ffffL);
        assertThat(parse("08000100ffffffff").number(1, Integer.MAX_VALUE, -1)).isEqualTo(-1);
        assertThat(parse("0c000100ffffffffffffffff").number(1, Integer.MAX_VALUE, -1))
                .isEqualTo(-1);
        assertThat(parse("08000200" + "72786530").text(2))
                .as("no zero at its end")
                .isEqualTo("rxe0");
        assertThat(parse("08000200" + "72007865").text(2)).isEqualTo("r");
        assertThat(parse("").text(2)).isEmpty();
    }

    private static NetlinkAttributes parse(String hex) {
        return NetlinkAttributes.parse(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
    }
}
