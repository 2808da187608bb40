/**
 * The interoperability matrix: Doorbell, its embedded device and the C programs, on and against Linux's Soft-RoCE. Runs in
 * the kernel lab, started by {@code quality/lab/run-matrix}.
 *
 * <pre>
 *   this JVM: Matrix ── Desk ── rxe0 ── lab0 10.77.0.1 ═══ lab1 10.77.0.2 ── soft0 ── Desk ── Peer: a JVM in namespace "peer"
 *      └──────────────── Line: one line of text at a time, over the child's standard input and output ────────────────┘
 * </pre>
 *
 * <p>Both JVMs play the two halves of the same script: {@link dev.doorbell.quality.interop.Bout} says what happens,
 * {@link dev.doorbell.quality.interop.Half} plays one side of it and checks all the bytes on its side. The C programs are
 * processes beside the first JVM.
 */
@NullMarked
package dev.doorbell.quality.interop;

import org.jspecify.annotations.NullMarked;
