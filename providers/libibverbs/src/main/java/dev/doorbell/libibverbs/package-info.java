/**
 * Every adapter that the system's libibverbs can drive, without a driver of this project.
 *
 * <pre>
 *   LibraryKernel ──▶ LibraryDevice ── open() ──▶ LibraryChannel      ibv_open_device: the whole context is the library's
 *   LibraryProvider ── open(channel) ──▶ LibraryContext
 *                                          ├─▶ LibraryQueuePair ──▶ LibrarySendQueue, LibraryReceiveQueue
 *                                          ├─▶ LibraryCompletionQueue
 *                                          ├─▶ LibrarySharedReceiveQueue
 *                                          └─▶ LibraryRegion, LibraryWindow, LibraryAddressHandle
 *   below:  VerbsLibrary   exported functions, looked up by name (control path)
 *           DataPath       the context's table of operations: post, poll, arm (data path)
 *           structs        ContextStruct, SendWr, Wc, … : layouts of infiniband/verbs.h, the same since rdma-core 15
 * </pre>
 *
 * <p>Rings belong to the library's driver, so what cannot be read there is counted here: each work request travels under a
 * number of its own ({@link dev.doorbell.libibverbs.Postings}), and comes back under its program's.
 */
@NullMarked
package dev.doorbell.libibverbs;

import org.jspecify.annotations.NullMarked;
