/*
 * Bare UDP between two processes: what a transport over UDP is compared with. Both ends poll and never sleep.
 *
 *   udp pingpong|stream client|server OWN PEER CPU
 *
 * OWN and PEER are IPv4 addresses. The program prints "ready", then reads one number a line and answers each with a number:
 * for pingpong so many chunks of 200 round trips of 8 bytes, and the median of nanoseconds for one; for stream so many bytes, and
 * gigabytes a second. Both ends get the same number, the server first.
 *
 * A stream is cut into datagrams of 4096 bytes, as many in one send as fit (UDP_SEGMENT, UDP_GRO). Nobody looks at the bytes:
 * no checksum, no copy. At most half a mebibyte is unacknowledged, so that nothing is lost.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define CLIENT_PORT 19001
#define SERVER_PORT 19002
#define LEVEL_UDP 17
#define UDP_SEGMENT_OPTION 103
#define UDP_GRO_OPTION 104
#define TRIPS 200
#define BALL 8
#define SEGMENT 4096
#define SEGMENTS 15
#define WINDOW (512 * 1024)
#define ACKNOWLEDGE_EVERY (128 * 1024)
#define PATIENCE_NS 5000000000LL

static char outgoing[1 << 16];
static char incoming[1 << 16];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static long long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int open_socket(const char *own, int own_port, const char *peer, int peer_port) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0), size = 8 << 20;
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(own_port)};
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(peer_port)};
    if (fd < 0) fail("socket");
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size)) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size)) setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    if (inet_pton(AF_INET, own, &here.sin_addr) != 1 || inet_pton(AF_INET, peer, &there.sin_addr) != 1) fail(own);
    if (bind(fd, (void *)&here, sizeof here)) fail("bind");
    if (connect(fd, (void *)&there, sizeof there)) fail("connect");
    return fd;
}

/* Polls for a datagram, or several that came together. */
static ssize_t receive(int fd) {
    long long since = now_ns();
    for (unsigned long looks = 1;; looks++) {
        ssize_t bytes = recv(fd, incoming, sizeof incoming, MSG_DONTWAIT);
        if (bytes > 0) return bytes;
        if ((looks & 0xfff) == 0 && now_ns() - since > PATIENCE_NS) fail("nothing came from the other end");
    }
}

static void send_bytes(int fd, const void *bytes, size_t count) {
    if (send(fd, bytes, count, 0) < 0) fail("send");
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double ping(int fd, long chunks) {
    double *times = malloc(chunks * sizeof *times), median;
    for (long chunk = 0; chunk < chunks; chunk++) {
        long long start = now_ns();
        for (int trip = 0; trip < TRIPS; trip++) {
            send_bytes(fd, outgoing, BALL);
            receive(fd);
        }
        times[chunk] = (double)(now_ns() - start) / TRIPS;
    }
    qsort(times, chunks, sizeof *times, compare);
    median = times[chunks / 2];
    free(times);
    return median;
}

static double pong(int fd, long chunks) {
    for (long trip = 0; trip < chunks * TRIPS; trip++) {
        receive(fd);
        send_bytes(fd, incoming, BALL);
    }
    return 0;
}

static double send_stream(int fd, long total) {
    char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct iovec vector = {outgoing, SEGMENT * SEGMENTS};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *segments = CMSG_FIRSTHDR(&message);
    uint16_t size = SEGMENT;
    segments->cmsg_level = LEVEL_UDP;
    segments->cmsg_type = UDP_SEGMENT_OPTION;
    segments->cmsg_len = CMSG_LEN(sizeof size);
    memcpy(CMSG_DATA(segments), &size, sizeof size);
    long long start = now_ns();
    uint64_t sent = 0, acknowledged = 0;
    while (acknowledged < (uint64_t)total) {
        if (sent < (uint64_t)total && sent + vector.iov_len <= acknowledged + WINDOW) {
            if (sendmsg(fd, &message, 0) < 0) fail("sendmsg");
            sent += vector.iov_len;
        } else {
            receive(fd);
            memcpy(&acknowledged, incoming, sizeof acknowledged);
        }
    }
    return (double)sent / (now_ns() - start);
}

static double receive_stream(int fd, long total) {
    uint64_t got = 0, acknowledged = 0;
    while (got < (uint64_t)total) {
        got += receive(fd);
        if (got - acknowledged >= ACKNOWLEDGE_EVERY || got >= (uint64_t)total) {
            acknowledged = got;
            send_bytes(fd, &got, sizeof got);
        }
    }
    return 0;
}

int main(int count, char **arguments) {
    char line[64];
    cpu_set_t cpu;
    if (count != 6) {
        fprintf(stderr, "udp pingpong|stream client|server OWN PEER CPU\n");
        return 2;
    }
    int stream = !strcmp(arguments[1], "stream"), client = !strcmp(arguments[2], "client"), one = 1;
    int number = atoi(arguments[5]);
    if (number >= 0) {
        CPU_ZERO(&cpu);
        CPU_SET(number, &cpu);
        if (sched_setaffinity(0, sizeof cpu, &cpu)) fail("affinity");
    }
    int fd = open_socket(arguments[3], client ? CLIENT_PORT : SERVER_PORT, arguments[4], client ? SERVER_PORT : CLIENT_PORT);
    if (stream && !client && setsockopt(fd, LEVEL_UDP, UDP_GRO_OPTION, &one, sizeof one)) fail("UDP_GRO");
    memset(outgoing, 7, sizeof outgoing);
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        long amount = atol(line);
        double result = stream ? (client ? send_stream : receive_stream)(fd, amount) : (client ? ping : pong)(fd, amount);
        printf("%.4f\n", result);
        fflush(stdout);
    }
    return 0;
}
