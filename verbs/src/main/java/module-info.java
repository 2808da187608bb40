/** The verbs API, and the seam for the user-mode drivers below it. */
module dev.doorbell.verbs {
    requires static org.jspecify;
    requires transitive dev.doorbell.spec;
    requires dev.doorbell.memory;
    requires transitive dev.doorbell.kernel;

    exports dev.doorbell.verbs;
    exports dev.doorbell.verbs.spi;
    exports dev.doorbell.verbs.uverbs;

    uses dev.doorbell.kernel.Kernel;
    uses dev.doorbell.verbs.spi.Provider;
}
