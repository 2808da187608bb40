package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.CmSidrRep;
import dev.doorbell.wire.cm.CmSidrReq;
import java.util.HashMap;
import java.util.Map;

/**
 * Which queue pair serves datagrams for a service (section 12.11): what this device asked others, and what others asked
 * it. Belongs to an agent, and to whoever is allowed to use that.
 */
public final class SidrTable {
    /** Answers that are remembered for those who ask again; beyond that, the program is asked again. */
    private static final int REMEMBERED = 1024;

    /** Who asked what. */
    record Asker(int requestId, Gid address) {}

    private final CmAgent agent;
    private final CmService service;
    private final Map<Integer, SidrRequest> requests = new HashMap<>();
    private final Map<Asker, SidrQuestion> questions = new HashMap<>();
    private int remembered;

    SidrTable(CmAgent agent, CmService service) {
        this.agent = agent;
        this.service = service;
    }

    /**
     * Asks another device.
     *
     * @param question what is asked; its number is given here
     */
    public SidrRequest ask(Gid source, Gid destination, CmSidrReq question, SidrHandler handler, long nowNs) {
        int id;
        do {
            id = agent.newNumber();
        } while (requests.containsKey(id));
        CmSidrReq req = new CmSidrReq(id, question.pkey(), question.serviceId(), question.privateData());
        SidrRequest request = new SidrRequest(this, req, source, destination);
        requests.put(id, request);
        request.start(handler, agent.newTransactionId(id), nowNs);
        return request;
    }

    void asked(CmSidrReq req, long transactionId, Gid source, Gid destination) {
        Asker asker = new Asker(req.requestId(), source);
        SidrQuestion known = questions.get(asker);
        if (known != null) {
            known.again();
            return;
        }
        SidrQuestion question = new SidrQuestion(this, req, transactionId, destination, source);
        questions.put(asker, question);
        if (!service.onQuestion(question)) {
            question.refuse(CmSidrRep.UNSUPPORTED);
        }
    }

    void answered(CmSidrRep rep, Gid source) {
        SidrRequest request = requests.get(rep.requestId());
        if (request != null && request.destination().equals(source)) {
            request.answered(rep);
        }
    }

    int size() {
        return requests.size() + questions.size();
    }

    void forget(SidrRequest request) {
        agent.timers().cancel(request);
        requests.remove(request.id(), request);
    }

    void forget(SidrQuestion question) {
        if (question.slot != Timed.UNSCHEDULED) {
            remembered--;
        }
        agent.timers().cancel(question);
        questions.remove(question.asker(), question);
    }

    /** An answer was given: it is remembered for a while, unless there are too many. */
    void remember(SidrQuestion question, long untilNs) {
        if (remembered < REMEMBERED) {
            remembered++;
            agent.timers().set(question, untilNs);
        } else {
            forget(question);
        }
    }

    void expired(SidrQuestion question) {
        remembered--;
        questions.remove(question.asker(), question);
    }

    void waitUntil(SidrRequest request, long untilNs) {
        agent.timers().set(request, untilNs);
    }

    void send(CmMad mad, Gid from, Gid to) {
        agent.send(mad, from, to);
    }
}
