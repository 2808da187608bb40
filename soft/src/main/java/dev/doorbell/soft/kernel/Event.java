package dev.doorbell.soft.kernel;

/**
 * One event of a device as it waits to be read. Immutable, so a completion queue makes its one kind of event once.
 *
 * @param source who raised it
 * @param type number of the asynchronous event; without meaning in a completion event
 */
record Event(EventSource source, int type) implements FileEvent {}
