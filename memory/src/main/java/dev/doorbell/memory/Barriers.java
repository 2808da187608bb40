package dev.doorbell.memory;

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
}
