/** The doorbell command. */
module dev.doorbell.tools {
    requires static org.jspecify;
    requires dev.doorbell;
}
