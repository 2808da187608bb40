package dev.doorbell.conformance;

/** How a case ended. */
public enum Outcome {
    /** As it should. */
    PASS,
    /** As is declared for this kind of fabric, with a reason. */
    DIFFERENCE,
    /** It was not run: the fabric lacks what it needs, and declares that. */
    SKIP,
    /** Otherwise. */
    FAIL
}
