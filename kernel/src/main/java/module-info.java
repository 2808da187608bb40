/** The contract between programs and kernels: commands, rings, events, and the seam behind which every kernel stands. */
module dev.doorbell.kernel {
    requires static org.jspecify;
    requires transitive dev.doorbell.memory;
    requires transitive dev.doorbell.spec;

    exports dev.doorbell.kernel;
    exports dev.doorbell.kernel.abi;
    exports dev.doorbell.kernel.abi.mlx5;
}
