package dev.doorbell.memory;

import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;

/** Orderings that no single access can express. */
public final class Barriers {
    private Barriers() {}

    /**
     * Everything written before becomes visible before anything is read after. Two threads that each write one place
     * and then look at the other's, with this between, cannot both miss the other: who goes to sleep sees the work, or
     * who brings the work sees the sleeper.
     */
    public static void storeLoad() {
        VarHandle.fullFence();
    }

    /**
     * Between work requests in memory and the doorbell record that announces them: whoever sees the record sees the work
     * requests. On x86-64 the processor keeps stores in order, and only the compiler is held back.
     */
    public static void beforeDoorbellRecord() {
        VarHandle.releaseFence();
    }

    /**
     * Between a doorbell record and a store to a device register that is mapped write-combining, which would overtake it
     * otherwise. For x86-64, where a locked instruction orders such stores too; elsewhere a device needs more than Java
     * has. Taking a {@link SpinLock} is such an instruction: who does so in between needs no other.
     */
    public static void beforeRegister() {
        VarHandle.fullFence();
    }

    /** Behind stores to a device register: sends them off, instead of letting them wait to be combined with later ones. */
    public static void afterRegister() {
        VarHandle.fullFence();
    }

    /**
     * Keeps the compilers from moving memory accesses across, in either direction. No instruction comes of it on x86-64, whose
     * processors still let a load overtake an earlier store: the other side has {@link #everyThread}.
     */
    public static void compilers() {
        VarHandle.releaseFence();
        VarHandle.acquireFence();
    }

    /**
     * The heavy side of an asymmetric barrier: when it returns, each other thread has passed a safepoint, or will see what this
     * thread has written before it runs on; and this thread sees what the other has written until then. Takes from tens of
     * microseconds to a millisecond.
     *
     * <p>Closing a shared arena is how a program asks the VM for that: no thread may be in the middle of an access then.
     */
    @SuppressWarnings("MustBeClosedChecker") // closing is the point
    public static void everyThread() {
        VarHandle.fullFence();
        Arena.ofShared().close();
        VarHandle.fullFence();
    }
}
