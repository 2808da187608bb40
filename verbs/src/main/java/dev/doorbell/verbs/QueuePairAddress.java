package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.LinkLayer;
import dev.doorbell.spec.QueuePairType;

/**
 * Where a queue pair can be reached: the port and GID that were chosen for it, and what it tells its peer.
 *
 * @param endpoint for the peer
 * @param gid the slot of the GID table, with the reason
 * @param linkLayer of the port
 */
record QueuePairAddress(Endpoint endpoint, GidChoice gid, LinkLayer linkLayer) {
    private static final int DEFAULT_DEPTH = 16;
    private static final int MAX_DEPTH = 255;

    static QueuePairAddress of(Context context, QueuePairType type, int number, QueuePairPlan asked) {
        PortAttributes port = context.queryPort(asked.port);
        DeviceAttributes device = context.query();
        GidChoice gid = asked.gidIndex < 0 ? context.chooseGid(asked.port) : named(context, asked.port, asked.gidIndex);
        int responder = depth(asked.readAtomicDepth, device.maxReadAtomicPerQueuePair());
        int initiator = depth(asked.readAtomicDepth, device.maxInitiatedReadAtomicPerQueuePair());
        Endpoint endpoint = new Endpoint(
                type,
                number,
                asked.psn,
                gid.entry().gid(),
                port.lid(),
                asked.port,
                port.activeMtu(),
                responder,
                initiator,
                type == QueuePairType.UD ? asked.qkey : 0);
        return new QueuePairAddress(endpoint, gid, port.linkLayer());
    }

    private static int depth(int asked, int most) {
        int wanted = Math.min(asked < 0 ? DEFAULT_DEPTH : asked, MAX_DEPTH);
        // A kernel that says less than nothing has none.
        return Math.clamp(most, 0, wanted);
    }

    private static GidChoice named(Context context, int port, int index) {
        for (GidEntry entry : context.gids(port)) {
            if (entry.index() == index) {
                return new GidChoice(entry, "index " + index + " " + entry.gid() + ": named by the program");
            }
        }
        throw Refusal.of(
                        Errno.ENODATA,
                        "choose GID",
                        "port " + port + " of " + context.device().name())
                .rule("slot " + index + " of its GID table is empty")
                .limit(
                        "index " + index,
                        context.gids(port).stream().map(GidEntry::index).toList())
                .exception();
    }

    /** Whether packets to the peer need a global route: always on Ethernet, and without a LID. */
    boolean isGlobal(Endpoint peer) {
        return linkLayer != LinkLayer.INFINIBAND || peer.lid() == 0;
    }
}
