package dev.doorbell.verbs;

/**
 * How fast a queue pair may send (ibv_modify_qp_rate_limit(3)). No device that Doorbell drives today limits rates.
 *
 * <p>Thread rules: immutable; {@link #applyTo} from any thread.
 *
 * @param kilobits per second; 0 for no limit
 * @param maxBurstBytes most bytes at once
 * @param typicalPacketBytes what most packets have
 */
public record RateLimit(int kilobits, int maxBurstBytes, int typicalPacketBytes) {
    /**
     * Puts it into force.
     *
     * @throws NotSupportedException if the device does not limit rates
     */
    public void applyTo(QueuePair queuePair) {
        queuePair.extend("MODIFY_QP_RATE_LIMIT", provider -> {
            provider.limitRate(this);
            return this;
        });
    }
}
