/** The transport's vocabulary, without bytes: opcodes, sequence numbers, states, statuses, timer and MTU codes, addresses. */
module dev.doorbell.spec {
    requires static org.jspecify;

    exports dev.doorbell.spec;
}
