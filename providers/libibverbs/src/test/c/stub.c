/*
 * A libibverbs for tests: one device, stub0, whose driver does everything at once in the calling thread, by copying. It checks
 * nothing that the tests do not rely on.
 *
 * The structures are those of the installed infiniband/verbs.h, so a test that passes also says that the layouts written down in
 * Java are the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

enum { MOST_QPS = 1024, FIRST_QPN = 0x100, MOST_VECTORS = 3 };

struct stub_cq {
  struct ibv_cq cq;
  pthread_spinlock_t lock;
  struct ibv_wc *wcs;
  unsigned head, tail;
  int armed;
};

struct recv {
  uint64_t wr_id;
  int num_sge;
  struct ibv_sge sge[8];
};

struct stub_srq {
  struct ibv_srq srq;
  struct recv *ring;
  unsigned head, tail, size, limit;
};

struct stub_qp {
  struct ibv_qp qp;
  struct ibv_qp_init_attr init;
  struct ibv_qp_attr attr;
  struct stub_srq own;
};

static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "stub0", .dev_name = "stub_uverbs0"};
static struct stub_qp *qps[MOST_QPS];
static uint32_t next_handle = 1, next_key = 0x1000;
static int async_pipe[2];

/* What the tests look at and turn: exported beside the verbs. */
int stub_open_contexts, stub_objects, stub_fail_post, stub_mute;

static void complete(struct ibv_cq *base, const struct ibv_wc *wc) {
  struct stub_cq *cq = (struct stub_cq *)base;
  pthread_spin_lock(&cq->lock);
  cq->wcs[cq->tail++ % (unsigned)cq->cq.cqe] = *wc;
  int armed = cq->armed;
  cq->armed = 0;
  pthread_spin_unlock(&cq->lock);
  if (armed && cq->cq.channel) {
    void *event = cq;
    if (write(cq->cq.channel->refcnt, &event, sizeof event) < 0) abort();
  }
}

static void report(enum ibv_event_type type, void *element) {
  struct ibv_async_event event = {.element.cq = element, .event_type = type};
  if (write(async_pipe[1], &event, sizeof event) < 0) abort();
}

static int poll_cq(struct ibv_cq *base, int count, struct ibv_wc *wc) {
  struct stub_cq *cq = (struct stub_cq *)base;
  int n = 0;
  pthread_spin_lock(&cq->lock);
  while (n < count && cq->head != cq->tail) wc[n++] = cq->wcs[cq->head++ % (unsigned)cq->cq.cqe];
  pthread_spin_unlock(&cq->lock);
  return n;
}

static int req_notify_cq(struct ibv_cq *base, int solicited) {
  (void)solicited;
  ((struct stub_cq *)base)->armed = 1;
  return 0;
}

static struct stub_srq *receives_of(struct stub_qp *qp) {
  return qp->init.srq ? (struct stub_srq *)qp->init.srq : &qp->own;
}

static int post_receives(struct stub_srq *queue, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  for (; wr; wr = wr->next) {
    if (queue->tail - queue->head == queue->size || wr->num_sge > 8) {
      *bad = wr;
      return ENOMEM;
    }
    struct recv *slot = &queue->ring[queue->tail++ % queue->size];
    slot->wr_id = wr->wr_id;
    slot->num_sge = wr->num_sge;
    memcpy(slot->sge, wr->sg_list, (size_t)wr->num_sge * sizeof slot->sge[0]);
  }
  return 0;
}

static void flush_receives(struct stub_qp *qp) {
  while (!qp->init.srq && qp->own.head != qp->own.tail) {
    struct ibv_wc wc = {.wr_id = qp->own.ring[qp->own.head++ % qp->own.size].wr_id, .status = IBV_WC_WR_FLUSH_ERR, .qp_num = qp->qp.qp_num};
    complete(qp->init.recv_cq, &wc);
  }
}

static int post_recv(struct ibv_qp *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct stub_qp *qp = (struct stub_qp *)base;
  int error = post_receives(&qp->own, wr, bad);
  if (qp->qp.state == IBV_QPS_ERR) flush_receives(qp);
  return error;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  return post_receives((struct stub_srq *)srq, wr, bad);
}

