package dev.doorbell.mlx5;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.mlx5.Cqe;
import dev.doorbell.verbs.spi.VerbsFault;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a user may choose of this driver: a system property, or else an environment variable.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>property</th><th>variable</th><th>values</th></tr>
 * <tr><td>{@code doorbell.mlx5.cqeSize}</td><td>{@code DOORBELL_MLX5_CQE_SIZE}</td><td>{@code 64}, {@code 128}: bytes of a completion entry. Larger ones
 * carry up to 64 bytes of a short message instead of 32.</td></tr>
 * </table>
 *
 * @param entrySize bytes of a completion entry
 */
record Mlx5Settings(int entrySize) {
    static final String ENTRY_SIZE_PROPERTY = "doorbell.mlx5.cqeSize";
    static final String ENTRY_SIZE_VARIABLE = "DOORBELL_MLX5_CQE_SIZE";

    /** Those of this process. */
    static Mlx5Settings current() {
        return of(System::getProperty, System.getenv());
    }

    static Mlx5Settings of(Function<String, @Nullable String> properties, Map<String, String> environment) {
        String property = properties.apply(ENTRY_SIZE_PROPERTY);
        String variable = environment.get(ENTRY_SIZE_VARIABLE);
        String size = property != null ? property : variable == null ? "" : variable;
        return new Mlx5Settings(
                switch (size.strip()) {
                    case "", "64" -> Cqe.SIZE;
                    case "128" -> 2 * Cqe.SIZE;
                    default ->
                        throw new VerbsFault(
                                Errno.EINVAL, ENTRY_SIZE_VARIABLE + " is '" + size + "': entries have 64 or 128 bytes");
                });
    }
}
