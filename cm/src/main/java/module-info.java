/** The connection manager: connections by address, over every device. */
module dev.doorbell.cm {
    requires static org.jspecify;
    requires transitive dev.doorbell.spec;
    requires transitive dev.doorbell.verbs;
    requires dev.doorbell.memory;
    requires dev.doorbell.kernel;

    exports dev.doorbell.cm;
}