static uint32_t gather(const struct ibv_send_wr *wr, char *to) {
  uint32_t total = 0;
  for (int i = 0; i < wr->num_sge; i++) {
    memcpy(to + total, (void *)wr->sg_list[i].addr, wr->sg_list[i].length);
    total += wr->sg_list[i].length;
  }
  return total;
}

static void scatter(const char *from, uint32_t total, const struct ibv_sge *sge, int count) {
  for (int i = 0; i < count && total; i++) {
    uint32_t part = sge[i].length < total ? sge[i].length : total;
    memcpy((void *)sge[i].addr, from, part);
    from += part;
    total -= part;
  }
}

static struct stub_qp *peer_of(struct stub_qp *qp, const struct ibv_send_wr *wr) {
  uint32_t number = qp->qp.qp_type == IBV_QPT_UD ? wr->wr.ud.remote_qpn : qp->attr.dest_qp_num;
  return number >= FIRST_QPN && number < FIRST_QPN + MOST_QPS ? qps[number - FIRST_QPN] : NULL;
}

static char scratch[1 << 20];

static enum ibv_wc_status deliver(struct stub_qp *qp, const struct ibv_send_wr *wr, uint32_t length, enum ibv_wc_opcode opcode) {
  struct stub_qp *peer = peer_of(qp, wr);
  if (!peer) return IBV_WC_RETRY_EXC_ERR;
  struct stub_srq *queue = receives_of(peer);
  if (queue->head == queue->tail) return IBV_WC_RNR_RETRY_EXC_ERR;
  struct recv *slot = &queue->ring[queue->head++ % queue->size];
  if (opcode == IBV_WC_RECV) scatter(scratch, length, slot->sge, slot->num_sge);
  struct ibv_wc wc = {.wr_id = slot->wr_id, .opcode = opcode, .byte_len = length, .qp_num = peer->qp.qp_num, .src_qp = qp->qp.qp_num};
  if (wr->opcode == IBV_WR_SEND_WITH_IMM || wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM) {
    wc.wc_flags = IBV_WC_WITH_IMM;
    wc.imm_data = wr->imm_data;
  } else if (wr->opcode == IBV_WR_SEND_WITH_INV) {
    wc.wc_flags = IBV_WC_WITH_INV;
    wc.invalidated_rkey = wr->invalidate_rkey;
  }
  complete(peer->init.recv_cq, &wc);
  if (peer->init.srq && queue->limit && queue->tail - queue->head < queue->limit) {
    queue->limit = 0;
    report(IBV_EVENT_SRQ_LIMIT_REACHED, peer->init.srq);
  }
  return IBV_WC_SUCCESS;
}

static void execute(struct stub_qp *qp, const struct ibv_send_wr *wr) {
  static const enum ibv_wc_opcode opcodes[] = {
      IBV_WC_RDMA_WRITE, IBV_WC_RDMA_WRITE, IBV_WC_SEND, IBV_WC_SEND, IBV_WC_RDMA_READ, IBV_WC_COMP_SWAP, IBV_WC_FETCH_ADD, IBV_WC_LOCAL_INV, IBV_WC_BIND_MW, IBV_WC_SEND};
  struct ibv_wc wc = {.wr_id = wr->wr_id, .qp_num = qp->qp.qp_num};
  if (qp->qp.state == IBV_QPS_ERR) {
    wc.status = IBV_WC_WR_FLUSH_ERR;
    complete(qp->init.send_cq, &wc);
    return;
  }
  wc.opcode = opcodes[wr->opcode];
  uint32_t length = wr->opcode == IBV_WR_RDMA_READ ? 0 : wr->opcode < IBV_WR_ATOMIC_CMP_AND_SWP || wr->opcode == IBV_WR_SEND_WITH_INV ? gather(wr, scratch) : 0;
  switch (wr->opcode) {
    case IBV_WR_RDMA_WRITE: memcpy((void *)wr->wr.rdma.remote_addr, scratch, length); break;
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      memcpy((void *)wr->wr.rdma.remote_addr, scratch, length);
      wc.status = deliver(qp, wr, length, IBV_WC_RECV_RDMA_WITH_IMM);
      break;
    case IBV_WR_SEND:
    case IBV_WR_SEND_WITH_IMM:
    case IBV_WR_SEND_WITH_INV: wc.status = deliver(qp, wr, length, IBV_WC_RECV); break;
    case IBV_WR_RDMA_READ:
      for (int i = 0; i < wr->num_sge; i++) {
        memcpy((void *)wr->sg_list[i].addr, (char *)wr->wr.rdma.remote_addr + wc.byte_len, wr->sg_list[i].length);
        wc.byte_len += wr->sg_list[i].length;
      }
      break;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD: {
      uint64_t *target = (uint64_t *)wr->wr.atomic.remote_addr, before = *target;
      if (wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) *target += wr->wr.atomic.compare_add;
      else if (before == wr->wr.atomic.compare_add) *target = wr->wr.atomic.swap;
      memcpy((void *)wr->sg_list[0].addr, &before, sizeof before);
      wc.byte_len = sizeof before;
      break;
    }
    default: break;
  }
  if (wc.status != IBV_WC_SUCCESS) qp->qp.state = IBV_QPS_ERR;
  if (wc.status != IBV_WC_SUCCESS || qp->init.sq_sig_all || wr->send_flags & IBV_SEND_SIGNALED) complete(qp->init.send_cq, &wc);
  if (wc.status != IBV_WC_SUCCESS) flush_receives(qp);
}

