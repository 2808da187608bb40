package dev.doorbell.libibverbs;

import dev.doorbell.kernel.CmChannel;
import dev.doorbell.kernel.Kernel;
import dev.doorbell.kernel.KernelDevice;
import dev.doorbell.linux.LinuxKernel;
import dev.doorbell.memory.Host;
import dev.doorbell.spec.Guid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The system's devices as its libibverbs lists them. Where Linux has none, the library is not even loaded, unless a user named
 * it ({@link LibrarySettings}); where it cannot be loaded, there are no devices here, and nothing else is disturbed.
 *
 * <p>Thread rules: any thread.
 */
public final class LibraryKernel implements Kernel {
    /** After the direct way and before what is always there. */
    private static final int RANK = 10;

    private static final int MOST_DEVICES = 4096;

    private final Supplier<LibrarySettings> settings;
    private final Kernel linux;

    /** That of this host. */
    public LibraryKernel() {
        this(LibrarySettings::current, new LinuxKernel());
    }

    LibraryKernel(Supplier<LibrarySettings> settings, Kernel linux) {
        this.settings = settings;
        this.linux = linux;
    }

    @Override
    public String name() {
        return linux.name() + " by libibverbs";
    }

    @Override
    public int rank() {
        return RANK;
    }

    @Override
    public Optional<String> driver() {
        return Optional.of(LibraryProvider.NAME);
    }

    /** The kernel's own, which serves these devices too. */
    @Override
    public CmChannel openConnectionManager() {
        return linux.openConnectionManager();
    }

    @Override
    public List<KernelDevice> devices() {
        LibrarySettings wanted = settings.get();
        if (wanted.isOff()) {
            return List.of();
        }
        Map<String, KernelDevice> twins = new HashMap<>();
        linux.devices().forEach(device -> twins.put(device.name(), device));
        if (twins.isEmpty() && !wanted.isForced()) {
            return List.of();
        }
        return VerbsLibrary.load(wanted.name())
                .get()
                .map(library -> list(library, twins))
                .orElse(List.of());
    }

    private static List<KernelDevice> list(VerbsLibrary library, Map<String, KernelDevice> twins) {
        List<KernelDevice> devices = new ArrayList<>();
        try (DeviceList list = DeviceList.read(library)) {
            for (long device : list.devices()) {
                MemorySegment head = Foreign.at(device, Heads.DEVICE_SIZE);
                String name = Foreign.text(head, Heads.DEVICE_NAME, Heads.DEVICE_NAME_LENGTH);
                String node = Foreign.text(head, Heads.DEVICE_NODE_NAME, Heads.DEVICE_NAME_LENGTH);
                long guid = Long.reverseBytes(library.pointer(Function.GET_DEVICE_GUID, device));
                devices.add(
                        new LibraryDevice(library, name, node, new Guid(guid), Optional.ofNullable(twins.get(name))));
            }
        }
        return devices;
    }

    /** The library's list, which is freed after it was read. */
    record DeviceList(VerbsLibrary library, long address, List<Long> devices) implements AutoCloseable {
        static DeviceList read(VerbsLibrary library) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment count = arena.allocate(Integer.BYTES, Integer.BYTES);
                // Where the kernel has no RDMA at all there is no list; that is no error here.
                long list = library.pointer(Function.GET_DEVICE_LIST, count.address());
                int length = list == 0 ? 0 : Math.clamp(Host.getInt(count, 0), 0, MOST_DEVICES);
                List<Long> devices = new ArrayList<>();
                for (int i = 0; i < length; i++) {
                    devices.add(Foreign.longAt(list + (long) i * Long.BYTES));
                }
                return new DeviceList(library, list, List.copyOf(devices));
            }
        }

        @Override
        public void close() {
            if (address != 0) {
                library.run(Function.FREE_DEVICE_LIST, address);
            }
        }
    }
}
