package dev.doorbell.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.CmCommand;
import dev.doorbell.kernel.abi.CmCreateId;
import dev.doorbell.kernel.abi.CmCreateIdResponse;
import dev.doorbell.kernel.abi.CmEventRecord;
import dev.doorbell.kernel.abi.CmSetOption;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes that reach /dev/infiniband/rdma_cm, and those that come back, against a device of a few lines. */
class CmCarrierTest {
    private static final MemorySegment NONE = MemorySegment.NULL;

    private final CmCarrier carrier = new CmCarrier(this::device, new BufferPool());
    private byte[] written = new byte[0];
    private long answerAddress;
    private long valueAddress;
    private long requestAddress;
    private int answerAt = -1;
    private int outcome;

    /** Takes a write, as the kernel does, and answers "a0a1..." where the request says. */
    private long device(long address, long length) {
        requestAddress = address;
        MemorySegment request = MemorySegment.ofAddress(address).reinterpret(length);
        written = request.toArray(ValueLayout.JAVA_BYTE);
        if (outcome < 0) {
            return outcome;
        }
        int out = Host.getUnsignedShort(request, 6);
        if (answerAt >= 0) {
            answerAddress = Host.getLong(request, 8L + answerAt);
            MemorySegment answer = MemorySegment.ofAddress(answerAddress).reinterpret(out);
            for (int i = 0; i < out; i++) {
                answer.set(ValueLayout.JAVA_BYTE, i, (byte) (0xa0 + i));
            }
        }
        if (Host.getInt(request, 0) == CmCommand.SET_OPTION.number()) {
            valueAddress = Host.getLong(request, 8);
        }
        return length;
    }

    private String hex(int from, int to) {
        return HexFormat.of().formatHex(written, from, to);
    }

    @Test
    void theAnswersAddressStandsWhereTheCommandHasIt() {
        answerAt = 8;
        MemorySegment request = Arena.ofAuto().allocate(CmCreateId.SIZE, 8);
        CmCreateId.setUid(request, 0, 0x1122334455667788L);
        CmCreateId.setPs(request, 0, 0x106);
        MemorySegment answer = Arena.ofAuto().allocate(CmCreateIdResponse.SIZE, 8);
        assertThat(carrier.send(CmCommand.CREATE_ID, request, answer)).isZero();
        assertThat(hex(0, 16)).isEqualTo("00000000" + "1800" + "0400" + "8877665544332211");
        assertThat(hex(24, 32)).isEqualTo("0601000000000000");
        assertThat(written).hasSize(32);
        assertThat(CmCreateIdResponse.id(answer, 0)).isEqualTo(0xa3a2a1a0);
    }

    @Test
    void aCommandWithoutAnAnswerKeepsItsFirstField() {
        MemorySegment request = Arena.ofAuto().allocate(8, 8);
        Host.setInt(request, 0, 7);
        Host.setInt(request, 4, 128);
        assertThat(carrier.send(CmCommand.LISTEN, request, NONE)).isZero();
        assertThat(hex(0, 16)).isEqualTo("07000000" + "0800" + "0000" + "07000000" + "80000000");
    }

    @Test
    void anOptionsValueLiesBehindItsCommand() {
        MemorySegment request = Arena.ofAuto().allocate(CmSetOption.SIZE + 1, 8);
        CmSetOption.setOptlen(request, 0, 1);
        Host.setByte(request, CmSetOption.SIZE, 0x5a);
        assertThat(carrier.send(CmCommand.SET_OPTION, request, NONE)).isZero();
        assertThat(valueAddress).isEqualTo(requestAddress + 8 + CmSetOption.SIZE);
        assertThat(hex(32, 33)).isEqualTo("5a");
    }

    @Test
    void anEventIsAWriteToo() {
        answerAt = 0;
        MemorySegment buffer = Arena.ofAuto().allocate(4096, 8);
        assertThat(carrier.readEvent(buffer, 4096)).isEqualTo(CmEventRecord.SIZE);
        assertThat(answerAddress).isEqualTo(buffer.address());
        assertThat(hex(0, 8)).isEqualTo("0c000000" + "0800" + "5001");
        assertThat(buffer.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 0xa1);
        assertThat(carrier.readEvent(buffer, CmEventRecord.SIZE - 1)).isEqualTo(-Errno.EINVAL);
        outcome = -Errno.EAGAIN;
        assertThat(carrier.readEvent(buffer, 4096)).isEqualTo(-Errno.EAGAIN);
    }

    @Test
    void whatTheKernelRefusesIsAnErrno() {
        outcome = -Errno.EACCES;
        assertThat(carrier.send(CmCommand.DISCONNECT, Arena.ofAuto().allocate(4), NONE))
                .isEqualTo(Errno.EACCES);
    }

    @Test
    void whatCannotBeCarriedIsRefused() {
        MemorySegment eight = Arena.ofAuto().allocate(8, 8);
        assertThat(carrier.send(CmCommand.GET_EVENT, eight, eight)).isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(CmCommand.CREATE_ID, eight, eight)).isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(CmCommand.LISTEN, eight, eight)).isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(CmCommand.SET_OPTION, eight, NONE)).isEqualTo(Errno.EINVAL);
        assertThat(carrier.send(CmCommand.LISTEN, Arena.ofAuto().allocate(70_000), NONE))
                .isEqualTo(Errno.EINVAL);
        assertThat(written).isEmpty();
    }
}
