/*
 * What the machine itself costs: the floor under Doorbell's figures. Plain C11, no library but pthreads.
 *
 *   floor pingpong CHUNKS    two threads and two cache lines, one for each way: a round trip
 *   floor write CHUNKS       one thread that posts, executes and polls an 8-byte write through two rings
 *
 * Both print one number: the median over the chunks of the nanoseconds of one round trip, or of one operation.
 * CPU numbers to run on may follow: the first for the thread that measures, the second for its partner.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIPS_PER_CHUNK = 200, OPERATIONS_PER_CHUNK = 2000, SLOTS = 128 };

struct line {
    alignas(256) _Atomic uint64_t value;
};

static struct line there, back;
static uint64_t trips;
static int partner_cpu = -1;

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static void run_on(int cpu) {
    cpu_set_t set;
    if (cpu < 0) {
        return;
    }
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_median(double *chunks, size_t count, double per_chunk) {
    qsort(chunks, count, sizeof *chunks, by_size);
    printf("%.2f\n", chunks[count / 2] / per_chunk);
}

/* ---- the cache-line ping-pong ---- */

static void *answer(void *unused) {
    run_on(partner_cpu);
    for (uint64_t trip = 1; trip <= trips; trip++) {
        while (atomic_load_explicit(&there.value, memory_order_acquire) != trip) {
        }
        atomic_store_explicit(&back.value, trip, memory_order_release);
    }
    return unused;
}

static void ping_pong(double *chunks, size_t count) {
    pthread_t partner;
    uint64_t trip = 0;
    trips = (uint64_t)count * TRIPS_PER_CHUNK;
    if (pthread_create(&partner, NULL, answer, NULL) != 0) {
        exit(1);
    }
    for (size_t chunk = 0; chunk < count; chunk++) {
        double start = now_ns();
        for (int i = 0; i < TRIPS_PER_CHUNK; i++) {
            trip++;
            atomic_store_explicit(&there.value, trip, memory_order_release);
            while (atomic_load_explicit(&back.value, memory_order_acquire) != trip) {
            }
        }
        chunks[chunk] = now_ns() - start;
    }
    pthread_join(partner, NULL);
    print_median(chunks, count, TRIPS_PER_CHUNK);
}

/* ---- post, execute, poll ---- */

struct request {
    alignas(256) uint64_t id;
    uint32_t opcode, flags;
    uint64_t remote;
    uint32_t rkey, length;
    uint64_t local;
    uint32_t lkey;
};

struct completion {
    alignas(64) uint64_t id;
    uint32_t status, opcode, queue_pair, length;
};

struct ring {
    alignas(128) _Atomic uint32_t producer;
    alignas(128) _Atomic uint32_t consumer;
};

static struct ring send_ring, completion_ring;
static struct request requests[SLOTS];
static struct completion completions[SLOTS];
static uint64_t source[8], target[8];

static void post(uint64_t id) {
    uint32_t slot = atomic_load_explicit(&send_ring.producer, memory_order_relaxed);
    struct request *request = &requests[slot % SLOTS];
    memset(request, 0, sizeof *request);
    request->id = id;
    request->flags = 1;
    request->remote = (uintptr_t)target;
    request->length = 8;
    request->local = (uintptr_t)source;
    atomic_store_explicit(&send_ring.producer, slot + 1, memory_order_release);
}

static void execute(void) {
    uint32_t slot = atomic_load_explicit(&send_ring.consumer, memory_order_relaxed);
    while (slot != atomic_load_explicit(&send_ring.producer, memory_order_acquire)) {
        const struct request *request = &requests[slot % SLOTS];
        uint32_t end = atomic_load_explicit(&completion_ring.producer, memory_order_relaxed);
        struct completion *completion = &completions[end % SLOTS];
        memcpy((void *)(uintptr_t)request->remote, (const void *)(uintptr_t)request->local, request->length);
        memset(completion, 0, sizeof *completion);
        completion->id = request->id;
        completion->length = request->length;
        atomic_store_explicit(&completion_ring.producer, end + 1, memory_order_release);
        atomic_store_explicit(&send_ring.consumer, ++slot, memory_order_release);
    }
}

static uint64_t poll_one(void) {
    uint32_t slot = atomic_load_explicit(&completion_ring.consumer, memory_order_relaxed);
    while (slot == atomic_load_explicit(&completion_ring.producer, memory_order_acquire)) {
    }
    uint64_t id = completions[slot % SLOTS].id;
    atomic_store_explicit(&completion_ring.consumer, slot + 1, memory_order_release);
    return id;
}

static void write_loop(double *chunks, size_t count) {
    uint64_t id = 0;
    for (size_t chunk = 0; chunk < count; chunk++) {
        double start = now_ns();
        for (int i = 0; i < OPERATIONS_PER_CHUNK; i++) {
            post(++id);
            execute();
            if (poll_one() != id) {
                exit(1);
            }
        }
        chunks[chunk] = now_ns() - start;
    }
    print_median(chunks, count, OPERATIONS_PER_CHUNK);
}

int main(int count, char **arguments) {
    size_t chunks = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
    double *times = chunks > 0 ? calloc(chunks, sizeof *times) : NULL;
    if (times == NULL) {
        fprintf(stderr, "usage: floor pingpong|write CHUNKS [CPU [CPU]]\n");
        return 64;
    }
    partner_cpu = count > 4 ? atoi(arguments[4]) : -1;
    run_on(count > 3 ? atoi(arguments[3]) : -1);
    if (strcmp(arguments[1], "pingpong") == 0) {
        ping_pong(times, chunks);
    } else {
        write_loop(times, chunks);
    }
    free(times);
    return 0;
}
