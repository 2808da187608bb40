/**
 * Bytes outside the heap, and the only place in Doorbell that names a {@link java.lang.foreign.ValueLayout} or a
 * {@link java.lang.invoke.VarHandle} mode.
 *
 * <pre>
 *   Be      big-endian fields            what travels on a wire, and GIDs in kernel commands
 *   Host    native-endian plain fields   what a kernel and a program exchange in commands and rings
 *   Shared  ordered fields               the words that two threads, or a program and a kernel, both touch
 *   SharedRing                           one producer, one consumer, indices in different cache lines
 * </pre>
 *
 * <p>Read {@link dev.doorbell.memory.Host} first, then {@link dev.doorbell.memory.Shared}, then
 * {@link dev.doorbell.memory.SharedRing}.
 */
@NullMarked
package dev.doorbell.memory;

import org.jspecify.annotations.NullMarked;
