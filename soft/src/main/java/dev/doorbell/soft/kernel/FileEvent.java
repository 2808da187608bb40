package dev.doorbell.soft.kernel;

/** What waits in an event file to be read. */
sealed interface FileEvent permits Event, CmNotice {
    /** Who raised it. */
    EventSource source();
}
