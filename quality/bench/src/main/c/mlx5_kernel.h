/*
 * A kernel with one mlx5 device, inside the program that links it. It answers what a user-mode driver asks on the way to a queue pair
 * in RTS, by write() as older kernels have it, and allocates register pages, which are ordinary memory. What was told to it is kept, so
 * that the program can play the device.
 */
#ifndef MLX5_KERNEL_H
#define MLX5_KERNEL_H
#include <stdint.h>

struct told {
    uint64_t buffer, record;
    uint32_t number, entries, user_index;
};

extern struct told told_cq, told_qp;

/* Makes the folder in which the library finds the device. */
void kernel_start(const char *folder);
#endif
