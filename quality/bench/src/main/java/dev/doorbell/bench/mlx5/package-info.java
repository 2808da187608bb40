/**
 * What posting through the mlx5 driver costs, beside the C driver: {@link dev.doorbell.bench.mlx5.Mlx5Bench}. A
 * {@link dev.doorbell.bench.mlx5.FakeMlx5} stands in for the kernel here, {@code src/main/c/mlx5_kernel.c} there: both answer the same,
 * their register pages are ordinary memory, and completion entries are written as the device would.
 */
@NullMarked
package dev.doorbell.bench.mlx5;

import org.jspecify.annotations.NullMarked;
