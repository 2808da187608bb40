package dev.doorbell.conformance;

/** Who is behind a fabric's devices: known differences are declared by it. */
public enum FabricKind {
    /** The embedded kernel's own software HCA. */
    EMBEDDED,
    /** Linux's Soft-RoCE, driven directly. */
    LINUX_RXE,
    /** A device of Linux, driven through the system's libibverbs. */
    LIBIBVERBS,
    /** The embedded kernel's mlx5 personality, or a ConnectX. */
    MLX5
}
