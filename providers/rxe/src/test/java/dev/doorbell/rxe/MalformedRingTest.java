package dev.doorbell.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.verbs.spi.VerbsFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A ring that makes no sense is refused when it is mapped, and what the kernel made is given back. */
class MalformedRingTest {
    private static final long KEY = 0x5000;
    private static final int GRANTED = 7;

    private final Fixtures fixtures = new Fixtures();
    private final FakeChannel channel = fixtures.channel;

    @BeforeEach
    void forgetOpening() {
        channel.log.clear();
    }

    @ParameterizedTest(name = "elements of 2^{0}, mask {1}")
    @CsvSource({
        "5, 7", // elements shorter than a completion
        "0, 7",
        "-1, 7",
        "31, 7",
        "200, 7",
        "6, 15", // other slots than those of the grant
        "6, 3",
        "6, 6", // not a mask
        "6, -1",
        "6, 2147483647",
        "7, 7", // beyond the mapping
    })
    void nonsenseInTheHead(int log2ElementSize, int mask) {
        FakeRing ring = channel.ring(KEY, 6, GRANTED + 1);
        Bytes.of(8).u32(0, log2ElementSize).u32(4, mask).copyTo(ring.memory(), 0);
        channel.answer(UverbsCommand.CREATE_CQ, Bytes.of(8).u32(4, GRANTED), ring.info(KEY));
        assertRefused();
        assertThat(channel.log).containsExactly("CREATE_CQ", "map " + KEY, "unmap", "DESTROY_CQ");
    }

    private void assertRefused() {
        assertThatThrownBy(() -> fixtures.context.createCompletionQueue(1, 0, -1, 0))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EIO))
                .hasMessageStartingWith("CREATE_CQ");
        assertThat(channel.mapped()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0", "383", "-1"})
    void nonsenseInTheGrant(int granted) {
        FakeRing ring = channel.ring(KEY, 6, GRANTED + 1);
        channel.answer(UverbsCommand.CREATE_CQ, Bytes.of(8).u32(4, granted), ring.info(KEY));
        assertRefused();
    }

    @ParameterizedTest
    @CsvSource({"0", "383"})
    void aMappingWithoutRoomForAHead(int length) {
        channel.ring(KEY, 6, GRANTED + 1);
        channel.answer(
                UverbsCommand.CREATE_CQ,
                Bytes.of(8).u32(4, GRANTED),
                Bytes.of(16).u64(0, KEY).u32(8, length));
        assertRefused();
        assertThat(channel.log).containsExactly("CREATE_CQ", "DESTROY_CQ");
    }

    @Test
    void aShortAnswerIsRefused() {
        channel.answer(UverbsCommand.CREATE_CQ, 0);
        assertRefused();
        assertThat(channel.log).containsExactly("CREATE_CQ", "DESTROY_CQ");
    }

    @Test
    void aMappingThatTheKernelRefusesKeepsItsErrno() {
        channel.answer(
                UverbsCommand.CREATE_CQ,
                Bytes.of(8).u32(4, GRANTED),
                Bytes.of(16).u64(0, 0xdead000).u32(8, 4096));
        assertThatThrownBy(() -> fixtures.context.createCompletionQueue(1, 0, -1, 0))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EINVAL))
                .hasMessage("CREATE_CQ: EINVAL")
                .hasRootCauseMessage("nothing is offered at 233492480 (EINVAL)");
        assertThat(channel.log).containsExactly("CREATE_CQ", "DESTROY_CQ");
    }

    @Test
    void aMappingLargerThanTheRingIsFine() {
        channel.offer(KEY, 4096);
        FakeRing ring = new FakeRing(channel.offer(KEY, 4096), 6, GRANTED + 1);
        channel.answer(UverbsCommand.CREATE_CQ, Bytes.of(8).u32(4, GRANTED), ring.info(KEY));
        assertThat(fixtures.context.createCompletionQueue(1, 0, -1, 0).capacity())
                .isEqualTo(GRANTED);
    }

    @Test
    void elementsMustHoldWhatTheQueuePairWasGranted() {
        // 208 bytes and 64 inline ones do not fit in 256.
        FakeRing send = channel.ring(Fixtures.SQ_KEY, 8, 4);
        fixtures.offerQueuePair(send, fixtures.receiveRing(4));
        var request = Fixtures.request(fixtures.completionQueue(4));
        channel.log.clear();
        assertThatThrownBy(() -> fixtures.context.createQueuePair(request))
                .isInstanceOf(VerbsFault.class)
                .hasMessage("CREATE_QP: ring has elements of 256 bytes where 272 are needed: EIO");
        assertThat(channel.log).containsExactly("CREATE_QP", "map " + Fixtures.SQ_KEY, "unmap", "DESTROY_QP");
    }

    @Test
    void aBadReceiveRingTakesTheSendRingWithIt() {
        FakeRing receive = channel.ring(Fixtures.RQ_KEY, 6, 4);
        fixtures.offerQueuePair(fixtures.sendRing(4), receive);
        var request = Fixtures.request(fixtures.completionQueue(4));
        channel.log.clear();
        assertThatThrownBy(() -> fixtures.context.createQueuePair(request)).isInstanceOf(VerbsFault.class);
        assertThat(channel.log)
                .containsExactly(
                        "CREATE_QP",
                        "map " + Fixtures.SQ_KEY,
                        "map " + Fixtures.RQ_KEY,
                        "unmap",
                        "unmap",
                        "DESTROY_QP");
    }

    @ParameterizedTest(name = "send elements {0}, receive elements {1}, inline {2}")
    @CsvSource({"-1, 2, 64", "4, -1, 64", "4, 2, -1", "2147483647, 2, 64", "4, 2, 2147483647"})
    void nonsenseInTheLimits(int sendSge, int receiveSge, int inline) {
        FakeRing send = fixtures.sendRing(4);
        FakeRing receive = fixtures.receiveRing(4);
        channel.answer(
                UverbsCommand.CREATE_QP,
                Bytes.of(32)
                        .u32(8, 3)
                        .u32(12, 3)
                        .u32(16, sendSge)
                        .u32(20, receiveSge)
                        .u32(24, inline),
                send.info(receive.info(Bytes.of(32), 0, Fixtures.RQ_KEY), 16, Fixtures.SQ_KEY));
        var request = Fixtures.request(fixtures.completionQueue(4));
        assertThatThrownBy(() -> fixtures.context.createQueuePair(request))
                .isInstanceOfSatisfying(
                        VerbsFault.class, fault -> assertThat(fault.errno()).isEqualTo(Errno.EIO));
        assertThat(channel.log).endsWith("DESTROY_QP");
    }
}
