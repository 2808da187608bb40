/*
 * Prints how this compiler lays out the kernel's RDMA structs, as CSV:
 *
 *   struct,NAME,BYTES
 *   field,STRUCT,NAME,OFFSET,BYTES
 *   constant,NAME,VALUE
 *
 * FIELDS names a file in the form of abi-fields.h, with only what these headers have; abi-table.sh makes it. With MLX5
 * it is about the headers of the mlx5 driver instead.
 */
#include <stddef.h>
#include <stdio.h>
#ifdef MLX5
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <infiniband/mlx5dv.h>
#else
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <rdma/rdma_netlink.h>
#include <rdma/rdma_user_cm.h>
#include <rdma/rdma_user_rxe.h>
#include <linux/in.h>
#include <sys/socket.h>
#include <linux/ioctl.h>
#include <linux/netlink.h>
#endif

#define STRUCT(s) printf("struct,%s,%zu\n", #s, sizeof(struct s));
#define FIELD(s, f) printf("field,%s,%s,%zu,%zu\n", #s, #f, offsetof(struct s, f), sizeof(((struct s *)0)->f));
#define CONSTANT(c) printf("constant,%s,%lld\n", #c, (long long)(c));

int main(void)
{
#include FIELDS
	return 0;
}
