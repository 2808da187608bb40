/** Bytes: accessors named by byte order and by memory ordering, and the ring that two sides share. */
module dev.doorbell.memory {
    requires static org.jspecify;

    exports dev.doorbell.memory;
}
