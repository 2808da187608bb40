package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import dev.doorbell.spec.Gid;
import dev.doorbell.spec.GidEntry;
import dev.doorbell.spec.GidType;
import dev.doorbell.spec.Rate;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The way back to who sent a datagram (ibv_init_ah_from_wc(3)). */
final class ReplyAddress {
    private static final int MOST_HOPS = 255;

    private ReplyAddress() {}

    static AddressVector of(Context context, int port, WorkCompletion received, MemorySegment memory, long offset) {
        if (!received.opcode().isReceive()) {
            throw refusal(context, "it is the completion of a send");
        }
        if (!received.hasGrh()) {
            return new AddressVector(
                    Gid.ZERO,
                    0,
                    0,
                    0,
                    0,
                    port,
                    received.serviceLevel(),
                    received.sourceLid(),
                    false,
                    received.destinationPathBits(),
                    Rate.MAX);
        }
        Grh header = Grh.read(memory, offset);
        return new AddressVector(
                header.source(),
                sourceIndex(context, port, header),
                header.flowLabel(),
                MOST_HOPS,
                header.trafficClass(),
                port,
                received.serviceLevel(),
                received.sourceLid(),
                true,
                received.destinationPathBits(),
                Rate.MAX);
    }

    /** The slot that the datagram was sent to; for one that was sent to a group, the best that reaches the sender. */
    private static int sourceIndex(Context context, int port, Grh header) {
        if (header.destination().isMulticast()) {
            return context.chooseGid(port, header.source()).entry().index();
        }
        GidEntry found = find(context, port, header);
        if (found == null) {
            throw refusal(context, "it was sent to " + header.destination() + ", which port " + port + " has not");
        }
        return found.index();
    }

    /** An address has a slot for each version of RoCE, and the header of a datagram does not say which it was. */
    private static @Nullable GidEntry find(Context context, int port, Grh header) {
        GidEntry found = null;
        for (GidEntry entry : context.gids(port)) {
            boolean better = found == null || entry.type() == GidType.ROCE_V2 && found.type() != GidType.ROCE_V2;
            if (entry.gid().equals(header.destination()) && better) {
                found = entry;
            }
        }
        return found;
    }

    private static VerbsException refusal(Context context, String rule) {
        return Refusal.of(Errno.EINVAL, "address of a reply", context.device().name())
                .rule(rule)
                .remedy("Pass the completion of a datagram that was received, and the memory that it was received into")
                .exception();
    }
}
