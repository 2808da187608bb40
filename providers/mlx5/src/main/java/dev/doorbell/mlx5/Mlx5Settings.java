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
 * <tr><td>{@code doorbell.mlx5.scatterToCqe}</td><td>{@code DOORBELL_MLX5_SCATTER_TO_CQE}</td><td>{@code 1}, {@code 0}: whether short messages come inside
 * completion entries.</td></tr>
 * </table>
 *
 * @param entrySize bytes of a completion entry
 * @param dataInside whether the device may deliver data inside completion entries
 */
record Mlx5Settings(int entrySize, boolean dataInside) {
    /** What holds where nobody chose. */
    static final Mlx5Settings USUAL = new Mlx5Settings(Cqe.SIZE, true);

    static final String ENTRY_SIZE_VARIABLE = "DOORBELL_MLX5_CQE_SIZE";
    static final String DATA_INSIDE_VARIABLE = "DOORBELL_MLX5_SCATTER_TO_CQE";

    private static final String ENTRY_SIZE_PROPERTY = "doorbell.mlx5.cqeSize";
    private static final String DATA_INSIDE_PROPERTY = "doorbell.mlx5.scatterToCqe";

    /** Those of this process. */
    static Mlx5Settings current() {
        return of(System::getProperty, System.getenv());
    }

    static Mlx5Settings of(Function<String, @Nullable String> properties, Map<String, String> environment) {
        String size = value(properties.apply(ENTRY_SIZE_PROPERTY), environment.get(ENTRY_SIZE_VARIABLE));
        String inside = value(properties.apply(DATA_INSIDE_PROPERTY), environment.get(DATA_INSIDE_VARIABLE));
        return new Mlx5Settings(
                switch (size) {
                    case "", "64" -> USUAL.entrySize;
                    case "128" -> 2 * Cqe.SIZE;
                    default -> throw refusal(ENTRY_SIZE_VARIABLE, size, "entries have 64 or 128 bytes");
                },
                switch (inside) {
                    case "", "1" -> USUAL.dataInside;
                    case "0" -> false;
                    default -> throw refusal(DATA_INSIDE_VARIABLE, inside, "it is 1 or 0");
                });
    }

    private static String value(@Nullable String property, @Nullable String variable) {
        if (property != null) {
            return property.strip();
        }
        return variable == null ? "" : variable.strip();
    }

    private static VerbsFault refusal(String name, String value, String rule) {
        return new VerbsFault(Errno.EINVAL, name + " is '" + value + "': " + rule);
    }
}
