/**
 * The ping-pong programs: what they say to their peer and what they do with the device. They understand the programs of
 * the same names in ibverbs-utils, so that either end may be one of those.
 *
 * <pre>
 *   PingpongOptions ──▶ Settings          what the command line says
 *
 *   Pingpong ──┬──▶ Rendezvous            addresses change hands over TCP:
 *              │      └── Conversation    one peer, whole messages, a deadline for each
 *              │            └── PortAddress   the 52 bytes
 *              ├──▶ Lanes                 the queue pairs, one class a transport service
 *              │      └── Ball            the memory that goes to and fro
 *              ├──▶ Rally                 who sends when, and until when
 *              ├──▶ ReceiveClock          the device's own times
 *              └──▶ Report                the lines that scripts read
 * </pre>
 */
@NullMarked
package dev.doorbell.tools.pingpong;

import org.jspecify.annotations.NullMarked;
