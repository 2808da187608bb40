package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.verbs.Device;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Kernels and drivers, and which driver drives which device. {@link #installed()} has those that the service loader
 * finds; {@link #of} is for test kits and for programs that bring their own.
 *
 * <p>Drivers are tried in three rounds over all of them: kernel driver id, start of the device's name, modalias. A driver
 * that matches but does not speak the device's ABI version becomes the device's obstacle. A device that two kernels list, the
 * system's own and a library that drives it itself, is one device: the direct way comes first unless only the other can be
 * used, or the property {@code doorbell.driver} or the variable {@code DOORBELL_DRIVER} names a driver ({@code libibverbs}, or
 * {@code rxe0=libibverbs} for one device).
 *
 * <p>Thread rules: immutable.
 */
public final class DeviceCatalog {
    private static final ScopedValue<DeviceCatalog> CURRENT = ScopedValue.newInstance();

    private final List<Kernel> kernels;
    private final List<Provider> providers;
    private final boolean isInstalled;

    private DeviceCatalog(List<Kernel> kernels, List<Provider> providers, boolean isInstalled) {
        this.isInstalled = isInstalled;
        this.kernels = List.copyOf(kernels);
        this.providers = List.copyOf(providers);
    }

    /** A catalogue of these kernels and drivers, in this order. */
    public static DeviceCatalog of(List<? extends Kernel> kernels, List<? extends Provider> providers) {
        return new DeviceCatalog(List.copyOf(kernels), List.copyOf(providers), false);
    }

    /** The kernels and drivers on the module path and the class path. */
    public static DeviceCatalog installed() {
        return Installed.CATALOG;
    }

    /** The catalogue that {@link Device} lists in this thread: that of {@link #call}, or else {@link #installed()}. */
    public static DeviceCatalog current() {
        return CURRENT.isBound() ? CURRENT.get() : installed();
    }

    /**
     * Runs a program that sees the devices of this catalogue and no others: {@link Device#list()} and everything that
     * selects from it.
     */
    public <T> T call(Supplier<T> program) {
        return ScopedValue.where(CURRENT, this).call(program::get);
    }

    /** The devices that there are now, in the order of {@link Device#list()}. */
    public List<Device> devices() {
        return call(Device::list);
    }

    /** The kernels, in the order of the catalogue; {@link Device#kernel()} is the name of one of them. */
    public List<Kernel> kernels() {
        return kernels;
    }

    /** The drivers. */
    public List<Provider> providers() {
        return providers;
    }

    /** Each device that there is now with its driver, in the order of the kernels; once, also if several list it. */
    public List<DeviceEntry> entries() {
        DriverWish wish = DriverWish.current();
        List<DeviceEntry> entries = new ArrayList<>();
        for (Kernel kernel : kernels) {
            for (KernelDevice device : kernel.devices()) {
                entries.add(entry(kernel, device, wish));
            }
        }
        return DeviceWays.merge(entries, wish);
    }

    /** Why kernels have no devices, with the remedies; a line each. */
    public List<String> absences() {
        return kernels.stream()
                .flatMap(kernel -> kernel.absence().map(text -> kernel.name() + ": " + text).stream())
                .toList();
    }

    private DeviceEntry entry(Kernel kernel, KernelDevice device, DriverWish wish) {
        DriverMatch match = kernel.driver()
                .map(driver -> DriverMatch.named(driver, providers))
                .orElseGet(() -> DriverMatch.find(device, providers));
        Provider provider = match == null ? null : match.provider();
        return new DeviceEntry(
                kernel.name(),
                kernel.rank(),
                device,
                provider,
                match == null ? "" : match.reason(),
                device.obstacle()
                        .or(() -> driverObstacle(device, provider))
                        .or(() -> unknown(wish))
                        .or(() -> reservation(device, provider, wish)),
                List.of());
    }

    /** A catalogue of a test's own lacks drivers on purpose. */
    private Optional<String> unknown(DriverWish wish) {
        return isInstalled ? wish.unknown(providers.stream().map(Provider::name).toList()) : Optional.empty();
    }

    private static Optional<String> reservation(KernelDevice device, @Nullable Provider provider, DriverWish wish) {
        return provider == null || wish.names(device.name(), provider.name())
                ? Optional.empty()
                : provider.reservation(device);
    }

    private Optional<String> driverObstacle(KernelDevice device, @Nullable Provider provider) {
        if (provider == null) {
            return Optional.of("no driver for it (kernel driver id " + device.driverId() + ", name " + device.name()
                    + (device.modalias().isEmpty() ? "" : ", modalias " + device.modalias()) + ") among "
                    + providers.stream().map(Provider::name).toList()
                    + "; put one on the module path or the class path" + driversThatAreMissing());
        }
        AbiRange range = provider.abi();
        int abi = device.driverAbi();
        if (range.contains(abi)) {
            return Optional.empty();
        }
        String old = abi > range.highest()
                ? "the driver is too old: use a newer one"
                : "the kernel is too old: use a newer kernel or an older driver";
        return Optional.of("its kernel driver has ABI version " + abi + ", and the driver " + provider.name()
                + " speaks " + range + "; " + old);
    }

    /** What keeps drivers that could drive anything from doing so. */
    private String driversThatAreMissing() {
        StringBuilder text = new StringBuilder();
        for (Provider provider : providers) {
            provider.absence()
                    .ifPresent(reason -> text.append(", or let ")
                            .append(provider.name())
                            .append(" drive it: ")
                            .append(reason));
        }
        return text.toString();
    }

    /** Looked up once, when first used. */
    private static final class Installed {
        private static final DeviceCatalog CATALOG = new DeviceCatalog(kernels(), drivers(), true);

        private static List<Kernel> kernels() {
            return load(ServiceLoader.load(Kernel.class, DeviceCatalog.class.getClassLoader()));
        }

        private static List<Provider> drivers() {
            return load(ServiceLoader.load(Provider.class, DeviceCatalog.class.getClassLoader()));
        }

        /** One that cannot be loaded is no reason to lose the others. */
        private static <T> List<T> load(ServiceLoader<T> loader) {
            List<T> services = new ArrayList<>();
            Iterator<T> iterator = loader.iterator();
            while (true) {
                try {
                    if (!iterator.hasNext()) {
                        return services;
                    }
                    services.add(iterator.next());
                } catch (ServiceConfigurationError e) {
                    System.getLogger("dev.doorbell.devices")
                            .log(System.Logger.Level.WARNING, "left out: " + e.getMessage(), e);
                }
            }
        }
    }
}
