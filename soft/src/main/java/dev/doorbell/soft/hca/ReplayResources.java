package dev.doorbell.soft.hca;

import dev.doorbell.spec.Psn;

/**
 * What a responder remembers of READs and atomics, in case their answers are lost (rule 3.6). As many as the requester
 * may have outstanding; the oldest gives way. Belongs to the responder and its lock.
 */
final class ReplayResources {
    private final int[] firstPsns;
    private final int[] packets;
    private final long[] addresses;
    private final int[] keys;
    private final long[] lengths;
    private final long[] originals;
    private final boolean[] atomics;
    private int count;
    private int next;

    /**
     * Nothing remembered.
     *
     * @param capacity how many are remembered, a power of two or 0
     */
    ReplayResources(int capacity) {
        firstPsns = new int[capacity];
        packets = new int[capacity];
        addresses = new long[capacity];
        keys = new int[capacity];
        lengths = new long[capacity];
        originals = new long[capacity];
        atomics = new boolean[capacity];
    }

    /**
     * These, or if there is room for fewer, others that remember the same.
     *
     * @param depth a power of two or 0
     */
    ReplayResources withRoomFor(int depth) {
        if (depth <= firstPsns.length) {
            return this;
        }
        ReplayResources more = new ReplayResources(depth);
        int oldest = next - count;
        for (int index = 0; index < count; index++) {
            more.add(this, oldest + index & firstPsns.length - 1);
        }
        return more;
    }

    private void add(ReplayResources from, int at) {
        int slot = claim(from.firstPsns[at], from.packets[at]);
        atomics[slot] = from.atomics[at];
        addresses[slot] = from.addresses[at];
        keys[slot] = from.keys[at];
        lengths[slot] = from.lengths[at];
        originals[slot] = from.originals[at];
    }

    void addRead(InboundRequest request) {
        int slot = claim(request.psn, request.packets);
        atomics[slot] = false;
        addresses[slot] = request.remoteAddress;
        keys[slot] = request.remoteKey;
        lengths[slot] = request.messageBytes;
    }

    void addAtomic(InboundRequest request) {
        int slot = claim(request.psn, 1);
        atomics[slot] = true;
        originals[slot] = request.original;
    }

    /** Whether a READ, or a part of one, was executed under these numbers: key and range must lie inside it. */
    boolean covers(InboundRequest request) {
        int slot = find(request.psn);
        if (slot < 0 || atomics[slot] || keys[slot] != request.remoteKey) {
            return false;
        }
        long skipped = request.remoteAddress - addresses[slot];
        return skipped >= 0
                && request.messageBytes <= lengths[slot] - skipped
                && Psn.diff(request.psn, firstPsns[slot]) + request.packets <= packets[slot];
    }

    /** The slot of the atomic that was executed under this number, or -1. */
    int findAtomic(int psn) {
        int slot = find(psn);
        return slot >= 0 && atomics[slot] ? slot : -1;
    }

    /** What the memory held before that atomic. */
    long original(int slot) {
        return originals[slot];
    }

    private int claim(int psn, int span) {
        int slot = next;
        next = slot + 1 & firstPsns.length - 1;
        count = Math.min(count + 1, firstPsns.length);
        firstPsns[slot] = psn;
        packets[slot] = span;
        return slot;
    }

    private int find(int psn) {
        for (int slot = 0; slot < count; slot++) {
            if (Psn.inRange(psn, firstPsns[slot], packets[slot])) {
                return slot;
            }
        }
        return -1;
    }
}
