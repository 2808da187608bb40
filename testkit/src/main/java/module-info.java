/** For tests of programs that use RDMA: devices in memory, virtual time, faults, and a seeded generator. */
module dev.doorbell.testkit {
    requires static org.jspecify;
    requires transitive dev.doorbell.soft;
    requires transitive dev.doorbell.verbs;

    exports dev.doorbell.testkit;
}
