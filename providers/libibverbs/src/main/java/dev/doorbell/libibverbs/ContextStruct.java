package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An open device in C, and its tables of operations.
 *
 * <pre>
 *   struct verbs_context
 *     -320 …  operations that came later, found by their distance from the end
 *       -8  u64    sz          bytes of this struct as the library knows it: says which of them there are
 *   struct ibv_context
 *        0  ptr    device
 *        8  ptr[32] ops        the first operations: post, poll, arm, memory windows
 *      264  s32    cmd_fd
 *      268  s32    async_fd
 *      272  s32    num_comp_vectors
 *      320  ptr    abi_compat  all ones: a verbs_context stands before it
 *      328  bytes in all
 * </pre>
 *
 * @param address of the {@code ibv_context}
 */
record ContextStruct(long address) {
    static final int SIZE = 328;
    static final int OPS = 8;
    static final int CMD_FD = 264;
    static final int ASYNC_FD = 268;
    static final int COMPLETION_VECTORS = 272;
    static final int ABI_COMPAT = 320;
    static final int EXTENDED_SIZE = -8;

    /** Offsets in the table of the first operations. */
    static final int ALLOC_MW = 56;

    static final int BIND_MW = 64;
    static final int DEALLOC_MW = 72;
    static final int POLL_CQ = 88;
    static final int REQ_NOTIFY_CQ = 96;
    static final int POST_SRQ_RECV = 160;
    static final int POST_SEND = 200;
    static final int POST_RECV = 208;

    /** Distances of the later operations, before the context. */
    static final int MODIFY_CQ = -184;

    static final int QUERY_DEVICE_EX = -104;

    private static final int MOST_VECTORS = 1 << 16;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /**
     * Looks whether what lies there is a context as this class describes it, so that another layout is one message and no
     * crash: its device is the one that was opened, its files are what they should be.
     *
     * @param device that was opened
     * @param node what its command file must be; not looked at where it is empty
     * @throws VerbsFault EPROTO
     */
    void probe(long device, String node) {
        require(Foreign.longAt(address + Heads.OWNER) == device, "the device is not at its start");
        int vectors = completionVectors();
        require(vectors >= 0 && vectors <= MOST_VECTORS, vectors + " completion vectors");
        require(Foreign.longAt(address + ABI_COMPAT) == -1, "it is older than its extension");
        requireFile(CMD_FD, node);
        requireFile(ASYNC_FD, "");
        for (int operation : new int[] {POLL_CQ, POST_SEND, POST_RECV, REQ_NOTIFY_CQ}) {
            require(operation(operation) != 0, "an operation is missing");
        }
    }

    private void requireFile(int field, String target) {
        int fd = Foreign.intAt(address + field);
        Path link = DESCRIPTORS.resolve(Integer.toString(fd));
        if (!Files.isDirectory(DESCRIPTORS)) {
            return;
        }
        require(fd >= 0 && Files.isSymbolicLink(link), "descriptor " + fd + " is none of this process");
        try {
            require(
                    target.isEmpty() || Files.readSymbolicLink(link).toString().equals(target),
                    "descriptor " + fd + " is not " + target);
        } catch (java.io.IOException e) {
            VerbsFault fault = mismatch("descriptor " + fd + " cannot be looked at");
            fault.initCause(e);
            throw fault;
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw mismatch(otherwise);
        }
    }

    /** The layouts of the library are not those that are known here. */
    static VerbsFault mismatch(String found) {
        return new VerbsFault(
                Errno.EPROTO,
                "ibv_open_device: the library's structures are not those of infiniband/verbs.h as it is known here ("
                        + found + "); use another rdma-core, or DOORBELL_LIBIBVERBS=off, and report it");
    }

    int completionVectors() {
        return Foreign.intAt(address + COMPLETION_VECTORS);
    }

    int asyncDescriptor() {
        return Foreign.intAt(address + ASYNC_FD);
    }

    /** The address of one of the first operations; 0 if the driver has none. */
    long operation(int offset) {
        return Foreign.longAt(address + OPS + offset);
    }

    /** The address of a later operation; 0 if the driver or the library has none. */
    long laterOperation(int distance) {
        MemorySegment size = Foreign.at(address + EXTENDED_SIZE, Long.BYTES);
        // The size counts from the end of the context, so that fields can be added in front.
        return Host.getLong(size, 0) < SIZE - distance ? 0 : Foreign.longAt(address + distance);
    }
}
