package dev.doorbell.soft;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.soft.link.CaptureFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * cannot be had at all, devices work inside this process, and their property {@code link} says why. {@code DOORBELL_SOFT=off}
 * lists none, for programs that are to fail rather than to run on software.
 *
 * <p>{@code DOORBELL_SOFT_MLX5=soft-mlx5} lists one more device, which presents itself as an mlx5 device and is driven by that
 * driver; {@code soft-mlx5@192.0.2.8} says where it is. No hardware is behind it: it is there to try and test the driver. It sees
 * what was posted when somebody polls or waits, and otherwise within about a millisecond.
 *
 * <p>{@code DOORBELL_CAPTURE=file.pcapng} writes all packets that the devices send and receive into a file for Wireshark, from
 * when the first device is opened; {@code %p} in the name stands for the process's number, where several are started alike.
 * Queue pairs of one device exchange by copying, without packets.
 *
 * <p>{@code DOORBELL_FAULTS=loss=1%,delay=2ms,seed=42} lets packets suffer on purpose, in both directions of each device; what
 * can be said there stands at {@link FaultInjector#parse}. The system property {@value #FAULTS_PROPERTY} says the same, and counts more.
 * What the injector does is told in the property {@code link} and in counters that begin with {@code faults_}.
 */
public final class SoftKernel implements Kernel {
    private static final String DEFAULT = "soft0";
    private static final String CAPTURE = "DOORBELL_CAPTURE";
    private static final String FAULTS = "DOORBELL_FAULTS";

    /** System property: faults, as DOORBELL_FAULTS has them. */
    public static final String FAULTS_PROPERTY = "doorbell.faults";

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
        return Configured.PROCESS.devices;
    }

    @Override
    public Optional<String> absence() {
        return devices().isEmpty()
                ? Optional.of("there is no embedded device, as " + SoftConfiguration.VARIABLE + " says "
                        + SoftConfiguration.OFF)
                : Optional.empty();
    }

    @Override
    public CmChannel openConnectionManager() {
        SoftNetwork network = Configured.PROCESS.network;
        return network == null ? Kernel.super.openConnectionManager() : network.openConnectionManager();
    }

    /**
     * What the environment asks for.
     *
     * @param network what connects the devices; null if they are not usable
     */
    private record Configured(
            List<KernelDevice> devices, @Nullable SoftNetwork network) {
        /** Made when a program first lists devices. */
        static final Configured PROCESS = configured(
                System.getenv(SoftConfiguration.VARIABLE),
                System.getenv(SoftConfiguration.MLX5_VARIABLE),
                System.getenv(CAPTURE),
                System.getProperty(FAULTS_PROPERTY, System.getenv(FAULTS)));
    }

    /** The devices for a value of the variable, null where it is not set; one that cannot be opened for a wrong value. */
    static List<KernelDevice> fromEnvironment(@Nullable String value) {
        return fromEnvironment(value, null, null);
    }

    /**
     * The same, with all packets written into a file, and with faults.
     *
     * @param capture the file's path; null for none
     * @param faults the faults; null for none
     */
    static List<KernelDevice> fromEnvironment(
            @Nullable String value, @Nullable String capture, @Nullable String faults) {
        return configured(value, null, capture, faults).devices;
    }

    /** As {@link #fromEnvironment(String)}, with further devices that present themselves as mlx5. */
    static List<KernelDevice> withMlx5(@Nullable String value, String mlx5) {
        return configured(value, mlx5, null, null).devices;
    }

    private static Configured configured(
            @Nullable String value, @Nullable String mlx5, @Nullable String capture, @Nullable String faults) {
        try {
            SoftNetwork.Builder builder = SoftNetwork.builder().udp(UnaryOperator.identity());
            if (capture != null && !capture.isBlank()) {
                builder.capture(CaptureFile.fromWhenADeviceIsOpened(captureFile(capture)));
            }
            List<DeviceAddress> devices = new ArrayList<>(
                    value == null || value.isBlank()
                            ? List.of(DeviceAddress.anywhere(DEFAULT))
                            : SoftConfiguration.parse(value));
            if (mlx5 != null && !mlx5.isBlank()) {
                List<DeviceAddress> more = SoftConfiguration.parseMlx5(mlx5);
                devices.addAll(more);
                more.forEach(device -> builder.mlx5(device.name()));
            }
            if (devices.isEmpty()) {
                return new Configured(List.of(), null);
            }
            devices.forEach(builder::device);
            if (faults != null && !faults.isBlank()) {
                devices.forEach(device -> builder.faults(device.name(), faults(faults)));
            }
            SoftNetwork network = builder.build();
            return new Configured(network.devices(), network);
        } catch (IllegalArgumentException wrong) {
            return new Configured(List.of(new MisconfiguredDevice(String.valueOf(wrong.getMessage()))), null);
        }
    }

    /** The file of a capture: {@code %p} is this process, so that several that are started alike do not share one. */
    private static Path captureFile(String text) {
        Path file = Path.of(
                        text.replace("%p", Long.toString(ProcessHandle.current().pid())))
                .toAbsolutePath();
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(CAPTURE + ": " + file + " is a folder; name a file in it");
        }
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IllegalArgumentException(CAPTURE + ": there is no folder " + folder);
        }
        return file;
    }

    private static FaultInjector faults(String text) {
        try {
            return FaultInjector.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(FAULTS + ": " + wrong.getMessage(), wrong);
        }
    }
}
