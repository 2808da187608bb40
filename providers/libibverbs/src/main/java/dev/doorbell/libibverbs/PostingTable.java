package dev.doorbell.libibverbs;

import java.util.Arrays;

/**
 * The queues of a context by the number under which their work requests travel.
 *
 * <p>Thread rules: any thread looks up; entering and leaving lock.
 */
final class PostingTable {
    private static final int FIRST_SIZE = 16;

    private volatile Postings[] entries = newEntries(FIRST_SIZE);

    private static Postings[] newEntries(int size) {
        Postings[] entries = new Postings[size];
        Arrays.fill(entries, Postings.NONE);
        return entries;
    }

    /** Gives a queue its number. */
    synchronized <P extends Postings> P enter(P postings) {
        Postings[] now = entries;
        int index = 0;
        while (index < now.length && !now[index].equals(Postings.NONE)) {
            index++;
        }
        Postings[] next = newEntries(index < now.length ? now.length : now.length * 2);
        System.arraycopy(now, 0, next, 0, now.length);
        next[index] = postings;
        postings.entered(index);
        entries = next;
        return postings;
    }

    /** Everything of a queue has come back, or never will. */
    synchronized void leave(Postings postings) {
        Postings[] next = entries.clone();
        next[postings.index()] = Postings.NONE;
        entries = next;
    }

    /** A completion came with this number; the program's own. */
    long retire(long number) {
        Postings[] now = entries;
        int index = (int) (number >>> Integer.SIZE);
        return index < 0 || index >= now.length ? number : now[index].retire((int) number);
    }
}
