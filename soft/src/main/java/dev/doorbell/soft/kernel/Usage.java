package dev.doorbell.soft.kernel;

/** How many other objects need this one; what is in use cannot be destroyed. Guarded by the context's lock. */
final class Usage {
    private int users;

    void enter() {
        users++;
    }

    void leave() {
        users--;
    }

    boolean isUsed() {
        return users > 0;
    }
}
