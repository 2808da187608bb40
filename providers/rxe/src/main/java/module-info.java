/** The user-mode driver of Linux Soft-RoCE, for the real kernel's devices and the embedded one's. */
module dev.doorbell.rxe {
    requires static org.jspecify;
    requires dev.doorbell.kernel;
    requires dev.doorbell.memory;
    requires dev.doorbell.spec;
    requires dev.doorbell.verbs;

    provides dev.doorbell.verbs.spi.Provider with
            dev.doorbell.rxe.RxeProvider;
}
