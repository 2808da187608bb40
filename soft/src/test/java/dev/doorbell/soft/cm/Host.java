package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.spec.Guid;
import dev.doorbell.spec.RejectReason;
import dev.doorbell.wire.cm.CmPath;
import dev.doorbell.wire.cm.CmQueuePair;
import dev.doorbell.wire.cm.CmRej;
import dev.doorbell.wire.cm.CmRep;
import dev.doorbell.wire.cm.CmReq;
import dev.doorbell.wire.cm.CmRtu;
import dev.doorbell.wire.cm.CmTransport;
import dev.doorbell.wire.cm.PrivateData;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A node with an agent, and a program that behaves as told. */
final class Host implements CmService {
    static final long SERVICE = 0x0106_1c06L;

    final Gid address;
    private final Guid guid;
    CmAgent agent;
    final Cable cable;
    final List<Party> parties = new ArrayList<>();
    final List<SidrQuestion> questions = new ArrayList<>();

    /** What the program does with a request: accepts at once, unless told otherwise. */
    Answering answering = Answering.ACCEPT;

    RejectReason refusal = RejectReason.INVALID_SERVICE_ID;
    private final Random random;
    private int nextQpn = 0x11;

    enum Answering {
        ACCEPT,
        /** The agent's listener refuses. */
        REFUSE,
        /** The program refuses. */
        REJECT,
        /** The program thinks. */
        THINK
    }

    Host(Cable cable, int number) {
        this.cable = cable;
        this.address = Gid.ofIpv4(0x0a00_0000 | number);
        this.random = new Random(number);
        this.guid = new Guid(0x5054_00ff_fe00_0000L | number);
        this.agent = newAgent();
        cable.plug(address, agent);
    }

    /** One end of a connection, and what it got to know. */
    final class Party implements CmHandler {
        final CmEndpoint endpoint;
        final List<String> events = new ArrayList<>();
        boolean confirms = true;
        boolean answersDisconnect = true;

        Party(CmEndpoint endpoint) {
            this.endpoint = endpoint;
            endpoint.setHandler(this);
            parties.add(this);
        }

        @Override
        public void onReply(CmRep reply) {
            events.add("reply");
            if (confirms) {
                endpoint.ready(PrivateData.zero(CmRtu.PRIVATE_DATA));
            }
        }

        @Override
        public void onEstablished() {
            events.add("established");
        }

        @Override
        public void onRejected(CmRej reject) {
            events.add("rejected " + reject.reason());
        }

        @Override
        public void onUnreachable() {
            events.add("unreachable");
        }

        @Override
        public void onDisconnected(boolean timedOut) {
            events.add(timedOut ? "disconnected, timed out" : "disconnected");
            if (answersDisconnect) {
                endpoint.disconnect(cable.nowNs);
            }
        }

        @Override
        public void onTimeWaitOver() {
            events.add("over");
        }

        boolean isEstablished() {
            return endpoint.state() == CmState.ESTABLISHED;
        }
    }

    CmQueuePair queuePair() {
        return new CmQueuePair(nextQpn++, 0, random.nextInt(1 << 24), 4, 2, 7, 7, false, false);
    }

    CmReq req(CmEndpoint endpoint, CmQueuePair queuePair) {
        CmPath path = new CmPath(0xffff, 0xffff, address, endpoint.destination(), 0, 0, 0, 64, 0, false, 17);
        return new CmReq(
                endpoint.localCommId(),
                SERVICE,
                agent.guid(),
                queuePair,
                CmTransport.RC,
                0,
                new CmReq.Timing(CmTimes.RESPONSE_TIMEOUT, CmTimes.RESPONSE_TIMEOUT, CmTimes.MAX_RETRIES),
                0xffff,
                3,
                path,
                CmPath.NONE,
                PrivateData.zero(CmReq.PRIVATE_DATA));
    }

    Party connect(Host to) {
        return connect(to, queuePair());
    }

    Party connect(Host to, CmQueuePair queuePair) {
        Party party = new Party(agent.newEndpoint(address, to.address));
        party.endpoint.request(req(party.endpoint, queuePair), CmTimes.PACKET_LIFE_TIME, cable.nowNs);
        return party;
    }

    /** The process is gone, without a word. */
    void vanish() {
        cable.unplug(address);
        agent = newAgent();
    }

    /** The process is gone, and another one is there. */
    void restart() {
        vanish();
        cable.plug(address, agent);
    }

    private CmAgent newAgent() {
        return new CmAgent(guid, random, cable::send, this);
    }

    @Override
    public @Nullable RejectReason onRequest(CmEndpoint endpoint, CmReq request) {
        if (answering == Answering.REFUSE) {
            return refusal;
        }
        Party party = new Party(endpoint);
        party.events.add("request");
        if (answering == Answering.ACCEPT) {
            accept(party);
        } else if (answering == Answering.REJECT) {
            endpoint.reject(RejectReason.CONSUMER_DEFINED, PrivateData.zero(CmRej.PRIVATE_DATA));
        }
        return null;
    }

    void accept(Party party) {
        party.endpoint.reply(queuePair(), PrivateData.zero(CmRep.PRIVATE_DATA), cable.nowNs);
    }

    @Override
    public boolean onQuestion(SidrQuestion question) {
        questions.add(question);
        return answering != Answering.REFUSE;
    }

    Party only() {
        if (parties.size() != 1) {
            throw new AssertionError(parties.size() + " parties");
        }
        return parties.getFirst();
    }
}
