/** The embedded kernel: a software HCA, the links between devices, and the commands that drive it. */
module dev.doorbell.soft {
    requires static org.jspecify;
    requires dev.doorbell.linux;
    requires transitive dev.doorbell.kernel;
    requires transitive dev.doorbell.memory;
    requires transitive dev.doorbell.spec;
    requires transitive dev.doorbell.wire;

    exports dev.doorbell.soft;
    exports dev.doorbell.soft.cm;
    exports dev.doorbell.soft.fault;
    exports dev.doorbell.soft.hca;
    exports dev.doorbell.soft.kernel;
    exports dev.doorbell.soft.link;

    provides dev.doorbell.kernel.Kernel with
            dev.doorbell.soft.SoftKernel;
}