static int post_send(struct ibv_qp *base, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  for (; wr; wr = wr->next) {
    bool strange = wr->opcode == IBV_WR_BIND_MW && (!wr->bind_mw.bind_info.mr || wr->bind_mw.bind_info.mr->pd != wr->bind_mw.mw->pd);
    if (stub_fail_post || strange) {
      *bad = wr;
      return strange ? EPERM : stub_fail_post;
    }
    if (!stub_mute) execute((struct stub_qp *)base, wr);
  }
  return 0;
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type) {
  struct ibv_mw *mw = calloc(1, sizeof *mw);
  *mw = (struct ibv_mw){.context = pd->context, .pd = pd, .rkey = next_key += 0x100, .handle = next_handle++, .type = type};
  stub_objects++;
  return mw;
}

static int bind_mw(struct ibv_qp *base, struct ibv_mw *mw, struct ibv_mw_bind *bind) {
  struct ibv_wc wc = {.wr_id = bind->wr_id, .qp_num = base->qp_num, .opcode = IBV_WC_BIND_MW};
  if (!bind->bind_info.mr || bind->bind_info.mr->pd != mw->pd) return EPERM;
  mw->rkey = ibv_inc_rkey(mw->rkey);
  if (bind->send_flags & IBV_SEND_SIGNALED) complete(((struct stub_qp *)base)->init.send_cq, &wc);
  return 0;
}

static int dealloc_mw(struct ibv_mw *mw) {
  free(mw);
  stub_objects--;
  return 0;
}

/* The exported functions. */

struct ibv_device **ibv_get_device_list(int *count) {
  struct ibv_device **list = calloc(2, sizeof *list);
  list[0] = &device;
  *count = 1;
  return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

__be64 ibv_get_device_guid(struct ibv_device *d) {
  (void)d;
  const unsigned char guid[8] = {2, 0, 0, 0xff, 0xfe, 0, 0, 1};
  __be64 value;
  memcpy(&value, guid, sizeof value);
  return value;
}

static int query_device_ex(struct ibv_context *c, const struct ibv_query_device_ex_input *in, struct ibv_device_attr_ex *attr, size_t size) {
  (void)c, (void)in;
  memset(attr, 0, size);
  struct ibv_device_attr *base = &attr->orig_attr;
  strcpy(base->fw_ver, "1.2.3");
  base->max_mr_size = ~0ull;
  base->page_size_cap = 4096;
  base->vendor_id = 0x1234;
  base->max_qp = MOST_QPS;
  base->max_qp_wr = 4096;
  base->device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B | IBV_DEVICE_MEM_MGT_EXTENSIONS;
  base->max_sge = 8;
  base->max_sge_rd = 8;
  base->max_cq = 1024;
  base->max_cqe = 65536;
  base->max_mr = 1024;
  base->max_pd = 1024;
  base->max_qp_rd_atom = 16;
  base->max_qp_init_rd_atom = 16;
  base->atomic_cap = IBV_ATOMIC_HCA;
  base->max_mw = 1024;
  base->max_ah = 1024;
  base->max_srq = 1024;
  base->max_srq_wr = 4096;
  base->max_srq_sge = 8;
  base->max_pkeys = 1;
  base->local_ca_ack_delay = 15;
  base->phys_port_cnt = 1;
  attr->device_cap_flags_ex = base->device_cap_flags | 1ull << 40;
  return 0;
}

int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *attr) {
  struct ibv_device_attr_ex ex;
  query_device_ex(c, NULL, &ex, sizeof ex);
  *attr = ex.orig_attr;
  return 0;
}

