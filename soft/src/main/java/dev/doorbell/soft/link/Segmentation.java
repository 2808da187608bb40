package dev.doorbell.soft.link;

/** Whether the system is asked to cut sends into datagrams: a set-up decision, until the system refuses once. */
final class Segmentation {
    private volatile boolean used;

    Segmentation(boolean used) {
        this.used = used;
    }

    boolean isUsed() {
        return used;
    }

    /** The way out of this host cannot do it. */
    void giveUp() {
        used = false;
    }
}
