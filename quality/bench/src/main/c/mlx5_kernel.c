#define _GNU_SOURCE
#include "mlx5_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MAJOR = 231, MINOR = 192, PAGE = 4096, FIRST_PAGE = 0x900 };
enum { EXTENDED = (int)IB_USER_VERBS_CMD_FLAG_EXTENDED };

static const char node[] = "/dev/infiniband/uverbs0";
static int command_fd = -1;
static uint32_t handles, pages;

struct told told_cq, told_qp;

/* ---- what the library reads before it opens the device ---- */

static void file(const char *folder, const char *name, const char *text) {
    char path[PATH_MAX];
    FILE *out;
    snprintf(path, sizeof path, "%s/class/%s", folder, name);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0755);
        *slash = '/';
    }
    out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(out, "%s\n", text);
    fclose(out);
}

void kernel_start(const char *folder) {
    file(folder, "infiniband_verbs/abi_version", "6");
    file(folder, "infiniband_verbs/uverbs0/ibdev", "mlx5_0");
    file(folder, "infiniband_verbs/uverbs0/dev", "231:192");
    file(folder, "infiniband_verbs/uverbs0/abi_version", "1");
    file(folder, "infiniband/mlx5_0/node_type", "1: CA");
    file(folder, "infiniband/mlx5_0/node_guid", "0000:0000:0000:0001");
    file(folder, "infiniband/mlx5_0/device/vendor", "0x15b3");
    file(folder, "infiniband/mlx5_0/device/device", "0x1017");
    file(folder, "infiniband/mlx5_0/device/modalias", "pci:v000015B3d00001017sv000015B3sd00000007bc02sc00i00");
    setenv("SYSFS_PATH", folder, 1);
}

/* ---- commands ---- */

static void context(struct ib_uverbs_get_context_resp *core, struct mlx5_ib_alloc_ucontext_resp *driver) {
    int pipe_ends[2];
    core->async_fd = pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) == 0 ? (uint32_t)pipe_ends[0] : 0;
    core->num_comp_vectors = 1;
    driver->qp_tab_size = 1 << 18;
    driver->bf_reg_size = 512;
    driver->cache_line_size = 64;
    driver->max_sq_desc_sz = 1024;
    driver->max_rq_desc_sz = 512;
    driver->max_send_wqebb = driver->max_recv_wr = 32768;
    driver->max_srq_recv_wr = 32767;
    driver->num_ports = 1;
    driver->response_length = sizeof *driver;
    driver->cqe_version = 1;
    driver->log_uar_size = 12;
    driver->num_uars_per_page = 1;
}

static void device(struct ib_uverbs_query_device_resp *core) {
    core->max_mr_size = UINT64_MAX;
    core->vendor_id = 0x02c9;
    core->vendor_part_id = 4119;
    core->max_qp = 1 << 17;
    core->max_qp_wr = 32768;
    core->max_sge = core->max_sge_rd = 30;
    core->max_cq = core->max_mr = core->max_pd = 1 << 20;
    core->max_cqe = (1 << 22) - 1;
    core->max_qp_rd_atom = core->max_qp_init_rd_atom = 16;
    core->atomic_cap = 1;
    core->phys_port_cnt = 1;
}

static void port(struct ib_uverbs_query_port_resp *core) {
    core->max_msg_sz = 1 << 30;
    core->gid_tbl_len = core->pkey_tbl_len = 1;
    core->state = 4;
    core->max_mtu = core->active_mtu = 5;
    core->link_layer = 2;
    core->flags = 1;
}

static void create_cq(const struct mlx5_ib_create_cq *driver, uint32_t entries, struct mlx5_ib_create_cq_resp *answer) {
    told_cq = (struct told){driver->buf_addr, driver->db_addr, 0x400, entries, 0};
    answer->cqn = told_cq.number;
}

static void create_qp(const struct mlx5_ib_create_qp *driver, struct mlx5_ib_create_qp_resp *answer) {
    uint64_t receives = (uint64_t)driver->rq_wqe_count << driver->rq_wqe_shift;
    told_qp = (struct told){driver->buf_addr + receives, driver->db_addr, 0xa1b200, driver->sq_wqe_count, driver->uidx};
    answer->bfreg_index = UINT32_MAX;
}

struct command {
    uint32_t code;
    size_t in, out; /* bytes of the core's part */
};

