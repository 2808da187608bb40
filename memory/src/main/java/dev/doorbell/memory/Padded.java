package dev.doorbell.memory;

/**
 * Keeps the fields of a subclass off the cache lines on which the object before it ends. Indices are written with each
 * work request and completion; two threads on queues of their own must not slow each other down by neighbourhood.
 */
public abstract class Padded {
    long pad00;
    long pad01;
    long pad02;
    long pad03;
    long pad04;
    long pad05;
    long pad06;
    long pad07;
    long pad08;
    long pad09;
    long pad10;
    long pad11;
    long pad12;
    long pad13;
    long pad14;
    long pad15;

    /** Nothing but distance. */
    protected Padded() {}
}
