package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.DriverId;
import dev.doorbell.kernel.abi.UverbsCommand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What ioctl() is given for each command, and what comes back, against a kernel of a few lines. */
class IoctlCarrierTest {
    private static final MemorySegment NONE = MemorySegment.NULL;

    private final ScriptedIoctl kernel = new ScriptedIoctl().outputs(1);
    private final BufferPool buffers = new BufferPool();
    private final IoctlCarrier carrier = new IoctlCarrier(
            kernel, buffers, DriverId.RXE, new WriteCarrier((stripe, at, size) -> -Errno.EPERM, buffers));

    @Test
    void theProbeMissesStructsOnlyWhereTheMethodIs() {
        kernel.refuse(Errno.ENOSPC);
        assertThat(IoctlCarrier.isOffered(kernel, buffers, DriverId.RXE)).isTrue();
        assertThat(kernel.requests()).containsExactly("0.0 driver 14 2=0100000000000000");
        for (int errno : new int[] {Errno.ENOTTY, Errno.EPROTONOSUPPORT, Errno.EINVAL, Errno.EBADF}) {
            kernel.refuse(errno);
            assertThat(IoctlCarrier.isOffered(kernel, buffers, DriverId.RXE)).isFalse();
        }
    }

    @Test
    void writeCommandsAreInvokedWithTheirStructs() {
        MemorySegment answer = zeroes(8);
        MemorySegment driverAnswer = zeroes(16);
        assertThat(carrier.send(
                        UverbsCommand.RESIZE_CQ,
                        bytes("0000000000000000 0500000009000000"),
                        answer,
                        NONE,
                        driverAnswer))
                .isZero();
        assertThat(kernel.requests())
                .containsExactly("0.0 driver 14 2=1300000000000000 0=00000000000000000500000009000000 1=>8 0x1001=>16");
        assertThat(hex(answer)).isEqualTo("a0a1a2a3a4a5a6a7");
        assertThat(hex(driverAnswer)).isEqualTo("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf");
    }

