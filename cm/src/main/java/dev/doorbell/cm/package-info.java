/**
 * The connection manager (librdmacm): connects queue pairs by IP address and port.
 *
 * <pre>
 *   in three lines                           with events, for thousands of connections
 *
 *   Connector.open()                         EventChannel.open()
 *     ├── connect(address, deadline)           ├── create(PortSpace.TCP) ─▶ CmId
 *     │      └─▶ CmConnection                  │      bind, listen, resolveAddress, resolveRoute,
 *     └── listen(address) ─▶ Listener          │      connect, accept, reject, disconnect, joinMulticast
 *            └── accept(deadline)              └── await(deadline) ─▶ CmEvent
 *                   └─▶ CmConnection                  type, id, status, parameters, private data
 * </pre>
 *
 * <p>Both forms speak the kernel's rdma_cm commands through seam 2, so they serve the devices of Linux and the embedded ones
 * alike. The library moves queue pairs through their states, as librdmacm does; the kernel exchanges the messages.
 *
 * <p>No call waits for ever unless it is told to: every wait has a deadline.
 *
 * <p>Reading order: {@link dev.doorbell.cm.Connector}, {@link dev.doorbell.cm.CmConnection},
 * {@link dev.doorbell.cm.EventChannel}, {@link dev.doorbell.cm.CmId}, {@link dev.doorbell.cm.CmEvent},
 * {@link dev.doorbell.cm.ConnectionParameters}.
 */
@NullMarked
package dev.doorbell.cm;

import org.jspecify.annotations.NullMarked;
