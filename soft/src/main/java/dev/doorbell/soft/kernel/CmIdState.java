package dev.doorbell.soft.kernel;

/**
 * How far an identifier has got.
 *
 * <pre>
 *   active   IDLE ─▶ (BOUND) ─▶ ADDRESS_RESOLVED ─▶ ROUTE_RESOLVED ─▶ CONNECTING ─▶ DISCONNECTED
 *   passive  IDLE ─▶ BOUND ─▶ LISTENING        a request brings one that is CONNECTING ─▶ DISCONNECTED
 * </pre>
 */
enum CmIdState {
    IDLE,
    BOUND,
    ADDRESS_RESOLVED,
    ROUTE_RESOLVED,
    /** From the request on, also when it is connected. */
    CONNECTING,
    DISCONNECTED,
    LISTENING
}
