package dev.doorbell.soft.hca;

/**
 * Keeps the fields of a subclass off the cache line on which the object before it ends, so that two threads that each
 * write their own objects do not slow each other down.
 */
abstract class Padded {
    int gap;
    long pad0;
    long pad1;
    long pad2;
    long pad3;
    long pad4;
    long pad5;
    long pad6;
    long pad7;
}
