package dev.doorbell.soft;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The embedded kernel of this process: {@code soft0} at 127.0.0.1, or the devices that the environment variable
 * {@code DOORBELL_SOFT} names, such as {@code soft0@127.0.0.1,soft1@127.0.0.2}. All of them reach each other.
 *
 * <p>Every instance shows the same devices. Listing them binds and starts nothing; the first device that is opened
 * starts its thread, which sleeps unless there is work.
 */
public final class SoftKernel implements Kernel {
    /** For {@link java.util.ServiceLoader}. */
    public SoftKernel() {}

    @Override
    public String name() {
        return SoftNetwork.NAME;
    }

    @Override
    public int rank() {
        return SoftNetwork.RANK;
    }

    @Override
    public List<KernelDevice> devices() {
        return Devices.ALL;
    }

    /** Made when a program first lists devices. */
    private static final class Devices {
        static final List<KernelDevice> ALL = fromEnvironment(System.getenv(SoftConfiguration.VARIABLE));
    }

    /** The devices for a value of the variable, null where it is not set; one that cannot be opened for a wrong value. */
    static List<KernelDevice> fromEnvironment(@Nullable String value) {
        String text = value == null || value.isBlank() ? SoftConfiguration.DEFAULT : value;
        try {
            SoftNetwork.Builder builder = SoftNetwork.builder();
            SoftConfiguration.parse(text).forEach(builder::device);
            return builder.build().devices();
        } catch (IllegalArgumentException wrong) {
            return List.of(new MisconfiguredDevice(String.valueOf(wrong.getMessage())));
        }
    }
}
