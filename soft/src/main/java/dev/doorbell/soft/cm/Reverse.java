package dev.doorbell.soft.cm;

import dev.doorbell.wire.cm.CmPath;

/** A path as the other side sees it. */
final class Reverse {
    private Reverse() {}

    static CmPath of(CmPath path) {
        return new CmPath(
                path.remoteLid(),
                path.localLid(),
                path.remoteGid(),
                path.localGid(),
                path.flowLabel(),
                path.packetRate(),
                path.trafficClass(),
                path.hopLimit(),
                path.serviceLevel(),
                path.subnetLocal(),
                path.ackTimeout());
    }
}
