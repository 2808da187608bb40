/**
 * The bytes between mlx5 devices, their kernel driver and a user-mode driver: driver data of commands (host order), and what both sides read and write in
 * memory (big-endian): work requests, completions, doorbell records, register pages.
 *
 * <p>Reading order: {@link Mlx5GetContext}, {@link Mlx5CreateQp} (where the queues lie), {@link ControlSegment} (a work request),
 * {@link DoorbellRecord} and {@link RegisterPage} (how the device learns of it), {@link Cqe} (how it answers).
 *
 * <p>Numbers and layouts are those of the Linux headers {@code rdma/mlx5-abi.h} and {@code rdma/mlx5_user_ioctl_cmds.h}, and of the header
 * {@code infiniband/mlx5dv.h}, which documents the device; a test compares them with a table that a C compiler made from those headers.
 */
@NullMarked
package dev.doorbell.kernel.abi.mlx5;

import org.jspecify.annotations.NullMarked;
