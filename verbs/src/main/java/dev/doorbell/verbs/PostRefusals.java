package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.SendFlag;
import dev.doorbell.spec.WorkRequestOpcode;
import dev.doorbell.verbs.spi.VerbsFault;

/** What is said when a work request cannot be posted. Kept apart so that the data path stays small. */
final class PostRefusals {
    private PostRefusals() {}

    static VerbsException state(String operation, QueuePairCore core, String needed) {
        return Refusal.of(Errno.EINVAL, operation, core.name)
                .rule("it is in the state " + core.state)
                .limit(core.state, needed)
                .remedy("Connect it first, or modify it step by step")
                .exception();
    }

    static VerbsException tooManyElements(String operation, String name, int allowed) {
        return Refusal.of(Errno.EINVAL, operation, name)
                .rule("too many scatter/gather elements in one work request")
                .limit(allowed + 1, allowed)
                .remedy("Create the queue pair with more, or copy the parts together")
                .exception();
    }

    static VerbsException elementTooLong(String operation, String name, long asked) {
        return Refusal.of(Errno.EINVAL, operation, name)
                .rule("an element's length has 32 bits")
                .limit(asked + " bytes", 0xffff_ffffL)
                .remedy("Split it into several work requests")
                .exception();
    }

    static VerbsException foreignDomain(String operation, String name, MemoryRegion region, ProtectionDomain domain) {
        return Refusal.of(Errno.EINVAL, operation, name)
                .rule(region + " belongs to " + region.protectionDomain() + ", the queue to " + domain)
                .remedy("Register the memory in the queue's protection domain")
                .exception();
    }

    static VerbsException foreignWindow(String name, MemoryWindow window, ProtectionDomain domain) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule(window + " belongs to " + window.protectionDomain() + ", the queue to " + domain)
                .remedy("Allocate the window in the queue's protection domain")
                .exception();
    }

    static VerbsException windowTaken(String name, MemoryWindow window) {
        return Refusal.of(Errno.EBUSY, "post send", name)
                .rule("another batch works on " + window)
                .remedy("Submit or close that batch first")
                .exception();
    }

    static VerbsException noElements(String name, WorkRequestOpcode operation) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("a work request of the kind " + operation + " has no elements")
                .remedy("Leave out sge()")
                .exception();
    }

    static VerbsException inlineTooLong(String name, long asked, int allowed) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("too many inline bytes in one work request")
                .limit(asked, allowed)
                .remedy("Create the queue pair with inline(" + asked + "), or send from a registered region")
                .exception();
    }

    static VerbsException inlineMixed(String name) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("a work request has either inline bytes or elements")
                .remedy("Put all of it inline, or none")
                .exception();
    }

    static VerbsException inlineDirection(String name) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule(
                        "only SEND and WRITE can carry their bytes inline; a READ or an atomic needs memory for its result")
                .remedy("Name a registered region with sge()")
                .exception();
    }

    static VerbsException atomicAddress(String name, long address) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("an atomic works on eight bytes at an address that is a multiple of eight")
                .limit("0x" + Long.toHexString(address), "a multiple of 8")
                .remedy("Align the peer's memory to 8 bytes")
                .exception();
    }

    static VerbsException atomicLength(String name, long bytes) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("an atomic brings back the eight bytes that were there before")
                .limit(bytes + " bytes of local memory", 8)
                .remedy("Name exactly eight bytes with sge()")
                .exception();
    }

    static VerbsException remoteBounds(String name, long asked, long allowed) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("the work request reaches past the end of the remote memory")
                .limit(asked + " bytes", allowed)
                .remedy("Shorten it, or ask the peer for a larger region")
                .exception();
    }

    static VerbsException remoteAccess(String name, RemoteMemory remote, String needed) {
        return Refusal.of(Errno.EACCES, "post send", name)
                .rule("the peer's region does not grant it")
                .limit(needed, AccessFlag.set(remote.access()))
                .remedy("Let the peer register its memory with " + needed)
                .exception();
    }

    static VerbsException flags(String name, int asked, int allowed) {
        return Refusal.of(Errno.EINVAL, "post send", name)
                .rule("a flag that a single work request does not take")
                .limit("0x" + Integer.toHexString(asked), SendFlag.set(allowed))
                .remedy("Bytes are copied into the work request by postSendInline and postWriteInline")
                .exception();
    }

    static VerbsException nothingOpen(String operation, String name) {
        return Refusal.of(Errno.EINVAL, operation, name)
                .rule("no work request is open")
                .remedy("Begin with an operation such as send(id), then describe it")
                .exception();
    }

    static VerbsException broken(String operation, String name) {
        return Refusal.of(Errno.EINVAL, operation, name)
                .rule("an earlier call on this batch was refused, so nothing of it is posted")
                .remedy("Close the batch and open a new one")
                .exception();
    }

    static VerbsException doorbell(QueuePairCore core, int errno) {
        return Refusal.of(errno, "post send", core.name)
                .rule("the doorbell was refused in the state " + core.state
                        + "; the work requests are in the queue all the same")
                .remedy(doorbellRemedy(errno))
                .exception();
    }

    static VerbsException receives(String operation, String name, int errno) {
        return Refusal.of(errno, operation, name)
                .rule("the driver did not take the receives; they are returned when the queue closes")
                .remedy(doorbellRemedy(errno))
                .exception();
    }

    private static String doorbellRemedy(int errno) {
        return switch (errno) {
            case Errno.EAGAIN, Errno.ENOMEM ->
                "The kernel could not be told at this moment: the next submit() tells it of these work requests too";
            case Errno.EIO, Errno.ENODEV ->
                "The device was removed: close the queue pair, which returns its work requests, and then the context";
            case Errno.EACCES ->
                "The context belongs to the process that opened it: open the device in this process instead of inheriting it";
            case Errno.EBADF -> "The context is closed";
            default -> "Query the queue pair: it may have failed, or been modified behind this object";
        };
    }

    /**
     * A ring that cannot be touched any more: the system answered the access with SIGBUS, which the JVM turns into this
     * error.
     *
     * @throws InternalError the fault itself, if it says something else
     */
    static VerbsException lostRing(String operation, String name, InternalError fault) {
        String message = fault.getMessage();
        if (message == null || !message.contains("unsafe memory access")) {
            throw fault;
        }
        return Refusal.of(Errno.EIO, operation, name)
                .rule("the memory of its queue is gone: the device was removed, or its driver took the mapping back")
                .remedy("Close the context and open the device again")
                .cause(fault)
                .exception();
    }

    /**
     * A queue whose ring the kernel replaced by one that could not be mapped.
     *
     * @throws VerbsFault the fault itself, if it says something else
     */
    static VerbsException lostRing(String operation, String name, VerbsFault fault) {
        if (!fault.isLostRing()) {
            throw fault;
        }
        return Refusal.of(fault, operation, name).exception();
    }
}
