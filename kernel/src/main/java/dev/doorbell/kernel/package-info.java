/**
 * Seam 2: what a user-mode driver asks of a kernel, whichever kernel that is.
 *
 * <pre>
 *   Kernel ── devices() ──▶ KernelDevice ── open() ──▶ CommandChannel
 *                                                        ├── invoke    one uverbs command: core and driver bytes
 *                                                        ├── map       a ring, by the offset that a command returned
 *                                                        ├── pin       memory that a registration is about to name
 *                                                        ├── doorbell  "look at this send queue"
 *                                                        ├── events    asynchronous and completion events
 *                                                        └── progress  a thread that may be lent to the device
 *
 *   Kernel ── openConnectionManager() ──▶ CmChannel        connects by address, for all devices of the kernel
 *                                          ├── invoke      one rdma_cm command
 *                                          └── events      connection events
 * </pre>
 *
 * <p>Two kernels stand behind it: Linux ({@code dev.doorbell.linux}), where a command is a system call, and the
 * embedded one ({@code dev.doorbell.soft}), which answers the same bytes in this process. Nothing above this package
 * knows which it is talking to.
 */
@NullMarked
package dev.doorbell.kernel;

import org.jspecify.annotations.NullMarked;
