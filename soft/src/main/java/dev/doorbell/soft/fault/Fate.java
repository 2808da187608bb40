package dev.doorbell.soft.fault;

/** What becomes of a packet. */
enum Fate {
    PASS("faults_passed"),
    DROP("faults_lost"),
    DUPLICATE("faults_duplicated"),
    HOLD_BACK("faults_reordered"),
    /** A bit or some change on the wire; the receiver's ICRC catches it, so that the packet is lost. */
    DAMAGE("faults_corrupted"),
    /** One bit changes and nobody notices: no link does that. */
    FALSIFY("faults_falsified");

    private final String counter;

    Fate(String counter) {
        this.counter = counter;
    }

    /** The name under which it is counted. */
    String counter() {
        return counter;
    }
}
