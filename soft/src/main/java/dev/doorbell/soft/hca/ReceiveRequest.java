package dev.doorbell.soft.hca;

/** A receive work request, copied out of its ring and checked once. */
final class ReceiveRequest extends Padded {
    final SgeList sges;
    long id;

    ReceiveRequest(int maxSge) {
        this.sges = new SgeList(maxSge);
    }
}
