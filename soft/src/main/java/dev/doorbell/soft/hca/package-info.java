/**
 * A software HCA: what stands behind the rings of the embedded device.
 *
 * <pre>
 *   program      send ring        receive ring       completion ring
 *                    │                 │                    ▲
 *   Hca          Requester ────►  Responder ───────►  HcaCompletionQueue
 *                    │   message or packets               ▲
 *                    └── Completer ◄── answers ───────────┘
 * </pre>
 *
 * <p>The core has no threads, no clock and no input or output of its own: whoever rings a doorbell or calls
 * {@link dev.doorbell.soft.hca.Hca#doWork} lends it a thread, a {@link dev.doorbell.soft.hca.NanoClock} says the time,
 * and packets go through a {@link dev.doorbell.soft.link.PacketLink}.
 *
 * <p>Queues come in two kinds: rxe's rings, which the kernel makes, and mlx5's, which lie in memory of the program (the classes
 * named after it). The engine sees {@code WorkRequest}s and {@code Completion}s, and none of their layouts.
 *
 * <p>Locks, in the order in which they may be taken: the requester's of a queue pair, the responder's of a queue pair,
 * a completion queue's. Nobody holds two of one level.
 */
@NullMarked
package dev.doorbell.soft.hca;

import org.jspecify.annotations.NullMarked;
