package dev.doorbell.verbs.spi;

import dev.doorbell.kernel.CommandChannel;
import dev.doorbell.kernel.KernelDevice;
import java.util.Optional;

/**
 * A user-mode driver. Implementations are found by {@link java.util.ServiceLoader} and are stateless.
 *
 * <p>Follows the driver interface of the C library ({@code verbs_device_ops}).
 *
 * <p>Thread rules: any method from any thread.
 */
public interface Provider {
    /** The driver's name, such as {@code rxe} or {@code mlx5}. */
    String name();

    /** Which devices it drives. */
    MatchTable matches();

    /** The versions of the kernel driver's ABI that it speaks. */
    AbiRange abi();

    /** Why it can drive nothing in this process, with the remedy; empty for a driver that needs nothing. */
    default Optional<String> absence() {
        return Optional.empty();
    }

    /**
     * Why this driver leaves a device that it could drive to others unless the user asks for it; empty for a driver that is the
     * first choice.
     */
    default Optional<String> reservation(KernelDevice device) {
        return Optional.empty();
    }

    /** What whoever uses this driver should know beforehand, a line for people; empty if there is nothing to say. */
    default Optional<String> remark() {
        return Optional.empty();
    }

    /**
     * Starts driving a device: queries the context (GET_CONTEXT) and maps what the driver needs. The channel is fresh:
     * no command has been sent on it. It stays the caller's to close, also when this throws.
     *
     * @throws VerbsFault with the errno of the command that the kernel refused
     */
    ProviderContext open(KernelDevice device, CommandChannel channel);
}
