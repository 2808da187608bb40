package dev.doorbell.verbs;

import dev.doorbell.spec.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a queue pair is to be: the values of its builder, which may be used on when they have been copied. */
class QueuePairPlan {
    final ProtectionDomain domain;
    QueuePairType type = QueuePairType.RC;
    CompletionQueue sendCompletions;
    CompletionQueue receiveCompletions;
    int sendDepth = 64;
    int receiveDepth = 64;
    int sendSge = 1;
    int receiveSge = 1;
    int inline;
    boolean signalAll;
    boolean singleThreaded;
    boolean mayOvercommit;
    int port = 1;
    int gidIndex = -1;
    int psn = -1;
    int readAtomicDepth = -1;
    int qkey;

    @Nullable
    SharedReceiveQueue sharedReceives;

    /** The program's own object. */
    @Nullable
    Object attachment;

    /** What the kernel calls it in its events; set when it is created. */
    long cookie;

    QueuePairPlan(ProtectionDomain domain, CompletionQueue completions) {
        this.domain = domain;
        this.sendCompletions = completions;
        this.receiveCompletions = completions;
    }

    /** What was asked for so far. */
    final QueuePairPlan copy() {
        QueuePairPlan copy = new QueuePairPlan(domain, sendCompletions);
        boolean own = sharedReceives == null;
        copy.receiveCompletions = receiveCompletions;
        copy.type = type;
        copy.sharedReceives = sharedReceives;
        copy.sendDepth = sendDepth;
        copy.receiveDepth = own ? receiveDepth : 0;
        copy.sendSge = sendSge;
        copy.receiveSge = own ? receiveSge : 0;
        copy.inline = inline;
        copy.signalAll = signalAll;
        copy.singleThreaded = singleThreaded;
        copy.mayOvercommit = mayOvercommit;
        copy.port = port;
        copy.gidIndex = gidIndex;
        copy.psn = psn;
        copy.readAtomicDepth = readAtomicDepth;
        copy.qkey = qkey;
        copy.attachment = attachment;
        return copy;
    }

    /** What must stay open as long as the queue pair. */
    final List<Lifetime> parents() {
        List<Lifetime> parents =
                new ArrayList<>(List.of(domain.lifetime(), sendCompletions.lifetime(), receiveCompletions.lifetime()));
        if (sharedReceives != null) {
            parents.add(sharedReceives.lifetime());
        }
        return parents;
    }
}