static const struct command commands[] = {
    {IB_USER_VERBS_CMD_GET_CONTEXT, 8, 8},
    {IB_USER_VERBS_CMD_QUERY_DEVICE, 8, sizeof(struct ib_uverbs_query_device_resp)},
    {IB_USER_VERBS_CMD_QUERY_PORT, 16, sizeof(struct ib_uverbs_query_port_resp)},
    {IB_USER_VERBS_CMD_ALLOC_PD, 8, 4},
    {IB_USER_VERBS_CMD_REG_MR, sizeof(struct ib_uverbs_reg_mr), sizeof(struct ib_uverbs_reg_mr_resp)},
    {IB_USER_VERBS_CMD_CREATE_CQ, sizeof(struct ib_uverbs_create_cq), sizeof(struct ib_uverbs_create_cq_resp)},
    {IB_USER_VERBS_CMD_CREATE_QP, sizeof(struct ib_uverbs_create_qp), sizeof(struct ib_uverbs_create_qp_resp)},
    {IB_USER_VERBS_CMD_MODIFY_QP, sizeof(struct ib_uverbs_modify_qp), 0},
    {EXTENDED | IB_USER_VERBS_EX_CMD_QUERY_DEVICE, 8, sizeof(struct ib_uverbs_ex_query_device_resp)},
    {EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_CQ, sizeof(struct ib_uverbs_ex_create_cq),
        sizeof(struct ib_uverbs_ex_create_cq_resp)},
    {EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_QP, sizeof(struct ib_uverbs_ex_create_qp),
        sizeof(struct ib_uverbs_ex_create_qp_resp)},
};

static void run(uint32_t code, const void *in, const void *driver_in, void *out, void *driver_out) {
    switch (code) {
    case IB_USER_VERBS_CMD_GET_CONTEXT:
        context(out, driver_out);
        break;
    case IB_USER_VERBS_CMD_QUERY_DEVICE:
    case EXTENDED | IB_USER_VERBS_EX_CMD_QUERY_DEVICE:
        device(out);
        break;
    case IB_USER_VERBS_CMD_QUERY_PORT:
        port(out);
        break;
    case IB_USER_VERBS_CMD_ALLOC_PD:
        *(uint32_t *)out = ++handles;
        break;
    case IB_USER_VERBS_CMD_REG_MR:
        *(struct ib_uverbs_reg_mr_resp *)out = (struct ib_uverbs_reg_mr_resp){++handles, 0x180010, 0x180010};
        break;
    case IB_USER_VERBS_CMD_CREATE_CQ:
        *(struct ib_uverbs_create_cq_resp *)out =
            (struct ib_uverbs_create_cq_resp){.cq_handle = ++handles, .cqe = ((const struct ib_uverbs_create_cq *)in)->cqe};
        create_cq(driver_in, ((const struct ib_uverbs_create_cq *)in)->cqe, driver_out);
        break;
    case EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_CQ: {
        struct ib_uverbs_ex_create_cq_resp *answer = out;
        answer->base.cq_handle = ++handles;
        answer->base.cqe = ((const struct ib_uverbs_ex_create_cq *)in)->cqe;
        answer->response_length = sizeof *answer;
        create_cq(driver_in, answer->base.cqe, driver_out);
        break;
    }
    case IB_USER_VERBS_CMD_CREATE_QP: {
        const struct ib_uverbs_create_qp *asked = in;
        create_qp(driver_in, driver_out);
        *(struct ib_uverbs_create_qp_resp *)out = (struct ib_uverbs_create_qp_resp){++handles, told_qp.number,
            asked->max_send_wr, asked->max_recv_wr, asked->max_send_sge, asked->max_recv_sge, asked->max_inline_data, 0};
        break;
    }
    case EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_QP: {
        const struct ib_uverbs_ex_create_qp *asked = in;
        struct ib_uverbs_ex_create_qp_resp *answer = out;
        create_qp(driver_in, driver_out);
        answer->base = (struct ib_uverbs_create_qp_resp){++handles, told_qp.number, asked->max_send_wr, asked->max_recv_wr,
            asked->max_send_sge, asked->max_recv_sge, asked->max_inline_data, 0};
        answer->response_length = sizeof *answer;
        break;
    }
    default:
        break;
    }
}

