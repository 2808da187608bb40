/** The driver of every adapter that the system's own libibverbs can drive, bound with the foreign function API. */
module dev.doorbell.libibverbs {
    requires static org.jspecify;
    requires dev.doorbell.kernel;
    requires dev.doorbell.linux;
    requires dev.doorbell.memory;
    requires dev.doorbell.spec;
    requires dev.doorbell.verbs;

    provides dev.doorbell.kernel.Kernel with
            dev.doorbell.libibverbs.LibraryKernel;
    provides dev.doorbell.verbs.spi.Provider with
            dev.doorbell.libibverbs.LibraryProvider;
}
