package dev.doorbell.soft.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.kernel.abi.ModifyQp;
import dev.doorbell.kernel.abi.QpDestination;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.QueuePairAttribute;
import dev.doorbell.spec.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.function.Consumer;

/** The steps that take a queue pair of a reliable connection to RTS. */
final class RcSteps {
    private RcSteps() {}

    static void connect(Program program, int handle, int peer, Gid gid) {
        assertThat(modify(program, handle, initial(), in -> {
                    ModifyQp.setQpState(in, 0, QueuePairState.INIT.code());
                    ModifyQp.setPortNum(in, 0, 1);
                    ModifyQp.setQpAccessFlags(in, 0, 14);
                }))
                .isZero();
        assertThat(modify(program, handle, readyToReceive(), in -> {
                    ModifyQp.setQpState(in, 0, QueuePairState.RTR.code());
                    ModifyQp.setPathMtu(in, 0, 3);
                    ModifyQp.setDestQpNum(in, 0, peer);
                    ModifyQp.setMaxDestRdAtomic(in, 0, 1);
                    ModifyQp.setMinRnrTimer(in, 0, 12);
                    QpDestination.setDgid(in, ModifyQp.DEST, gid);
                    QpDestination.setSgidIndex(in, ModifyQp.DEST, 1);
                    QpDestination.setIsGlobal(in, ModifyQp.DEST, 1);
                    QpDestination.setPortNum(in, ModifyQp.DEST, 1);
                }))
                .isZero();
        assertThat(modify(program, handle, readyToSend(), in -> {
                    ModifyQp.setQpState(in, 0, QueuePairState.RTS.code());
                    ModifyQp.setTimeout(in, 0, 14);
                    ModifyQp.setRetryCnt(in, 0, 7);
                    ModifyQp.setRnrRetry(in, 0, 7);
                    ModifyQp.setMaxRdAtomic(in, 0, 1);
                }))
                .isZero();
    }

    private static int initial() {
        return QueuePairAttribute.mask(EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.PKEY_INDEX,
                QueuePairAttribute.PORT,
                QueuePairAttribute.ACCESS_FLAGS));
    }

    private static int readyToReceive() {
        return QueuePairAttribute.mask(EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.ADDRESS_VECTOR,
                QueuePairAttribute.PATH_MTU,
                QueuePairAttribute.DESTINATION_QP,
                QueuePairAttribute.RECEIVE_PSN,
                QueuePairAttribute.MAX_DEST_READ_ATOMIC,
                QueuePairAttribute.MIN_RNR_TIMER));
    }

    private static int readyToSend() {
        return QueuePairAttribute.mask(EnumSet.of(
                QueuePairAttribute.STATE,
                QueuePairAttribute.TIMEOUT,
                QueuePairAttribute.RETRY_COUNT,
                QueuePairAttribute.RNR_RETRY,
                QueuePairAttribute.SEND_PSN,
                QueuePairAttribute.MAX_READ_ATOMIC));
    }

    static int modify(Program program, int handle, int mask, Consumer<MemorySegment> change) {
        return program.send(UverbsCommand.MODIFY_QP, ModifyQp.SIZE, 0, in -> {
            ModifyQp.setQpHandle(in, 0, handle);
            ModifyQp.setAttrMask(in, 0, mask);
            change.accept(in);
        });
    }
}