int ibv_query_port(struct ibv_context *c, uint8_t port, struct _compat_ibv_port_attr *out) {
  struct ibv_port_attr *attr = (struct ibv_port_attr *)out;
  (void)c;
  if (port != 1) return EINVAL;
  attr->state = IBV_PORT_ACTIVE;
  attr->max_mtu = IBV_MTU_4096;
  attr->active_mtu = IBV_MTU_1024;
  attr->gid_tbl_len = 1;
  attr->max_msg_sz = 1u << 31;
  attr->pkey_tbl_len = 1;
  attr->active_width = 2;
  attr->active_speed = 32;
  attr->phys_state = 5;
  attr->link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

struct ibv_context *ibv_open_device(struct ibv_device *d) {
  struct verbs_context *context = calloc(1, sizeof *context);
  context->sz = sizeof *context;
  context->query_device_ex = query_device_ex;
  context->context.device = d;
  context->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
  context->context.num_comp_vectors = MOST_VECTORS;
  context->context.ops = (struct ibv_context_ops){.alloc_mw = alloc_mw, .bind_mw = bind_mw, .dealloc_mw = dealloc_mw, .poll_cq = poll_cq, .req_notify_cq = req_notify_cq, .post_srq_recv = post_srq_recv, .post_send = post_send, .post_recv = post_recv};
  if (pipe2(async_pipe, O_CLOEXEC)) abort();
  context->context.async_fd = async_pipe[0];
  context->context.cmd_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  stub_open_contexts++;
  return &context->context;
}

int ibv_close_device(struct ibv_context *c) {
  close(async_pipe[0]);
  close(async_pipe[1]);
  close(c->cmd_fd);
  free((char *)c - offsetof(struct verbs_context, context));
  stub_open_contexts--;
  return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *c) {
  struct ibv_pd *pd = calloc(1, sizeof *pd);
  pd->context = c;
  pd->handle = next_handle++;
  stub_objects++;
  return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
  free(pd);
  stub_objects--;
  return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access) {
  (void)iova;
  if (access & IBV_ACCESS_REMOTE_WRITE && !(access & IBV_ACCESS_LOCAL_WRITE)) {
    errno = EINVAL;
    return NULL;
  }
  struct ibv_mr *mr = calloc(1, sizeof *mr);
  uint32_t key = next_key += 0x100;
  *mr = (struct ibv_mr){.context = pd->context, .pd = pd, .addr = addr, .length = length, .handle = next_handle++, .lkey = key, .rkey = key + 1};
  stub_objects++;
  return mr;
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length, int access) {
  (void)pd, (void)access;
  if (flags & IBV_REREG_MR_CHANGE_TRANSLATION) mr->addr = addr, mr->length = length;
  mr->lkey += 0x40;
  mr->rkey += 0x40;
  return 0;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
  free(mr);
  stub_objects--;
  return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *c) {
  struct ibv_comp_channel *channel = calloc(1, sizeof *channel);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) abort();
  channel->context = c;
  channel->fd = ends[0];
  channel->refcnt = ends[1]; /* the stub's own use of it */
  stub_objects++;
  return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
  close(channel->fd);
  close(channel->refcnt);
  free(channel);
  stub_objects--;
  return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *c, int cqe, void *cookie, struct ibv_comp_channel *channel, int vector) {
  if (cqe < 1 || vector >= MOST_VECTORS) {
    errno = EINVAL;
    return NULL;
  }
  struct stub_cq *cq = calloc(1, sizeof *cq);
  cq->cq.context = c;
  cq->cq.channel = channel;
  cq->cq.cq_context = cookie;
  cq->cq.handle = next_handle++;
  cq->cq.cqe = cqe;
  cq->wcs = calloc((size_t)cqe, sizeof *cq->wcs);
  pthread_spin_init(&cq->lock, 0);
  stub_objects++;
  return &cq->cq;
}

