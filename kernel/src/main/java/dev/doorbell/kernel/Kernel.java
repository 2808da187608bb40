package dev.doorbell.kernel;

import java.util.List;
import java.util.Optional;

/** A kernel that has RDMA devices. Implementations are found by {@link java.util.ServiceLoader}. */
public interface Kernel {
    /** A short name for people, such as {@code linux 6.12.0} or {@code embedded}. */
    String name();

    /**
     * The devices that this kernel has at the moment, in a stable order. Listing opens nothing, binds nothing and needs
     * no native access. A device that cannot be used is listed with its reason ({@link KernelDevice#obstacle()});
     * a kernel that is absent has no devices.
     */
    List<KernelDevice> devices();

    /**
     * Why it has no devices, with the remedy, for people; empty if it has some, or if there is nothing to say.
     */
    default Optional<String> absence() {
        return Optional.empty();
    }

    /**
     * Where this kernel's devices stand among those of others when all are equally usable, lowest first. An operating
     * system's devices were set up on purpose and reach other hosts: 0. What is always there comes after them: 100.
     */
    default int rank() {
        return 0;
    }

    /**
     * Opens this kernel's connection manager, which connects by address: a channel of its own, shared with nobody. One
     * serves all devices of the kernel.
     *
     * @throws KernelException with the errno and the remedy; EOPNOTSUPP if this kernel has none
     */
    default CmChannel openConnectionManager() {
        throw new KernelException(Errno.EOPNOTSUPP, "opening the connection manager: " + name() + " has none");
    }

    /**
     * The name of the only driver that can drive the devices of this kernel: that of a library which stands between the
     * system's devices and this process and drives them itself. Empty for a kernel whose commands any driver can use.
     */
    default Optional<String> driver() {
        return Optional.empty();
    }
}
