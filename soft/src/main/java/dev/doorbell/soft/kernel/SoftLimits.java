package dev.doorbell.soft.kernel;

/**
 * How much a device of the embedded kernel hands out. Counts are for the whole device, sizes for one object.
 *
 * @param queuePairs most queue pairs
 * @param workRequests most work requests of a send or receive queue
 * @param sge most scatter/gather elements of a work request
 * @param inlineBytes most inline bytes of a send work request
 * @param completionQueues most completion queues
 * @param completions most completions of a completion queue
 * @param regions most memory regions
 * @param windows most memory windows
 * @param domains most protection domains
 * @param sharedQueues most shared receive queues
 * @param addressHandles most address handles
 * @param ringBytes most bytes of rings that one context may have
 */
public record SoftLimits(
        int queuePairs,
        int workRequests,
        int sge,
        int inlineBytes,
        int completionQueues,
        int completions,
        int regions,
        int windows,
        int domains,
        int sharedQueues,
        int addressHandles,
        long ringBytes) {
    private static final int MANY = 1 << 20;

    /** The limits of Linux's rxe. */
    public static final SoftLimits RXE =
            new SoftLimits(MANY, MANY, 32, 512, MANY, (1 << 15) - 1, MANY, MANY, MANY, MANY, (1 << 15) - 1, 2L << 30);

    /** Starts from the limits of Linux's rxe. */
    public static Builder builder() {
        return new Builder();
    }

    /** Limits of which some differ from rxe's. */
    public static final class Builder {
        private int queuePairs = RXE.queuePairs;
        private int workRequests = RXE.workRequests;
        private int sge = RXE.sge;
        private int inlineBytes = RXE.inlineBytes;
        private int completionQueues = RXE.completionQueues;
        private int completions = RXE.completions;
        private int regions = RXE.regions;
        private int windows = RXE.windows;
        private int domains = RXE.domains;
        private int sharedQueues = RXE.sharedQueues;
        private int addressHandles = RXE.addressHandles;
        private long ringBytes = RXE.ringBytes;

        private Builder() {}

        /** Sets the most queue pairs. */
        public Builder queuePairs(int value) {
            queuePairs = value;
            return this;
        }

        /** Sets the most work requests of a send or receive queue. */
        public Builder workRequests(int value) {
            workRequests = value;
            return this;
        }

        /** Sets the most scatter/gather elements of a work request. */
        public Builder sge(int value) {
            sge = value;
            return this;
        }

        /** Sets the most inline bytes of a send work request. */
        public Builder inlineBytes(int value) {
            inlineBytes = value;
            return this;
        }

        /** Sets the most completion queues. */
        public Builder completionQueues(int value) {
            completionQueues = value;
            return this;
        }

        /** Sets the most completions of a completion queue. */
        public Builder completions(int value) {
            completions = value;
            return this;
        }

        /** Sets the most memory regions. */
        public Builder regions(int value) {
            regions = value;
            return this;
        }

        /** Sets the most memory windows. */
        public Builder windows(int value) {
            windows = value;
            return this;
        }

        /** Sets the most protection domains. */
        public Builder domains(int value) {
            domains = value;
            return this;
        }

        /** Sets the most shared receive queues. */
        public Builder sharedQueues(int value) {
            sharedQueues = value;
            return this;
        }

        /** Sets the most address handles. */
        public Builder addressHandles(int value) {
            addressHandles = value;
            return this;
        }

        /** Sets the most bytes of rings that one context may have. */
        public Builder ringBytes(long value) {
            ringBytes = value;
            return this;
        }

        /** The limits. */
        public SoftLimits build() {
            return new SoftLimits(
                    queuePairs,
                    workRequests,
                    sge,
                    inlineBytes,
                    completionQueues,
                    completions,
                    regions,
                    windows,
                    domains,
                    sharedQueues,
                    addressHandles,
                    ringBytes);
        }
    }
}
