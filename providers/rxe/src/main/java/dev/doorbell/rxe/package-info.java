/**
 * The user-mode driver for the ABI of Linux Soft-RoCE (rxe). It drives the real kernel's {@code rxe} devices and the
 * embedded kernel's device alike: both answer the same commands and share the same rings.
 *
 * <pre>
 *   RxeProvider ── open ──▶ RxeContext ──┬── RegisteredRegion, AllocatedWindow, RxeAddressHandle
 *                             │          ├── RxeCompletionQueue         ◀── ring ── kernel
 *     control: one Command    │          ├── RxeSharedReceiveQueue      ─── ring ──▶
 *     frame per uverbs call   │          └── RxeQueuePair
 *                             ▼                ├── RxeSendQueue         ─── ring ──▶ , doorbell
 *                        CommandChannel        └── RxeReceiveQueue      ─── ring ──▶
 * </pre>
 *
 * <p>Control: a {@link dev.doorbell.verbs.uverbs.Command} is filled, sent, read and forgotten. Where a create fails half-way,
 * what the kernel made is destroyed again. Destroying comes before unmapping, so that an object that the kernel keeps
 * (EBUSY) is still whole.
 *
 * <p>Data: each queue keeps its own index privately and the other side's in a cache, which is read anew only when it
 * says full or empty. So a post touches the lines of its work request and one index line, and a poll those of its
 * completion and one index line. A {@link dev.doorbell.rxe.MappedRing} was checked when it was mapped; after that,
 * nothing that the other side writes is trusted but its index, masked.
 *
 * <p>Read {@link dev.doorbell.rxe.RxeContext} first, then {@link dev.doorbell.rxe.RxeSendQueue} and
 * {@link dev.doorbell.rxe.RxeCompletionQueue}.
 */
@NullMarked
package dev.doorbell.rxe;

import org.jspecify.annotations.NullMarked;