    @Test
    void shortInputsLieInTheirAttribute() {
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, bytes("1111111122222222"), zeroes(4), bytes("0102"), NONE))
                .isZero();
        assertThat(kernel.requests())
                .containsExactly("0.0 driver 14 2=0300000000000000 0=1111111122222222 1=>4 0x1000=0102");
    }

    @Test
    void extendedCommandsCarryTheirMark() {
        assertThat(carrier.send(UverbsCommand.EX_QUERY_DEVICE, zeroes(8), zeroes(304), NONE, NONE))
                .isZero();
        assertThat(kernel.requests()).containsExactly("0.0 driver 14 2=0100008000000000 0=0000000000000000 1=>304");
    }

    @Test
    void commandsWithoutAnAnswerHaveNoOutput() {
        assertThat(carrier.send(UverbsCommand.REQ_NOTIFY_CQ, bytes("0700000001000000"), NONE, NONE, NONE))
                .isZero();
        assertThat(kernel.requests()).containsExactly("0.0 driver 14 2=1700000000000000 0=0700000001000000");
    }

    @Test
    void refusalsAreErrnosAndLeaveTheAnswerAlone() {
        kernel.refuse(Errno.ENOMEM);
        MemorySegment answer = bytes("01020304");
        assertThat(carrier.send(UverbsCommand.ALLOC_PD, zeroes(8), answer, NONE, NONE))
                .isEqualTo(Errno.ENOMEM);
        assertThat(hex(answer)).isEqualTo("01020304");
    }

    @Test
    void whatDoesNotFitIsRefusedHere() {
        assertThat(carrier.send(UverbsCommand.REG_MR, zeroes(1 << 16), zeroes(12), NONE, NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(kernel.requests()).isEmpty();
        assertThat(carrier.send(UverbsCommand.REG_MR, zeroes(60_000), zeroes(60_000), NONE, NONE))
                .isZero();
    }

    @Test
    void theContextComesWithAnEventFileOfItsOwn() {
        kernel.outputs(0).makes();
        ScriptedContext script = new ScriptedContext(kernel);
        IoctlCarrier natively = new IoctlCarrier(script, buffers, DriverId.RXE, carrier);
        MemorySegment answer = zeroes(8);
        assertThat(natively.send(UverbsCommand.GET_CONTEXT, zeroes(8), answer, NONE, NONE))
                .isZero();
        assertThat(kernel.requests()).containsExactly("0.3 driver 14 0=>4", "16.0 driver 14 0=new");
        assertThat(hex(answer)).isEqualTo("29000000" + "a0a1a2a3");
    }

    /** Attribute 0 is an output of one method and a new descriptor of the other. */
    private record ScriptedContext(ScriptedIoctl kernel) implements IoctlRequest.Caller {
        @Override
        public int ioctl(int stripe, long request, long address) {
            boolean first = kernel.requests().isEmpty();
            if (first) {
                kernel.outputs(0).makes();
            } else {
                kernel.outputs().makes(0);
            }
            return kernel.ioctl(stripe, request, address);
        }
    }

    @Test
    void aKernelWithoutThatMethodIsWrittenTo() {
        kernel.lacks(3);
        assertThat(carrier.send(UverbsCommand.GET_CONTEXT, zeroes(8), zeroes(8), NONE, NONE))
                .as("what the write carrier of this test answers")
                .isEqualTo(Errno.EPERM);
    }

    @Test
    void completionQueuesAreMadeByTheirMethod() {
        kernel.outputs(6).makes(0);
        MemorySegment answer = zeroes(8);
        MemorySegment offer = zeroes(16);
        String request = "0000000000000000" + "8877665544332211" + "0a000000" + "01000000";
        assertThat(carrier.send(UverbsCommand.CREATE_CQ, bytes(request + "ffffffff00000000"), answer, NONE, offer))
                .isZero();
        assertThat(carrier.send(UverbsCommand.CREATE_CQ, bytes(request + "0700000000000000"), answer, NONE, offer))
                .isZero();
        assertThat(kernel.requests())
                .containsExactly(
                        "3.0 driver 14 1=0a000000 2=8877665544332211 4=01000000 0=new 6=>4 0x1001=>16",
                        "3.0 driver 14 1=0a000000 2=8877665544332211 4=01000000 3=#7 0=new 6=>4 0x1001=>16");
        assertThat(hex(answer)).isEqualTo("2a000000" + "a0a1a2a3");
        assertThat(hex(offer)).startsWith("a0a1");
    }

    @Test
    void completionQueuesWithFlagsAreMadeByTheSameMethod() {
        kernel.outputs(6).makes(0);
        MemorySegment answer = zeroes(16);
        String request =
                "8877665544332211" + "0a000000" + "01000000" + "07000000" + "00000000" + "03000000" + "00000000";
        assertThat(carrier.send(UverbsCommand.EX_CREATE_CQ, bytes(request), answer, bytes("01020304"), NONE))
                .isZero();
        assertThat(kernel.requests())
                .containsExactly("3.0 driver 14 1=0a000000 2=8877665544332211 4=01000000 5=03000000 3=#7 0=new 6=>4"
                        + " 0x1000=01020304");
        assertThat(hex(answer)).isEqualTo("29000000" + "a0a1a2a3" + "00000000" + "10000000");
        String unknownMask = request.substring(0, 40) + "01000000" + request.substring(48);
        assertThat(carrier.send(UverbsCommand.EX_CREATE_CQ, bytes(unknownMask), answer, NONE, NONE))
                .isZero();
        assertThat(kernel.requests().getLast()).startsWith("0.0 driver 14 2=1200008000000000");
    }

    @Test
    void queuePairsAreMadeByTheirMethod() {
        kernel.outputs(13, 14).makes(0);
        MemorySegment answer = zeroes(32);
        MemorySegment offers = zeroes(32);
        String request = "0000000000000000" + "8877665544332211" + "01000000" + "02000000" + "03000000";
        String sizes = "10000000" + "11000000" + "12000000" + "13000000" + "14000000";
        assertThat(carrier.send(
                        UverbsCommand.CREATE_QP,
                        bytes(request + "00000000" + sizes + "01020000"),
                        answer,
                        NONE,
                        offers))
                .isZero();
        assertThat(carrier.send(
                        UverbsCommand.CREATE_QP,
                        bytes(request + "04000080" + sizes + "00040100"),
                        answer,
                        NONE,
                        offers))
                .isZero();
        String head = "4.0 driver 14 2=#1 4=#2 5=#3 7=8877665544332211 8=" + sizes;
        assertThat(kernel.requests())
                .containsExactly(
                        head + " 9=0200000000000000 10=00100000 0=new 13=>20 14=>4 0x1001=>32",
                        head + " 9=0400000000000000 3=#2147483652 0=new 13=>20 14=>4 0x1001=>32");
        assertThat(hex(answer))
                .isEqualTo("2a000000" + "a0a1a2a3" + "a0a1a2a3" + "a4a5a6a7" + "a8a9aaab" + "acadaeaf" + "b0b1b2b3"
                        + "00000000");
    }

    @Test
    void queuePairsThatNeedMoreAreInvoked() {
        MemorySegment request = zeroes(56);
        request.set(ValueLayout.JAVA_BYTE, 53, (byte) 9);
        assertThat(carrier.send(UverbsCommand.CREATE_QP, request, zeroes(32), NONE, NONE))
                .isZero();
        assertThat(kernel.requests()).singleElement().asString().startsWith("0.0 driver 14 2=1800000000000000 0=");
    }

    @Test
    void sharedReceiveQueuesAreMadeByTheirMethod() {
        kernel.outputs(11, 12).makes(0);
        MemorySegment answer = zeroes(16);
        String request = "0000000000000000" + "8877665544332211" + "05000000" + "06000000" + "07000000" + "08000000";
        assertThat(carrier.send(UverbsCommand.CREATE_SRQ, bytes(request), answer, NONE, zeroes(24)))
                .isZero();
        assertThat(kernel.requests())
                .containsExactly("5.0 driver 14 1=#5 4=8877665544332211 5=06000000 6=07000000 7=08000000"
                        + " 9=0000000000000000 0=new 11=>4 12=>4 0x1001=>24");
        assertThat(hex(answer)).isEqualTo("29000000" + "a0a1a2a3" + "a0a1a2a3" + "00000000");
    }

    @Test
    void objectsAreDestroyedByTheirMethods() {
        MemorySegment eight = zeroes(8);
        assertThat(carrier.send(
                        UverbsCommand.DESTROY_CQ, bytes("0000000000000000 0500000000000000"), eight, NONE, NONE))
                .isZero();
        assertThat(carrier.send(
                        UverbsCommand.DESTROY_QP, bytes("0000000000000000 0600000000000000"), zeroes(4), NONE, NONE))
                .isZero();
        assertThat(carrier.send(
                        UverbsCommand.DESTROY_SRQ, bytes("0000000000000000 0700000000000000"), zeroes(4), NONE, NONE))
                .isZero();
        assertThat(carrier.send(UverbsCommand.DEREG_MR, bytes("08000000"), NONE, NONE, NONE))
                .isZero();
        assertThat(carrier.send(UverbsCommand.DEALLOC_PD, bytes("09000000"), NONE, NONE, NONE))
                .isZero();
        assertThat(carrier.send(UverbsCommand.DEALLOC_MW, bytes("0a000000"), NONE, NONE, NONE))
                .isZero();
        assertThat(carrier.send(UverbsCommand.DESTROY_AH, bytes("0b0000ff"), NONE, NONE, NONE))
                .isZero();
        assertThat(kernel.requests())
                .containsExactly(
                        "3.1 driver 14 0=#5 1=>8",
                        "4.1 driver 14 0=#6 1=>4",
                        "5.1 driver 14 0=#7 1=>4",
                        "7.1 driver 14 0=#8",
                        "1.0 driver 14 0=#9",
                        "8.0 driver 14 0=#10",
                        "6.0 driver 14 0=#" + 0xff00_000bL);
        assertThat(hex(eight)).isEqualTo("a0a1a2a3a4a5a6a7");
    }

    @Test
    void portsAreQueriedByTheirMethod() {
        MemorySegment answer = zeroes(40);
        assertThat(carrier.send(
                        UverbsCommand.QUERY_PORT, bytes("0000000000000000 0100000000000000"), answer, NONE, NONE))
                .isZero();
        assertThat(kernel.requests()).containsExactly("0.2 driver 14 0=0100000000000000 1=>48");
        assertThat(hex(answer)).startsWith("a0a1").endsWith("c7");
    }

    @Test
    void aMethodThatTheKernelLacksIsTriedOnce() {
        kernel.lacks(1);
        MemorySegment request = bytes("0000000000000000 0500000000000000");
        assertThat(carrier.send(UverbsCommand.DESTROY_CQ, request, zeroes(8), NONE, NONE))
                .isZero();
        assertThat(carrier.send(UverbsCommand.DESTROY_CQ, request, zeroes(8), NONE, NONE))
                .isZero();
        assertThat(kernel.requests())
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactly("3.1", "0.0", "0.0");
    }

    @Test
    void structsOfAnotherLengthAreInvoked() {
        assertThat(carrier.send(UverbsCommand.CREATE_CQ, zeroes(40), zeroes(8), NONE, NONE))
                .isZero();
        assertThat(carrier.send(UverbsCommand.DEALLOC_PD, zeroes(8), NONE, NONE, NONE))
                .isZero();
        assertThat(kernel.requests()).allMatch(line -> line.startsWith("0.0 "));
    }

    private static MemorySegment zeroes(int size) {
        return Arena.ofAuto().allocate(size);
    }

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static String hex(MemorySegment segment) {
        return HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE));
    }
}
