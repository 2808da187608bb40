package dev.doorbell.mlx5;

import dev.doorbell.kernel.abi.mlx5.Syndrome;
import dev.doorbell.spec.WorkCompletionStatus;

/** What the device's syndromes are in the verbs. */
final class Syndromes {
    private Syndromes() {}

    /** The number of a {@link WorkCompletionStatus}. */
    static int status(int syndrome) {
        return of(syndrome).code();
    }

    private static WorkCompletionStatus of(int syndrome) {
        return switch (syndrome) {
            case Syndrome.LOCAL_LENGTH -> WorkCompletionStatus.LOC_LEN_ERR;
            case Syndrome.LOCAL_QP_OPERATION -> WorkCompletionStatus.LOC_QP_OP_ERR;
            case Syndrome.LOCAL_PROTECTION -> WorkCompletionStatus.LOC_PROT_ERR;
            case Syndrome.FLUSHED -> WorkCompletionStatus.WR_FLUSH_ERR;
            case Syndrome.WINDOW_BIND -> WorkCompletionStatus.MW_BIND_ERR;
            case Syndrome.BAD_RESPONSE -> WorkCompletionStatus.BAD_RESP_ERR;
            case Syndrome.LOCAL_ACCESS -> WorkCompletionStatus.LOC_ACCESS_ERR;
            case Syndrome.REMOTE_INVALID_REQUEST -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case Syndrome.REMOTE_ACCESS -> WorkCompletionStatus.REM_ACCESS_ERR;
            case Syndrome.REMOTE_OPERATION -> WorkCompletionStatus.REM_OP_ERR;
            case Syndrome.TRANSPORT_RETRIES -> WorkCompletionStatus.RETRY_EXC_ERR;
            case Syndrome.RNR_RETRIES -> WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            case Syndrome.REMOTE_ABORTED -> WorkCompletionStatus.REM_ABORT_ERR;
            default -> WorkCompletionStatus.GENERAL_ERR;
        };
    }
}
