/**
 * Where the embedded kernel is had.
 *
 * <pre>
 *   SoftKernel    found by ServiceLoader: soft0, or what DOORBELL_SOFT names; soft-mlx5 if DOORBELL_SOFT_MLX5 asks for it
 *   SoftNetwork   devices made by hand, joined in memory: for tests, with virtual time if wanted
 * </pre>
 */
@NullMarked
package dev.doorbell.soft;

import org.jspecify.annotations.NullMarked;
