package dev.doorbell.quality.linux;

import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.linux.LinuxKernel;

/** The lab's device. */
final class Rxe0 {
    private Rxe0() {}

    static KernelDevice device() {
        return new LinuxKernel()
                .devices().stream()
                        .filter(device -> device.name().equals("rxe0"))
                        .findAny()
                        .orElseThrow(() -> new AssertionError("no rxe0: these tests run in the kernel lab"));
    }
}
