/** The doorbell command. */
module dev.doorbell.tools {
    requires static org.jspecify;
    requires ascii.table;
    requires dev.doorbell;
    requires dev.doorbell.conformance;
    requires dev.doorbell.linux;
    requires org.apache.commons.cli;
}
