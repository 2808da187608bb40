/**
 * The verbs API: RDMA from the device list to a completion.
 *
 * <pre>
 *   Device ── open() ──▶ Context ──┬─▶ ProtectionDomain ──┬─▶ RegisteredArena ──▶ MemorySlice
 *     list, named, at,    limits,   │                      ├─▶ MemoryRegion    ──▶ MemorySlice, RemoteMemory
 *     preferred           ports,    │                      ├─▶ MemoryWindow    ──▶ RemoteMemory
 *                         GIDs      │                      ├─▶ AddressHandle   where datagrams go
 *                                   │                      ├─▶ SharedReceiveQueue ─▶ ReceiveBatch
 *                                   │                      └─▶ QueuePair ──┬─▶ SendBatch      what to do
 *                                   │                            │         └─▶ ReceiveBatch   where to receive
 *                                   │                         completes into
 *                                   │                            ▼
 *                                   ├─▶ CompletionQueue ──▶ CompletionCursor, WorkCompletion  what was done
 *                                   ├─▶ CompletionChannel   which queues have completions
 *                                   └─▶ AsyncEvents         what happens by itself
 *
 *   to the peer: Endpoint (connect to me), RemoteMemory (write here)
 * </pre>
 *
 * <p>Read {@link dev.doorbell.verbs.Device}, {@link dev.doorbell.verbs.Context},
 * {@link dev.doorbell.verbs.ProtectionDomain}, {@link dev.doorbell.verbs.RegisteredArena},
 * {@link dev.doorbell.verbs.QueuePair}, {@link dev.doorbell.verbs.SendBatch} and
 * {@link dev.doorbell.verbs.CompletionQueue}, in this order.
 *
 * <p>Rules that hold everywhere:
 * <ul>
 *   <li><b>Closing.</b> Everything that can be closed can be closed twice. An object keeps its parents alive; a parent with
 *       children refuses to close and lists them, and a context closes all that is in it. After close every call that needs
 *       the object throws {@link dev.doorbell.verbs.ClosedException}, in whichever thread, and what is known of it can still
 *       be read; nothing crashes. What a program loses is reported
 *       by the logger {@code dev.doorbell.leaks} and freed.
 *   <li><b>Errors.</b> {@link dev.doorbell.verbs.VerbsException} says operation, object, errno, rule or limit, and remedy.
 *       Offsets outside a region or slice are {@link java.lang.IndexOutOfBoundsException}s.
 *   <li><b>Data path.</b> Posting and polling allocate nothing, log nothing, and make no system call but the doorbell's, which
 *       on some devices is none.
 *   <li><b>Threads.</b> Everything may be used from any thread; each type says what excludes what. Interrupting a thread never
 *       closes anything.
 * </ul>
 */
@NullMarked
package dev.doorbell.verbs;

import org.jspecify.annotations.NullMarked;
