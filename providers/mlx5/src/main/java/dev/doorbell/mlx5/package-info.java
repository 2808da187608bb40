/**
 * The user-mode driver for the ABI of mlx5 devices (ConnectX): work requests are written into queues in the program's memory, a doorbell record and a
 * store to a mapped register page start the device, completions are read from memory by their owner bit. There is no system call
 * between posting and polling. <b>It has never run on hardware.</b>
 *
 * <pre>
 *   Mlx5Provider ── ContextOpening ──▶ Mlx5Context ──┬── Mlx5CompletionQueue   ◀── CqeRing ── device
 *                                          │         ├── Mlx5SharedReceiveQueue ── Mlx5SharedReceives ──▶ record
 *                                          │         └── Mlx5QueuePair
 *       Mlx5Device: what objects share     │               ├── Mlx5SendQueue    ── blocks ──▶ record, Register
 *       Registers, DoorbellRecords,        ▼               └── Mlx5ReceiveQueue ── WQEs ──▶ record
 *       tables by key, number, index    CommandChannel
 * </pre>
 *
 * <p>What it does byte by byte was learned from what the C driver writes; the recordings are replayed by this module's tests.
 *
 * <p>Read {@link dev.doorbell.mlx5.SendQueueShape}, {@link dev.doorbell.mlx5.Mlx5SendQueue}, {@link dev.doorbell.mlx5.Register} and
 * {@link dev.doorbell.mlx5.DirectStores}, then {@link dev.doorbell.mlx5.Mlx5CompletionQueue}.
 */
@NullMarked
package dev.doorbell.mlx5;

import org.jspecify.annotations.NullMarked;
