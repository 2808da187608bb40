package dev.doorbell.soft.kernel;

import dev.doorbell.kernel.abi.DriverId;

/** What a device of the embedded kernel is to programs: which driver drives it, and how commands and queues look. */
public enum Personality {
    /** Soft-RoCE: queues in memory of the kernel, and a doorbell that is a call. */
    RXE(DriverId.RXE, 2),

    /**
     * A ConnectX: queues in memory of the program, doorbells that are stores. Its engine is the same, so what it does with
     * a message is what the other does.
     */
    MLX5(DriverId.MLX5, 1);

    private final int driverId;
    private final int driverAbi;

    Personality(int driverId, int driverAbi) {
        this.driverId = driverId;
        this.driverAbi = driverAbi;
    }

    int driverId() {
        return driverId;
    }

    int driverAbi() {
        return driverAbi;
    }
}
