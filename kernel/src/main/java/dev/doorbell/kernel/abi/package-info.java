/**
 * The bytes of seam 2: uverbs commands, the rings of the rxe driver, event records. Every layout is a class of
 * stateless accessors over (segment, offset), with its picture in the class comment; offsets stand nowhere else.
 *
 * <p>Reading order of the connection manager: {@link dev.doorbell.kernel.CmChannel} (what travels how, and what every
 * kernel promises), {@link CmCommand} (which struct belongs to which command), {@link CmEventRecord},
 * {@link CmConnectionParameters}, {@link CmQpAttributes}, {@link CmIds}; addresses are {@link Sockaddr}.
 *
 * <p>Numbers and layouts are those of the Linux headers {@code rdma/ib_user_verbs.h}, {@code rdma/rdma_user_ioctl_cmds.h},
 * {@code rdma/ib_user_ioctl_cmds.h}, {@code rdma/rdma_user_rxe.h}, {@code rdma/rdma_user_cm.h} and, for discovery, {@code linux/netlink.h} and
 * {@code rdma/rdma_netlink.h}; a test compares them with a table that a C compiler made from those headers. Integers are in host order unless a field says big-endian.
 */
@NullMarked
package dev.doorbell.kernel.abi;

import org.jspecify.annotations.NullMarked;
