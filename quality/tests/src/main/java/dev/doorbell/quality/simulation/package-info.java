/**
 * Two hosts in one thread under virtual time, over a link that is as slow as a real one and as bad as wanted: what becomes of each
 * operation, size and MTU.
 *
 * <pre>
 *   Workload     what is done: SEND, WRITE with immediate, READ …
 *   Scenario     a workload with sizes, MTU, faults and a seed
 *   Simulation   carries it out, and looks at every byte and every completion
 *   Outcome      how long it took, and in how many packets
 *   SoakLoss     the command quality/tests/soak-loss: millions of packets
 * </pre>
 *
 * <p>Read {@link dev.doorbell.quality.simulation.Simulation} first.
 */
@NullMarked
package dev.doorbell.quality.simulation;

import org.jspecify.annotations.NullMarked;
