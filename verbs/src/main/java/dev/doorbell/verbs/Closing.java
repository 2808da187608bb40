package dev.doorbell.verbs;

/** Why an object is being closed, which decides what happens to its children and how patient it is. */
enum Closing {
    /** Its own close: refused while it has children. */
    ALONE,
    /** With everything below it, because the context closes; nobody will poll any more, so nothing waits for flushes. */
    CASCADE,
    /** The program lost it without closing it: reported, then as {@link #CASCADE}. */
    LEAKED
}
