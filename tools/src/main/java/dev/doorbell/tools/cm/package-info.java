/**
 * The programs of rdmacm-utils: what they say to their peer, so that either end may be one of those.
 *
 * <pre>
 *   RpingOptions ──▶ RpingSettings ──▶ Rping ──▶ RpingEnd            READ, WRITE and SEND by turns
 *   StressOptions ──▶ StressSettings ──▶ Stress ──▶ StressNode       many connections at a time (ucmatose)
 *   DatagramOptions ──▶ DatagramSettings ──▶ Datagrams               unreliable datagrams (udaddy)
 *                                                                and a multicast group (mckey)
 * </pre>
 */
@NullMarked
package dev.doorbell.tools.cm;

import org.jspecify.annotations.NullMarked;
