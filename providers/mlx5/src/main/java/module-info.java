/** The user-mode driver of mlx5 devices. */
module dev.doorbell.mlx5 {
    requires static org.jspecify;
    requires dev.doorbell.kernel;
    requires dev.doorbell.memory;
    requires dev.doorbell.spec;
    requires dev.doorbell.verbs;

    provides dev.doorbell.verbs.spi.Provider with
            dev.doorbell.mlx5.Mlx5Provider;
}