int ibv_resize_cq(struct ibv_cq *base, int cqe) {
  struct stub_cq *cq = (struct stub_cq *)base;
  struct ibv_wc *wcs = calloc((size_t)cqe, sizeof *wcs);
  int n = poll_cq(base, cqe, wcs);
  free(cq->wcs);
  cq->wcs = wcs;
  cq->head = 0;
  cq->tail = (unsigned)n;
  cq->cq.cqe = cqe;
  return 0;
}

int ibv_destroy_cq(struct ibv_cq *base) {
  struct stub_cq *cq = (struct stub_cq *)base;
  free(cq->wcs);
  free(cq);
  stub_objects--;
  return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cookie) {
  void *event;
  if (read(channel->fd, &event, sizeof event) != sizeof event) return -1;
  *cq = event;
  *cookie = (*cq)->cq_context;
  return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count) { cq->comp_events_completed += count; }

int ibv_get_async_event(struct ibv_context *c, struct ibv_async_event *event) {
  return read(c->async_fd, event, sizeof *event) == sizeof *event ? 0 : -1;
}

void ibv_ack_async_event(struct ibv_async_event *event) { (void)event; }

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init) {
  struct stub_srq *srq = calloc(1, sizeof *srq);
  srq->srq.context = pd->context;
  srq->srq.srq_context = init->srq_context;
  srq->srq.pd = pd;
  srq->srq.handle = next_handle++;
  srq->size = init->attr.max_wr;
  srq->ring = calloc(srq->size, sizeof *srq->ring);
  stub_objects++;
  return &srq->srq;
}

int ibv_modify_srq(struct ibv_srq *base, struct ibv_srq_attr *attr, int mask) {
  struct stub_srq *srq = (struct stub_srq *)base;
  if (mask & IBV_SRQ_LIMIT) srq->limit = attr->srq_limit;
  if (mask & IBV_SRQ_MAX_WR) {
    unsigned waiting = srq->tail - srq->head;
    if (attr->max_wr < waiting) return EINVAL;
    struct recv *ring = calloc(attr->max_wr, sizeof *ring);
    for (unsigned i = 0; i < waiting; i++) ring[i] = srq->ring[(srq->head + i) % srq->size];
    free(srq->ring);
    *srq = (struct stub_srq){.srq = srq->srq, .ring = ring, .tail = waiting, .size = attr->max_wr, .limit = srq->limit};
  }
  return 0;
}

int ibv_query_srq(struct ibv_srq *base, struct ibv_srq_attr *attr) {
  struct stub_srq *srq = (struct stub_srq *)base;
  *attr = (struct ibv_srq_attr){.max_wr = srq->size, .max_sge = 8, .srq_limit = srq->limit};
  return 0;
}

int ibv_destroy_srq(struct ibv_srq *base) {
  free(((struct stub_srq *)base)->ring);
  free(base);
  stub_objects--;
  return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init) {
  unsigned index = 0;
  while (index < MOST_QPS && qps[index]) index++;
  if (index == MOST_QPS) {
    errno = ENOMEM;
    return NULL;
  }
  struct stub_qp *qp = calloc(1, sizeof *qp);
  qp->qp.context = pd->context;
  qp->qp.qp_context = init->qp_context;
  qp->qp.pd = pd;
  qp->qp.send_cq = init->send_cq;
  qp->qp.recv_cq = init->recv_cq;
  qp->qp.srq = init->srq;
  qp->qp.handle = next_handle++;
  qp->qp.qp_num = FIRST_QPN + index;
  qp->qp.qp_type = init->qp_type;
  qp->init = *init;
  qp->own.size = init->cap.max_recv_wr + 1;
  qp->own.ring = calloc(qp->own.size, sizeof *qp->own.ring);
  qps[index] = qp;
  stub_objects++;
  return &qp->qp;
}

