package dev.doorbell.soft;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.link.CaptureFile;
import dev.doorbell.soft.link.CaptureLink;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The embedded kernel of this process: {@code soft0} at 127.0.0.1, or the devices that the environment variable
 * {@code DOORBELL_SOFT} names, such as {@code soft0@192.0.2.7,soft1@eth1}. They are on the IP network: RoCEv2 on UDP port
 * 4791.
 *
 * <p>Every instance shows the same devices. Listing them binds and starts nothing. A device that is opened binds its
 * port and starts its thread, which sleeps unless there is work; when its last context is closed the port is free again.
 * Where 127.0.0.1 is taken, {@code soft0} takes the next free loopback address, and its GID table says so. Where the port
 * cannot be had at all, devices work inside this process, and their property {@code link} says why.
 *
 * <p>{@code DOORBELL_CAPTURE=file.pcapng} writes all packets that the devices send and receive into a file for Wireshark.
 * Queue pairs of one device exchange by copying, without packets.
 */
public final class SoftKernel implements Kernel {
    private static final String DEFAULT = "soft0";
    private static final String CAPTURE = "DOORBELL_CAPTURE";

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
        static final List<KernelDevice> ALL =
                fromEnvironment(System.getenv(SoftConfiguration.VARIABLE), System.getenv(CAPTURE));
    }

    /** The devices for a value of the variable, null where it is not set; one that cannot be opened for a wrong value. */
    static List<KernelDevice> fromEnvironment(@Nullable String value) {
        return fromEnvironment(value, null);
    }

    /**
     * The same, with all packets written into a file.
     *
     * @param capture the file's path; null for none
     */
    static List<KernelDevice> fromEnvironment(@Nullable String value, @Nullable String capture) {
        try {
            SoftNetwork.Builder builder = SoftNetwork.builder().udp(UnaryOperator.identity());
            if (capture != null && !capture.isBlank()) {
                CaptureFile file = new CaptureFile(Path.of(capture));
                builder.link((name, link) -> new CaptureLink(link, file));
            }
            if (value == null || value.isBlank()) {
                builder.device(DEFAULT);
            } else {
                SoftConfiguration.parse(value).forEach(builder::device);
            }
            return builder.build().devices();
        } catch (IllegalArgumentException wrong) {
            return List.of(new MisconfiguredDevice(String.valueOf(wrong.getMessage())));
        } catch (UncheckedIOException wrong) {
            return List.of(new MisconfiguredDevice(CAPTURE + ": " + wrong.getMessage() + ": " + wrong.getCause()));
        }
    }
}
