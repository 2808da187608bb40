package dev.doorbell.soft.cm;

import dev.doorbell.wire.cm.CmSidrRep;

/** Gets to know what becomes of a question; once. */
public interface SidrHandler {
    /** For questions that nobody cares about any more. */
    SidrHandler NOBODY = new SidrHandler() {
        @Override
        public void onAnswer(CmSidrRep answer) {}

        @Override
        public void onUnreachable() {}
    };

    /** The answer, which may be a refusal. */
    void onAnswer(CmSidrRep answer);

    /** There is none. */
    void onUnreachable();
}
