package dev.doorbell.mlx5;

import java.lang.foreign.MemorySegment;

/** The device registers of a context. They live as long as it. */
interface Registers {
    /** Whether commands name register pages, rather than the kernel naming registers. */
    boolean areDynamic();

    /** The page in which completion queues are armed. */
    MemorySegment armPage();

    /** What CREATE_CQ calls that page. */
    int armPageNumber();

    /** A register for a new queue pair, where the driver chooses. */
    Register take();

    /** The register that the kernel chose for a new queue pair. */
    Register named(int index);

    /** The queue pair is gone. */
    void release(Register register);
}
