package dev.doorbell.soft.cm;

import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmReq;
import org.jspecify.annotations.Nullable;

/** Who is asked for connections and for datagram services. */
public interface CmService {
    /**
     * A request for a connection. Whoever takes it gives the endpoint a handler and answers now or later: with
     * {@link CmEndpoint#reply} or {@link CmEndpoint#reject}.
     *
     * @return null if it is taken, otherwise why not; {@link RejectReason#UNKNOWN} to say nothing, so that it comes again
     */
    @Nullable
    RejectReason onRequest(CmEndpoint endpoint, CmReq request);

    /**
     * A question for the queue pair of a datagram service. Whoever takes it answers now or later, with
     * {@link SidrQuestion#answer}.
     *
     * @return whether it is taken
     */
    boolean onQuestion(SidrQuestion question);
}