/* A command as it is written: header, the core's part, the driver's part; the answer goes where the command says. */
static int written(const void *bytes) {
    const struct ib_uverbs_cmd_hdr *header = bytes;
    const struct command *command = NULL;
    const uint8_t *in = (const uint8_t *)bytes + sizeof *header;
    _Alignas(8) uint8_t out[512] = {0}, driver_out[512] = {0};
    uint64_t answer = 0;
    size_t core_out, rest;
    for (size_t i = 0; i < sizeof commands / sizeof *commands && command == NULL; i++) {
        command = commands[i].code == header->command ? &commands[i] : NULL;
    }
    if (command == NULL) {
        return EOPNOTSUPP;
    }
    if ((header->command & EXTENDED) != 0) {
        const struct ib_uverbs_ex_cmd_hdr *extended = (const void *)in;
        in += sizeof *extended;
        answer = extended->response;
        core_out = header->out_words * 8;
        rest = extended->provider_out_words * 8;
    } else {
        core_out = command->out;
        rest = header->out_words * 4 - core_out;
        memcpy(&answer, in, core_out > 0 ? 8 : 0);
    }
    run(header->command, in, in + command->in, out, driver_out);
    if (answer != 0) {
        memcpy((void *)(uintptr_t)answer, out, core_out);
        memcpy((uint8_t *)(uintptr_t)answer + core_out, driver_out, rest);
    }
    return 0;
}

/* The only method: allocating a register page. */
static int method(struct ib_uverbs_ioctl_hdr *header) {
    uint64_t offset = (uint64_t)(FIRST_PAGE + pages) * PAGE;
    uint32_t length = PAGE, number = 0x20 + pages;
    if (header->object_id != MLX5_IB_OBJECT_UAR || header->method_id != MLX5_IB_METHOD_UAR_OBJ_ALLOC) {
        return ENOTTY;
    }
    for (int i = 0; i < header->num_attrs; i++) {
        struct ib_uverbs_attr *attribute = &header->attrs[i];
        switch (attribute->attr_id) {
        case MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE:
            attribute->data = ++handles;
            break;
        case MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET:
            memcpy((void *)(uintptr_t)attribute->data, &offset, sizeof offset);
            break;
        case MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH:
            memcpy((void *)(uintptr_t)attribute->data, &length, sizeof length);
            break;
        case MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID:
            memcpy((void *)(uintptr_t)attribute->data, &number, sizeof number);
            break;
        default:
            break;
        }
    }
    pages++;
    return 0;
}

/* ---- the functions of libc behind which the kernel stands ---- */

static int answer(int error) {
    errno = error;
    return error == 0 ? 0 : -1;
}

static void describe(struct stat *about) {
    memset(about, 0, sizeof *about);
    about->st_mode = S_IFCHR | 0666;
    about->st_rdev = makedev(MAJOR, MINOR);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
    va_end(more);
    if (strcmp(path, node) == 0) {
        command_fd = (int)syscall(SYS_memfd_create, "uverbs0", 1);
        return command_fd;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int stat(const char *path, struct stat *about) {
    if (strcmp(path, node) == 0) {
        describe(about);
        return 0;
    }
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, about, 0);
}

int stat64(const char *path, struct stat64 *about) __attribute__((alias("stat")));

int fstat(int fd, struct stat *about) {
    if (fd >= 0 && fd == command_fd) {
        describe(about);
        return 0;
    }
    return (int)syscall(SYS_fstat, fd, about);
}

int fstat64(int fd, struct stat64 *about) __attribute__((alias("fstat")));

ssize_t write(int fd, const void *bytes, size_t count) {
    if (fd >= 0 && fd == command_fd) {
        return answer(written(bytes)) == 0 ? (ssize_t)count : -1;
    }
    return syscall(SYS_write, fd, bytes, count);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (fd >= 0 && fd == command_fd) {
        return answer((uint32_t)request == (uint32_t)RDMA_VERBS_IOCTL ? method(argument) : ENOTTY);
    }
    return (int)syscall(SYS_ioctl, fd, request, argument);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    if (fd >= 0 && fd == command_fd) {
        protection = PROT_READ | PROT_WRITE;
        flags = MAP_PRIVATE | MAP_ANONYMOUS;
        fd = -1;
        offset = 0;
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) __attribute__((alias("mmap")));

/* Without the kernel's RDMA messages the library looks into the folder. */
int socket(int domain, int type, int protocol) {
    return domain == AF_NETLINK ? answer(EPROTONOSUPPORT) : (int)syscall(SYS_socket, domain, type, protocol);
}
