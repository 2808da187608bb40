/*
 * What posting costs in C: libibverbs and its driver libmlx5, as they are installed, on the kernel of mlx5_kernel.c.
 *
 *   mlx5 SHAPE CHUNKS [CPU [CPU]]
 *
 * SHAPE is three words joined by dashes:
 *   inline | element    a WRITE of 64 bytes that lie in the work request, or in registered memory
 *   post | wr           ibv_post_send, or ibv_wr_start to ibv_wr_complete
 *   shared | single     as it comes, or with MLX5_SINGLE_THREADED=1, which leaves the locks out
 *
 * Rounds of DEPTH work requests, a doorbell each; the last is signaled, its completion entry is written as the device would, and polled.
 * Prints the median over the chunks of the nanoseconds of one work request.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <infiniband/verbs.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mlx5_kernel.h"

enum { DEPTH = 256, ROUNDS_PER_CHUNK = 8, BYTES = 64, ENTRY = 64 };

/* So that a work request gets as much room in the queue as with ibv_post_send. */
enum { EVERY_OPERATION = (IBV_QP_EX_WITH_SEND_WITH_INV << 1) - 1 };

static struct ibv_qp *qp;
static struct ibv_qp_ex *qpx;
static struct ibv_cq *cq;
static struct ibv_mr *region;
static _Alignas(64) uint8_t message[BYTES];
static uint32_t completed, blocks;
static uint64_t posted;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void be32(uint8_t *at, uint32_t value) {
    value = htobe32(value);
    memcpy(at, &value, sizeof value);
}

/* What the device writes when the work request that begins in that block is done. */
static void complete(uint32_t block) {
    uint32_t entries = told_cq.entries + (told_cq.entries & 1); /* a power of two; the library asks for one less */
    uint8_t *entry = (uint8_t *)(uintptr_t)told_cq.buffer + (size_t)(completed & (entries - 1)) * ENTRY;
    be32(entry + 32, told_qp.user_index);
    be32(entry + 44, BYTES);
    be32(entry + 56, 8u << 24 | told_qp.number);
    entry[60] = (uint8_t)(block >> 8);
    entry[61] = (uint8_t)block;
    atomic_thread_fence(memory_order_release);
    entry[63] = (completed & entries) != 0;
    completed++;
}

static void poll_one(void) {
    struct ibv_wc completion;
    if (ibv_poll_cq(cq, 1, &completion) != 1 || completion.status != IBV_WC_SUCCESS || completion.wr_id != posted) {
        fprintf(stderr, "the completion is not that of work request %llu\n", (unsigned long long)posted);
        exit(1);
    }
}

static void post_send(int flags) {
    struct ibv_sge element = {(uintptr_t)message, BYTES, region->lkey};
    struct ibv_send_wr request = {.wr_id = ++posted, .sg_list = &element, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = (unsigned)flags, .wr.rdma = {(uintptr_t)message, region->rkey}};
    struct ibv_send_wr *bad;
    if (ibv_post_send(qp, &request, &bad) != 0) {
        fail("ibv_post_send");
    }
}

static void post_wr(int flags) {
    ibv_wr_start(qpx);
    qpx->wr_id = ++posted;
    qpx->wr_flags = (unsigned)flags & IBV_SEND_SIGNALED;
    ibv_wr_rdma_write(qpx, region->rkey, (uintptr_t)message);
    if ((flags & IBV_SEND_INLINE) != 0) {
        ibv_wr_set_inline_data(qpx, message, BYTES);
    } else {
        ibv_wr_set_sge(qpx, region->lkey, (uintptr_t)message, BYTES);
    }
    if (ibv_wr_complete(qpx) != 0) {
        fail("ibv_wr_complete");
    }
}

static void round_of(int by_wr, int flags, uint32_t size) {
    for (int i = 1; i <= DEPTH; i++) {
        int all = i < DEPTH ? flags : flags | IBV_SEND_SIGNALED;
        if (by_wr) {
            post_wr(all);
        } else {
            post_send(all);
        }
    }
    blocks += size * DEPTH;
    complete(blocks - size);
    poll_one();
}

static void move(struct ibv_qp_attr attributes, int mask, const char *where) {
    if (ibv_modify_qp(qp, &attributes, mask) != 0) {
        fail(where);
    }
}

static void open_queue_pair(const char *folder, int by_wr, int is_inline) {
    kernel_start(folder);
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices != NULL && devices[0] != NULL ? ibv_open_device(devices[0]) : NULL;
    struct ibv_pd *pd = context == NULL ? NULL : ibv_alloc_pd(context);
    if (pd == NULL) {
        fail("ibv_open_device, ibv_alloc_pd");
    }
    region = ibv_reg_mr(pd, message, BYTES, IBV_ACCESS_LOCAL_WRITE);
    cq = ibv_create_cq(context, 2 * DEPTH - 1, NULL, NULL, 0);
    struct ibv_qp_cap cap = {
        .max_send_wr = DEPTH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = is_inline ? BYTES : 0};
    struct ibv_qp_init_attr_ex asked = {.send_cq = cq, .recv_cq = cq, .cap = cap, .qp_type = IBV_QPT_RC, .pd = pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD | (by_wr ? IBV_QP_INIT_ATTR_SEND_OPS_FLAGS : 0),
        .send_ops_flags = EVERY_OPERATION};
    qp = cq == NULL ? NULL : ibv_create_qp_ex(context, &asked);
    if (region == NULL || qp == NULL) {
        fail("ibv_reg_mr, ibv_create_cq, ibv_create_qp_ex");
    }
    qpx = by_wr ? ibv_qp_to_qp_ex(qp) : NULL;
    move((struct ibv_qp_attr){.qp_state = IBV_QPS_INIT, .port_num = 1},
        IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");
    move((struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .ah_attr = {.is_global = 1, .port_num = 1}},
        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
            | IBV_QP_MIN_RNR_TIMER, "RTR");
    move((struct ibv_qp_attr){.qp_state = IBV_QPS_RTS},
        IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC, "RTS");
}

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments) {
    size_t chunks = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
    double *times = chunks > 0 ? calloc(chunks, sizeof *times) : NULL;
    char folder[4096];
    if (times == NULL) {
        fprintf(stderr, "usage: mlx5 inline|element-post|wr-shared|single CHUNKS [CPU]\n");
        return 64;
    }
    if (count > 3) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(atoi(arguments[3]), &set);
        (void)sched_setaffinity(0, sizeof set, &set);
    }
    int is_inline = strstr(arguments[1], "inline") != NULL, by_wr = strstr(arguments[1], "-wr") != NULL;
    setenv("MLX5_SINGLE_THREADED", strstr(arguments[1], "-single") != NULL ? "1" : "0", 1);
    snprintf(folder, sizeof folder, "%s.sysfs", arguments[0]);
    open_queue_pair(folder, by_wr, is_inline);
    for (int i = 0; i < 4 * ROUNDS_PER_CHUNK; i++) {
        round_of(by_wr, is_inline ? IBV_SEND_INLINE : 0, is_inline ? 2 : 1);
    }
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        double start = now_ns();
        for (int i = 0; i < ROUNDS_PER_CHUNK; i++) {
            round_of(by_wr, is_inline ? IBV_SEND_INLINE : 0, is_inline ? 2 : 1);
        }
        times[chunk] = now_ns() - start;
    }
    qsort(times, chunks, sizeof *times, by_size);
    printf("%.2f\n", times[chunks / 2] / (ROUNDS_PER_CHUNK * DEPTH));
    return 0;
}
