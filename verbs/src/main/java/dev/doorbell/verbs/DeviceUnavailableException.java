package dev.doorbell.verbs;

/**
 * There is no such device, it cannot be opened, or it has gone (ENODEV, EIO, EACCES). The message lists what there is.
 *
 * <p>Stands for the null that ibv_open_device(3) returns, and for the EIO of a device that was removed.
 *
 * <p>Thread rules: immutable.
 */
public final class DeviceUnavailableException extends VerbsException {
    private static final long serialVersionUID = 1L;

    DeviceUnavailableException(Refusal refusal) {
        super(refusal);
    }
}
