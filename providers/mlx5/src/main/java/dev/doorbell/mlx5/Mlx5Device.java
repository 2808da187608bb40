package dev.doorbell.mlx5;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;

/**
 * What the objects of one open device share.
 *
 * @param identity the device as its kernel lists it
 */
record Mlx5Device(
        KernelDevice identity,
        CommandChannel channel,
        DeviceStores stores,
        DeviceLimits limits,
        Registers registers,
        DoorbellRecords records,
        QueuePairTable queuePairs,
        AddressTable addresses,
        WindowTable windows,
        RegionTable regions,
        Mlx5Settings settings) {
    static Mlx5Device of(
            KernelDevice identity,
            CommandChannel channel,
            DeviceStores stores,
            DeviceLimits limits,
            Registers registers,
            Mlx5Settings settings) {
        return new Mlx5Device(
                identity,
                channel,
                stores,
                limits,
                registers,
                new DoorbellRecords(channel, limits.cacheLine()),
                new QueuePairTable(limits.cqeVersion()),
                new AddressTable(),
                new WindowTable(),
                new RegionTable(),
                settings);
    }
}
