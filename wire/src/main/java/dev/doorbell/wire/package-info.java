/**
 * The bytes that travel between devices. A packet here is what RoCEv2 puts into a UDP datagram, without the invariant
 * CRC at its end:
 *
 * <pre>
 *   BTH 12 | extended headers | payload | pad 0..3
 * </pre>
 *
 * <p>Every header is a class of stateless accessors over (segment, offset), with its picture in the class comment; all
 * fields are big-endian. Which headers a packet has, in which order, follows from its operation code:
 * {@link dev.doorbell.wire.Headers}.
 *
 * <p>A receiver looks at a packet through a {@link dev.doorbell.wire.PacketView}, which checks it once; after that no
 * accessor fails. Read {@link dev.doorbell.wire.Bth}, {@link dev.doorbell.wire.Headers},
 * {@link dev.doorbell.wire.PacketView}, in this order.
 */
@NullMarked
package dev.doorbell.wire;

import org.jspecify.annotations.NullMarked;
