package dev.doorbell.verbs;

/**
 * Everything that a device says of itself ({@code struct ibv_device_attr_ex}, ibv_query_device_ex(3)). What a kernel or a
 * driver does not say is 0; {@link Capability} says what follows from it. The 64 capability bits stand in the base, and so
 * does the number of ports.
 *
 * <p>Thread rules: immutable.
 *
 * @param base what ibv_query_device(3) says, with all 64 capability bits
 * @param onDemandPaging memory that is not pinned
 * @param timestampMask valid bits of a completion's timestamp; 0 for no timestamps
 * @param coreClockKilohertz speed of the clock that timestamps come from
 * @param receiveScaling receive-side scaling
 * @param maxReceiveWorkQueues receive work queues
 * @param rawPacketCapabilities bits of what raw packet queue pairs can do
 * @param tagMatching tag matching
 * @param maxModerationCount most completions that moderation gathers
 * @param maxModerationPeriodMicros longest moderation in microseconds
 * @param maxDeviceMemory bytes of device memory
 */
public record ExtendedDeviceAttributes(
        DeviceAttributes base,
        OnDemandPaging onDemandPaging,
        long timestampMask,
        long coreClockKilohertz,
        ReceiveScaling receiveScaling,
        int maxReceiveWorkQueues,
        int rawPacketCapabilities,
        TagMatching tagMatching,
        int maxModerationCount,
        int maxModerationPeriodMicros,
        long maxDeviceMemory) {
    /** What is known of a device that only answers the plain query. */
    public static ExtendedDeviceAttributes of(DeviceAttributes base) {
        return new ExtendedDeviceAttributes(
                base,
                new OnDemandPaging(0, 0, 0, 0, 0),
                0,
                0,
                new ReceiveScaling(0, 0, 0),
                0,
                0,
                new TagMatching(0, 0, 0, 0, 0),
                0,
                0,
                0);
    }

    /**
     * On-demand paging.
     *
     * @param general 1 supported, 2 also for the whole address space
     * @param reliable operations on RC: 1 SEND, 2 RECV, 4 WRITE, 8 READ, 16 atomics, 32 shared receive, 64 FLUSH, 128 ATOMIC
     *     WRITE
     * @param unreliable the same on UC
     * @param datagram the same on UD
     * @param extendedReliable the same on XRC
     */
    public record OnDemandPaging(long general, int reliable, int unreliable, int datagram, int extendedReliable) {}

    /**
     * Receive-side scaling.
     *
     * @param queuePairTypes a bit for each type of queue pair
     * @param maxIndirectionTables indirection tables
     * @param maxIndirectionTableSize entries of one
     */
    public record ReceiveScaling(int queuePairTypes, int maxIndirectionTables, int maxIndirectionTableSize) {}

    /**
     * Tag matching.
     *
     * @param maxRendezvousHeader bytes of a rendezvous header
     * @param maxTags entries of a list
     * @param flags bits: 1 on RC
     * @param maxOperations outstanding list operations
     * @param maxSge scatter/gather elements of an entry
     */
    public record TagMatching(int maxRendezvousHeader, int maxTags, int flags, int maxOperations, int maxSge) {}
}
