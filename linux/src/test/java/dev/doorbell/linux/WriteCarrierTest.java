package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that reach the device, and those that come back, against a device of a few lines. */
class WriteCarrierTest {
    private static final long UNKNOWN_ADDRESS = 0x4141_4141_4141_4141L;
    private static final MemorySegment NONE = MemorySegment.NULL;

    private final List<byte[]> written = new ArrayList<>();
    private final List<Long> answerAddresses = new ArrayList<>();
    private int answerAt = 8;
    private int answerSize;
    private long outcome;

    private final WriteCarrier carrier = new WriteCarrier(this::device, new BufferPool());

    @Test
    void legacyCommandsCountWordsOfFourWithTheHeaderIncluded() {
        answerSize = 12;
        MemorySegment coreOut = zeroes(8);
        MemorySegment driverOut = zeroes(4);
        int errno = carrier.send(
                UverbsCommand.CREATE_CQ,
                bytes("0000000000000000 1122334455667788"),
                coreOut,
                bytes("deadbeef"),
                driverOut);
        assertThat(errno).isZero();
        assertThat(request()).isEqualTo("12000000" + "0700" + "0300" + "<answer>" + "1122334455667788" + "deadbeef");
        assertThat(hex(coreOut)).isEqualTo("a0a1a2a3a4a5a6a7");
        assertThat(hex(driverOut)).isEqualTo("a8a9aaab");
    }

    @Test
    void legacyCommandsWithoutAnAnswerKeepTheirFirstField() {
        answerSize = 0;
        assertThat(carrier.send(UverbsCommand.DEALLOC_PD, bytes("05000000"), NONE, NONE, NONE))
                .isZero();
        assertThat(hex(written.getFirst())).isEqualTo("04000000" + "0300" + "0000" + "05000000");
    }

    @Test
    void extendedCommandsCountWordsOfEightWithoutHeaders() {
        answerAt = 8;
        answerSize = 24;
        MemorySegment coreOut = zeroes(16);
        MemorySegment driverOut = zeroes(8);
        int errno = carrier.send(
                UverbsCommand.EX_CREATE_CQ,
                bytes("0102030405060708 1112131415161718"),
                coreOut,
                bytes("2122232425262728"),
                driverOut);
        assertThat(errno).isZero();
        assertThat(request())
                .isEqualTo("12000080" + "0200" + "0200" + "<answer>" + "0100" + "0100" + "00000000" + "0102030405060708"
                        + "1112131415161718" + "2122232425262728");
        assertThat(hex(coreOut)).isEqualTo("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf");
        assertThat(hex(driverOut)).isEqualTo("b0b1b2b3b4b5b6b7");
    }

    @Test
    void extendedCommandsWithoutAnAnswerHaveNoAddress() {
        answerSize = 0;
        assertThat(carrier.send(UverbsCommand.EX_DESTROY_FLOW, bytes("0000000007000000"), NONE, NONE, NONE))
                .isZero();
        assertThat(hex(written.getFirst()))
                .isEqualTo("33000080" + "0100" + "0000" + "0000000000000000" + "0000" + "0000" + "00000000"
                        + "0000000007000000");
    }

    @Test
    void requestsStayAsTheyWere() {
        answerSize = 4;
        MemorySegment request = bytes("ffffffffffffffff");
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, request, zeroes(4), NONE, NONE))
                .isZero();
        assertThat(hex(request)).isEqualTo("ffffffffffffffff");
    }

    @Test
    void whatTheKernelDoesNotAnswerReadsZero() {
        answerSize = 4;
        MemorySegment answer = bytes("ffffffffffffffff");
        assertThat(carrier.send(UverbsCommand.CREATE_CQ, zeroes(32), answer, NONE, NONE))
                .isZero();
        assertThat(hex(answer)).isEqualTo("a0a1a2a300000000");
    }

    @Test
    void refusalsAreErrnosAndLeaveTheAnswerAlone() {
        answerSize = 0;
        outcome = -Errno.EACCES;
        MemorySegment answer = bytes("01020304");
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(8), answer, NONE, NONE))
                .isEqualTo(Errno.EACCES);
        assertThat(hex(answer)).isEqualTo("01020304");
    }

    @Test
    void halfACommandIsAnError() {
        outcome = 4;
        assertThat(carrier.send(UverbsCommand.DEALLOC_PD, zeroes(4), NONE, NONE, NONE))
                .isEqualTo(Errno.EIO);
    }

    @Test
    void sizesThatTheHeaderCannotSayAreRefused() {
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(9), zeroes(4), NONE, NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(8), zeroes(3), NONE, NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(4), zeroes(4), NONE, NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(UverbsCommand.EX_MODIFY_QP, zeroes(12), NONE, NONE, NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(1 << 18), zeroes(4), NONE, NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(written).isEmpty();
    }

    @Test
    void largeCommandsAndHeapSegmentsWork() {
        answerSize = 8;
        MemorySegment heap = MemorySegment.ofArray(new byte[100_000]);
        assertThat(carrier.send(UverbsCommand.CREATE_CQ, heap, MemorySegment.ofArray(new byte[8]), NONE, NONE))
                .isZero();
        assertThat(written.getFirst()).hasSize(100_008);
    }

    @Test
    void buffersAreUsedAgain() {
        answerSize = 4;
        for (int round = 0; round < 3; round++) {
            assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(8), zeroes(4), NONE, NONE))
                    .isZero();
        }
        assertThat(answerAddresses).hasSize(3).containsOnly(answerAddresses.getFirst());
    }

    private long device(int stripe, long address, long length) {
        MemorySegment request = MemorySegment.ofAddress(address).reinterpret(length);
        written.add(request.toArray(ValueLayout.JAVA_BYTE));
        if (answerSize > 0) {
            long answerAddress = Host.getLong(request, answerAt);
            answerAddresses.add(answerAddress);
            MemorySegment answer = MemorySegment.ofAddress(answerAddress).reinterpret(answerSize);
            for (int i = 0; i < answerSize; i++) {
                answer.set(ValueLayout.JAVA_BYTE, i, (byte) (0xa0 + i));
            }
        }
        return outcome == 0 ? length : outcome;
    }

    /** The request in hexadecimal digits, with its answer's address, which differs each time, named. */
    private String request() {
        byte[] bytes = written.getFirst();
        Host.setLong(MemorySegment.ofArray(bytes), answerAt, UNKNOWN_ADDRESS);
        return hex(bytes).replace("4141414141414141", "<answer>");
    }

    private static MemorySegment zeroes(int size) {
        return Arena.ofAuto().allocate(size);
    }

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static String hex(MemorySegment segment) {
        return hex(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
