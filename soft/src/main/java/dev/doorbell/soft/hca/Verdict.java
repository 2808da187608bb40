package dev.doorbell.soft.hca;

/** What a responder makes of a request, and so what it answers. */
enum Verdict {
    /** Executed. */
    ACCEPTED,
    /** Executed before (rule 3.6). */
    DUPLICATE,
    /** A request before it is missing: NAK, PSN sequence error. */
    OUT_OF_SEQUENCE,
    /** No receive work request: RNR NAK. */
    NOT_READY,
    /** NAK, invalid request. The responder is in error. */
    INVALID_REQUEST,
    /** NAK, remote access error. The responder is in error. */
    ACCESS_ERROR,
    /** NAK, remote operational error. The responder is in error. */
    OPERATIONAL_ERROR,
    /** The request's own payload could not be read; nothing happened at the responder. */
    WITHDRAWN,
    /** Nothing is answered. */
    SILENT
}
