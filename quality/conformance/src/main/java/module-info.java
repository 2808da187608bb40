/** One suite of what a verbs device has to do, for every kernel and every driver. */
module dev.doorbell.conformance {
    requires static org.jspecify;
    requires dev.doorbell;
    requires transitive dev.doorbell.testkit;
    requires transitive dev.doorbell.verbs;

    exports dev.doorbell.conformance;
    exports dev.doorbell.conformance.bench;
    exports dev.doorbell.conformance.cases;
    exports dev.doorbell.conformance.fabric;
    exports dev.doorbell.conformance.report;
}