int ibv_modify_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask) {
  struct stub_qp *qp = (struct stub_qp *)base;
  if (mask & IBV_QP_STATE) qp->qp.state = qp->attr.qp_state = attr->qp_state;
  if (mask & IBV_QP_AV) qp->attr.ah_attr = attr->ah_attr;
  if (mask & IBV_QP_DEST_QPN) qp->attr.dest_qp_num = attr->dest_qp_num;
  if (mask & IBV_QP_PATH_MTU) qp->attr.path_mtu = attr->path_mtu;
  if (mask & IBV_QP_TIMEOUT) qp->attr.timeout = attr->timeout;
  if (mask & IBV_QP_RETRY_CNT) qp->attr.retry_cnt = attr->retry_cnt;
  if (mask & IBV_QP_RNR_RETRY) qp->attr.rnr_retry = attr->rnr_retry;
  if (mask & IBV_QP_RQ_PSN) qp->attr.rq_psn = attr->rq_psn;
  if (mask & IBV_QP_SQ_PSN) qp->attr.sq_psn = attr->sq_psn;
  if (mask & IBV_QP_ACCESS_FLAGS) qp->attr.qp_access_flags = attr->qp_access_flags;
  if (mask & IBV_QP_PORT) qp->attr.port_num = attr->port_num;
  if (mask & IBV_QP_PKEY_INDEX) qp->attr.pkey_index = attr->pkey_index;
  if (mask & IBV_QP_QKEY) qp->attr.qkey = attr->qkey;
  if (mask & IBV_QP_MAX_QP_RD_ATOMIC) qp->attr.max_rd_atomic = attr->max_rd_atomic;
  if (mask & IBV_QP_MAX_DEST_RD_ATOMIC) qp->attr.max_dest_rd_atomic = attr->max_dest_rd_atomic;
  if (mask & IBV_QP_MIN_RNR_TIMER) qp->attr.min_rnr_timer = attr->min_rnr_timer;
  if (qp->qp.state == IBV_QPS_ERR) flush_receives(qp);
  if (qp->qp.state == IBV_QPS_RESET) qp->own.head = qp->own.tail = 0;
  return 0;
}

int ibv_query_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
  struct stub_qp *qp = (struct stub_qp *)base;
  (void)mask;
  *attr = qp->attr;
  attr->qp_state = attr->cur_qp_state = qp->qp.state;
  attr->cap = qp->init.cap;
  *init = qp->init;
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *base) {
  qps[base->qp_num - FIRST_QPN] = NULL;
  free(((struct stub_qp *)base)->own.ring);
  free(base);
  stub_objects--;
  return 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
  (void)attr;
  struct ibv_ah *ah = calloc(1, sizeof *ah);
  ah->context = pd->context;
  ah->pd = pd;
  stub_objects++;
  return ah;
}

int ibv_destroy_ah(struct ibv_ah *ah) {
  free(ah);
  stub_objects--;
  return 0;
}

int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  (void)qp, (void)lid;
  return gid->raw[0] == 0xff || gid->raw[10] == 0xff ? 0 : EINVAL;
}

int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) { return ibv_attach_mcast(qp, gid, lid); }

int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags) {
  (void)qp, (void)op, (void)flags;
  return 0;
}

/*
 * The loop that a program in C runs: an 8-byte inline WRITE is described, posted and its completion polled. Nanoseconds a round.
 */
double stub_loop(int rounds) {
  struct ibv_context *context = ibv_open_device(&device);
  struct ibv_pd *pd = ibv_alloc_pd(context);
  struct ibv_cq *cq = ibv_create_cq(context, 16, NULL, NULL, 0);
  struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .cap = {.max_send_wr = 16, .max_send_sge = 1, .max_inline_data = 64}, .qp_type = IBV_QPT_RC};
  struct ibv_qp *qp = ibv_create_qp(pd, &init);
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTS};
  ibv_modify_qp(qp, &attr, IBV_QP_STATE);
  uint64_t source = 1, target = 0;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < rounds; i++) {
    struct ibv_sge sge = {.addr = (uintptr_t)&source, .length = 8};
    struct ibv_send_wr *bad, wr = {.wr_id = (uint64_t)i, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE, .wr.rdma = {.remote_addr = (uintptr_t)&target}};
    struct ibv_wc wc;
    if (ibv_post_send(qp, &wr, &bad)) abort();
    while (ibv_poll_cq(cq, 1, &wc) == 0) continue;
    if (wc.status != IBV_WC_SUCCESS || wc.wr_id != (uint64_t)i) abort();
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  ibv_destroy_qp(qp);
  ibv_destroy_cq(cq);
  ibv_dealloc_pd(pd);
  ibv_close_device(context);
  return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / rounds;
}
