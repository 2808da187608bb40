/**
 * Faults on purpose: a device's packets are lost, doubled, held back, delayed or damaged, by chance or by script.
 *
 * <pre>
 *   FaultInjector   what goes wrong, how often, from which seed; counts what it did
 *   FaultText       the same as one line of text: DOORBELL_FAULTS, --faults
 *   PassingPacket   what a script looks at
 *   FaultyLink      the decorator of a link that carries it out
 * </pre>
 *
 * <p>Read {@link dev.doorbell.soft.fault.FaultInjector} first.
 */
@NullMarked
package dev.doorbell.soft.fault;

import org.jspecify.annotations.NullMarked;
