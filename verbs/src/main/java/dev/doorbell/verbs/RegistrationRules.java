package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.AccessFlag;
import java.lang.foreign.MemorySegment;

/** Which memory a device can be given, on every kernel, and why a kernel may have refused the rest. */
final class RegistrationRules {
    /** A thread that runs nothing: memory that it may not reach is confined to another. */
    private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

    private static final int WRITES =
            AccessFlag.LOCAL_WRITE.bit() | AccessFlag.REMOTE_WRITE.bit() | AccessFlag.REMOTE_ATOMIC.bit();

    private RegistrationRules() {}

    static void check(MemorySegment memory, int access, String domain) {
        if (!memory.isNative()) {
            throw Refusal.of(Errno.EFAULT, "REG_MR", domain)
                    .rule("the memory is on the Java heap, where objects move")
                    .remedy("Use a RegisteredArena, Arena.ofAuto().allocate(...) or ByteBuffer.allocateDirect(...)")
                    .exception();
        }
        if (!memory.scope().isAlive()) {
            throw Refusal.of(Errno.EFAULT, "REG_MR", domain)
                    .rule("the arena of the memory is closed")
                    .remedy("Register before the arena closes, or use a RegisteredArena")
                    .exception();
        }
        if (!memory.isAccessibleBy(STRANGER)) {
            throw Refusal.of(Errno.EFAULT, "REG_MR", domain)
                    .rule("the memory is confined to one thread, and a device is none")
                    .remedy("Use a RegisteredArena, Arena.ofShared() or Arena.ofAuto()")
                    .exception();
        }
        if (memory.isReadOnly() && (access & WRITES) != 0) {
            throw Refusal.of(Errno.EACCES, "REG_MR", domain)
                    .rule("the memory is read-only")
                    .limit(AccessFlag.set(access), "access without LOCAL_WRITE, REMOTE_WRITE and REMOTE_ATOMIC")
                    .remedy("Register a segment that is not read-only, or grant less")
                    .exception();
        }
    }

    static VerbsException explain(RuntimeException fault, MemorySegment memory, int access, String domain) {
        if (fault instanceof VerbsException known) {
            return known;
        }
        Refusal refusal = Refusal.of(fault, "REG_MR", domain);
        String asked = memory.byteSize() + " bytes at 0x" + Long.toHexString(memory.address()) + " with "
                + AccessFlag.set(access);
        return switch (refusal.errno) {
            case Errno.ENOMEM ->
                refusal.limit(asked, "less").remedy(LockedMemory.remedy()).exception();
            case Errno.EINVAL ->
                AccessFlag.missing(access).isPresent()
                        ? refusal.rule("REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE")
                                .limit(AccessFlag.set(access), "the same with LOCAL_WRITE")
                                .remedy("Grant LOCAL_WRITE too")
                                .exception()
                        : refusal.limit(asked, "a length from 1 to the device's maxRegionSize")
                                .exception();
            case Errno.EFAULT ->
                refusal.limit(asked, "memory that is mapped as a whole and may be written where access says so")
                        .exception();
            case Errno.EOPNOTSUPP ->
                refusal.rule("this kernel does not know one of the access flags")
                        .limit(AccessFlag.set(access), "those that it knows")
                        .remedy("Leave out the optional ones")
                        .exception();
            default -> refusal.exception();
        };
    }
}
