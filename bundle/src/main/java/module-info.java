/** All of Doorbell that a program needs: the API, the drivers, the Linux kernel's devices and the embedded one. */
module dev.doorbell {
    requires transitive dev.doorbell.verbs;
    requires transitive dev.doorbell.cm;
    requires dev.doorbell.linux;
    requires dev.doorbell.libibverbs;
    requires dev.doorbell.mlx5;
    requires dev.doorbell.rxe;
    requires dev.doorbell.soft;
}
