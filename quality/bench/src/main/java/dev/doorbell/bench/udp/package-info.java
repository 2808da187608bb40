/**
 * What Doorbell costs over UDP, measured beside bare UDP: {@code quality/bench/run udp}.
 *
 * <pre>
 *   UdpBench               the tables: for each network, latency and then throughput, everything in turn
 *     UdpNetwork           where the two ends are: on loopback, or in two namespaces joined by veth
 *     Contest              two processes that play rounds against each other
 *       udp.c, BarePeer    bare UDP in C and in Java
 *       DoorbellPeer       the same over RC: SEND, WRITE into memory that is polled, a stream of 1 MiB WRITEs
 * </pre>
 *
 * <p>The bare peers do what any transport over UDP must do at least. The one that streams in Java makes and checks a CRC32
 * over each datagram, and copies the bytes out of and into a region of memory, as RoCE has it; it knows no connections,
 * keys, sequence errors or completions.
 */
@NullMarked
package dev.doorbell.bench.udp;

import org.jspecify.annotations.NullMarked;
