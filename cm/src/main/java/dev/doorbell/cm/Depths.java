package dev.doorbell.cm;

import dev.doorbell.verbs.DeviceAttributes;
import org.jspecify.annotations.Nullable;

/** Fills in how many READs and atomics at a time. */
final class Depths {
    /** More cost memory at the responder and help on long paths only. */
    private static final int SANE = 16;

    private Depths() {}

    /**
     * @param asked by the program
     * @param request of the peer, in this side's view; null on the side that connects
     * @param device null for datagrams, which have none
     */
    static ConnectionParameters fill(
            ConnectionParameters asked, @Nullable ConnectionParameters request, @Nullable DeviceAttributes device) {
        if (device == null) {
            return asked.withDepths(0, 0);
        }
        int serves = Math.min(SANE, device.maxReadAtomicPerQueuePair());
        int outstanding = Math.min(SANE, device.maxInitiatedReadAtomicPerQueuePair());
        if (request != null) {
            serves = Math.min(device.maxReadAtomicPerQueuePair(), request.responderResources());
            outstanding = Math.min(device.maxInitiatedReadAtomicPerQueuePair(), request.initiatorDepth());
        }
        return asked.withDepths(
                value(asked.responderResources(), Math.min(serves, ConnectionParameters.AUTOMATIC - 1)),
                value(asked.initiatorDepth(), Math.min(outstanding, ConnectionParameters.AUTOMATIC - 1)));
    }

    private static int value(int asked, int automatic) {
        return asked == ConnectionParameters.AUTOMATIC ? automatic : asked;
    }
}
