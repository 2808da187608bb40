/** RoCEv2 packets: headers, checked views and one-line printing. Pure functions over memory. */
module dev.doorbell.wire {
    requires static org.jspecify;
    requires transitive dev.doorbell.memory;
    requires transitive dev.doorbell.spec;

    exports dev.doorbell.wire;
    exports dev.doorbell.wire.cm;
}
