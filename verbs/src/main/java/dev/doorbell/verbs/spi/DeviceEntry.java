package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.KernelDevice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A device of a catalogue with the driver that was found for it.
 *
 * <p>Thread rules: immutable; the device reads its tables from the kernel on each call.
 *
 * @param kernel the kernel's name
 * @param kernelRank see {@link dev.doorbell.kernel.Kernel#rank()}
 * @param device the device as its kernel lists it
 * @param provider the driver that matched, also one that speaks another ABI; null if none did
 * @param matchedBy what the match rests on, for people
 * @param obstacle why the device cannot be used by this process, with the remedy; empty if nothing is known to stand in
 *     the way
 * @param others the same device as other kernels list it, for other drivers; the next best first
 */
public record DeviceEntry(
        String kernel,
        int kernelRank,
        KernelDevice device,
        @Nullable Provider provider,
        String matchedBy,
        Optional<String> obstacle,
        List<DeviceEntry> others) {
    /** Copies the list. */
    public DeviceEntry {
        others = List.copyOf(others);
    }

    /** This entry for a user who asked for its driver: the driver's own reservation stands in the way no more. */
    public DeviceEntry asked() {
        Provider driver = provider;
        return driver == null || !obstacle.equals(driver.reservation(device))
                ? this
                : new DeviceEntry(kernel, kernelRank, device, driver, matchedBy, Optional.empty(), others);
    }
}
