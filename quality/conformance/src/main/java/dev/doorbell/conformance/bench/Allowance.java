package dev.doorbell.conformance.bench;

import dev.doorbell.conformance.FabricKind;

/**
 * Another answer that a kind of fabric is known to give. A case that meets it ends as a declared difference.
 *
 * @param kind where it is allowed
 * @param value the answer
 * @param reason why it is right to accept it, for the document
 */
public record Allowance(FabricKind kind, Object value, String reason) {
    /** What Linux's Soft-RoCE is known to answer, driven directly or through libibverbs. */
    public static Allowance rxe(Object value, String reason) {
        return new Allowance(FabricKind.LINUX_RXE, value, reason);
    }

    boolean covers(FabricKind where, Object actual) {
        boolean here = where == kind || kind == FabricKind.LINUX_RXE && where == FabricKind.LIBIBVERBS;
        return here && value.equals(actual);
    }
}
