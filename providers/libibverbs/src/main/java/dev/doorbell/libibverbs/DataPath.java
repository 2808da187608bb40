package dev.doorbell.libibverbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.memory.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The operations of an open context, called through its table: no name is looked up, no block of arguments is built, nothing
 * is allocated.
 *
 * <p>Polling and arming of most drivers enter no kernel and hold their own short lock: polling is called without telling
 * the JVM, which saves half of the price. Posting may enter the kernel (rxe does) and arming may too, so they are called in
 * the ordinary way.
 *
 * <p>Thread rules: any thread.
 */
final class DataPath {
    private static final ValueLayout.OfLong PTR = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private static final MethodHandle POLL =
            link(FunctionDescriptor.of(INT, PTR, INT, PTR), Linker.Option.critical(false));
    private static final MethodHandle POST = link(FunctionDescriptor.of(INT, PTR, PTR, PTR));
    private static final MethodHandle ARM = link(FunctionDescriptor.of(INT, PTR, INT));
    private static final MethodHandle ONE_ARGUMENT = link(FunctionDescriptor.of(INT, PTR));
    private static final MethodHandle ALLOCATE_WINDOW =
            link(FunctionDescriptor.of(PTR, PTR, INT), Linker.Option.captureCallState("errno"));
    private static final MethodHandle MODIFY_COMPLETIONS = link(FunctionDescriptor.of(INT, PTR, PTR));
    private static final MethodHandle QUERY_EXTENDED = link(FunctionDescriptor.of(INT, PTR, PTR, PTR, PTR));

    private final MemorySegment poll;
    private final MemorySegment send;
    private final MemorySegment receive;
    private final MemorySegment sharedReceive;
    private final MemorySegment arm;
    private final MemorySegment bind;
    private final MemorySegment allocateWindow;
    private final MemorySegment deallocateWindow;
    private final MemorySegment modifyCompletions;
    private final MemorySegment queryExtended;

    DataPath(ContextStruct context) {
        this.poll = MemorySegment.ofAddress(context.operation(ContextStruct.POLL_CQ));
        this.send = MemorySegment.ofAddress(context.operation(ContextStruct.POST_SEND));
        this.receive = MemorySegment.ofAddress(context.operation(ContextStruct.POST_RECV));
        this.sharedReceive = MemorySegment.ofAddress(context.operation(ContextStruct.POST_SRQ_RECV));
        this.arm = MemorySegment.ofAddress(context.operation(ContextStruct.REQ_NOTIFY_CQ));
        this.bind = MemorySegment.ofAddress(context.operation(ContextStruct.BIND_MW));
        this.allocateWindow = MemorySegment.ofAddress(context.operation(ContextStruct.ALLOC_MW));
        this.deallocateWindow = MemorySegment.ofAddress(context.operation(ContextStruct.DEALLOC_MW));
        this.modifyCompletions = MemorySegment.ofAddress(context.laterOperation(ContextStruct.MODIFY_CQ));
        this.queryExtended = MemorySegment.ofAddress(context.laterOperation(ContextStruct.QUERY_DEVICE_EX));
    }

    private static MethodHandle link(FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(descriptor, options);
    }

    /** {@code ibv_poll_cq}: how many completions were written to {@code entries}, or a negative number. */
    int poll(long queue, int count, long entries) {
        try {
            return (int) POLL.invokeExact(poll, queue, count, entries);
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }

    /** {@code ibv_post_send}: 0 or an errno. */
    int postSend(long queuePair, long first, long bad) {
        return post(send, queuePair, first, bad);
    }

    /** {@code ibv_post_recv}: 0 or an errno. */
    int postReceive(long queuePair, long first, long bad) {
        return post(receive, queuePair, first, bad);
    }

    /** {@code ibv_post_srq_recv}: 0 or an errno. */
    int postSharedReceive(long queue, long first, long bad) {
        return sharedReceive.address() == 0 ? Errno.EOPNOTSUPP : post(sharedReceive, queue, first, bad);
    }

    /** {@code ibv_bind_mw}, for windows of type 1: 0 or an errno. */
    int bindWindow(long queuePair, long window, long bind) {
        return hasWindows() ? post(this.bind, queuePair, window, bind) : Errno.EOPNOTSUPP;
    }

    private static int post(MemorySegment operation, long queue, long first, long second) {
        try {
            return (int) POST.invokeExact(operation, queue, first, second);
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }

    /** {@code ibv_req_notify_cq}: 0 or an errno. */
    int arm(long queue, boolean solicitedOnly) {
        try {
            return (int) ARM.invokeExact(arm, queue, solicitedOnly ? 1 : 0);
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }

    boolean hasWindows() {
        return allocateWindow.address() != 0 && bind.address() != 0;
    }

    boolean hasSharedReceives() {
        return sharedReceive.address() != 0;
    }

    boolean hasModeration() {
        return modifyCompletions.address() != 0;
    }

    /** {@code ibv_alloc_mw}: the window, or a negative errno. */
    long allocateWindow(long domain, int type) {
        if (!hasWindows()) {
            return -Errno.EOPNOTSUPP;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(Linker.Option.captureStateLayout());
            long window = (long) ALLOCATE_WINDOW.invokeExact(allocateWindow, errno, domain, type);
            return window == 0 ? -Math.max(Host.getInt(errno, 0), 1) : window;
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }

    /** {@code ibv_dealloc_mw}: 0 or an errno. */
    int deallocateWindow(long window) {
        try {
            return (int) ONE_ARGUMENT.invokeExact(deallocateWindow, window);
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }

    /** {@code ibv_modify_cq}: 0 or an errno. */
    int modifyCompletions(long queue, MemorySegment attributes) {
        if (!hasModeration()) {
            return Errno.EOPNOTSUPP;
        }
        try {
            return (int) MODIFY_COMPLETIONS.invokeExact(modifyCompletions, queue, attributes.address());
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }

    /** {@code ibv_query_device_ex}: 0 or an errno. */
    int queryExtended(long context, MemorySegment attributes) {
        if (queryExtended.address() == 0) {
            return Errno.EOPNOTSUPP;
        }
        try {
            return (int)
                    QUERY_EXTENDED.invokeExact(queryExtended, context, 0L, attributes.address(), attributes.byteSize());
        } catch (Throwable t) {
            throw VerbsLibrary.unexpected(t);
        }
    }
}
