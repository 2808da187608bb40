/**
 * How fast operations are between two machines, in the spirit of perftest: latencies one by one, throughput with a full queue.
 *
 * <p>Client and server find each other by the connection manager; the client's {@link dev.doorbell.tools.perf.PerfPlan} travels in
 * the private data of its request, and the server's memory in that of the answer.
 *
 * <p>Reading order: {@link dev.doorbell.tools.perf.PerfOperation}, {@link dev.doorbell.tools.perf.PerfPlan},
 * {@link dev.doorbell.tools.perf.PerfOptions}, {@link dev.doorbell.tools.perf.Perf}.
 */
@NullMarked
package dev.doorbell.tools.perf;

import org.jspecify.annotations.NullMarked;
