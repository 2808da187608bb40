package dev.doorbell.verbs;

/**
 * What a vendor's devices agree on beside the standard when they connect ({@code struct ibv_ece}, ibv_query_ece(3)): each
 * side takes its own, gives it to the peer, and sets what both can do. No device that Doorbell drives today has any.
 *
 * <p>Thread rules: immutable; {@link #of} and {@link #applyTo} from any thread.
 *
 * @param vendorId whose options they are
 * @param options the vendor's bits
 * @param mask which further fields count; 0
 */
public record VendorConnectionOptions(int vendorId, int options, int mask) {
    /**
     * What a queue pair can do (ibv_query_ece(3)).
     *
     * @throws NotSupportedException if the device has no such options
     */
    public static VendorConnectionOptions of(QueuePair queuePair) {
        return queuePair.extend("QUERY_ECE", provider -> provider.queryConnectionOptions());
    }

    /**
     * Sets them, before the queue pair goes to RTR (ibv_set_ece(3)).
     *
     * @throws NotSupportedException if the device has no such options
     */
    public void applyTo(QueuePair queuePair) {
        queuePair.extend("SET_ECE", provider -> {
            provider.setConnectionOptions(this);
            return this;
        });
    }
}
