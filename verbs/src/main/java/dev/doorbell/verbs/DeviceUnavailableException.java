package dev.doorbell.verbs;

/** There is no such device, it cannot be opened, or it has gone (ENODEV, EIO, EACCES). The message lists what there is. */
public final class DeviceUnavailableException extends VerbsException {
    private static final long serialVersionUID = 1L;

    DeviceUnavailableException(Refusal refusal) {
        super(refusal);
    }
}
