package dev.doorbell.soft.cm;

import dev.doorbell.spec.Gid;
import dev.doorbell.wire.cm.CmAttribute;
import dev.doorbell.wire.cm.CmMad;
import dev.doorbell.wire.cm.MadHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Predicate;

/** Joins agents, and is their time: messages take a while, and get lost, come twice or overtake each other if wanted. */
final class Cable {
    private static final long TRAVEL_NS = 50_000;
    private static final int MOST_STEPS = 2_000_000;

    private record Travelling(long arrivesNs, long number, CmMad mad, Gid from, Gid to) {}

    private final PriorityQueue<Travelling> under = new PriorityQueue<>((left, right) -> {
        int byTime = Long.compare(left.arrivesNs, right.arrivesNs);
        return byTime != 0 ? byTime : Long.compare(left.number, right.number);
    });
    private final Map<Gid, CmAgent> agents = new HashMap<>();
    private final List<String> log = new ArrayList<>();
    private final Random random;
    private double loss;
    private double duplication;
    private long jitterNs;
    private Predicate<CmMad> swallow = mad -> false;
    private long count;
    long nowNs;

    Cable(long seed) {
        this.random = new Random(seed);
    }

    void faults(double newLoss, double newDuplication, long newJitterNs) {
        loss = newLoss;
        duplication = newDuplication;
        jitterNs = newJitterNs;
    }

    /** Loses what this says. */
    void swallow(Predicate<CmMad> value) {
        swallow = value;
    }

    /** Loses all messages of some kinds. */
    void swallow(CmAttribute... kinds) {
        swallow = mad -> List.of(kinds).contains(mad.message().attribute());
    }

    void plug(Gid address, CmAgent agent) {
        agents.put(address, agent);
    }

    void unplug(Gid address) {
        agents.remove(address);
    }

    void send(CmMad mad, Gid from, Gid to) {
        // Over the bytes, so that what does not stand in them is lost.
        MemorySegment bytes = MemorySegment.ofArray(new byte[MadHeader.MAD_BYTES]);
        mad.write(bytes, 0);
        CmMad copy = CmMad.read(bytes, 0);
        log.add(copy.message().attribute().name());
        if (swallow.test(copy) || random.nextDouble() < loss) {
            return;
        }
        put(copy, from, to);
        if (random.nextDouble() < duplication) {
            put(copy, from, to);
        }
    }

    private void put(CmMad mad, Gid from, Gid to) {
        long delay = TRAVEL_NS + (jitterNs == 0 ? 0 : random.nextLong(jitterNs));
        under.add(new Travelling(nowNs + delay, count++, mad, from, to));
    }

    /** What was sent so far, by kind. */
    List<String> log() {
        return log;
    }

    long sent(CmAttribute kind) {
        return log.stream().filter(kind.name()::equals).count();
    }

    /** Lets time pass until nothing will happen any more. */
    void settle() {
        run(Long.MAX_VALUE);
    }

    /** Lets time pass. */
    void pass(long ns) {
        long until = nowNs + ns;
        run(until);
        nowNs = until;
    }

    private void run(long untilNs) {
        for (int step = 0; step < MOST_STEPS; step++) {
            long next = nextArrivalNs();
            for (CmAgent agent : agents.values()) {
                next = Math.min(next, agent.nextDeadlineNs());
            }
            if (next == Long.MAX_VALUE || next > untilNs) {
                return;
            }
            nowNs = Math.max(nowNs, next);
            step();
        }
        throw new AssertionError("this never ends: " + log.subList(log.size() - 20, log.size()));
    }

    private long nextArrivalNs() {
        Travelling first = under.peek();
        return first == null ? Long.MAX_VALUE : first.arrivesNs;
    }

    private void step() {
        while (nextArrivalNs() <= nowNs) {
            Travelling arrived = under.remove();
            CmAgent agent = agents.get(arrived.to);
            if (agent != null) {
                agent.receive(arrived.mad, arrived.from, arrived.to, nowNs);
            }
        }
        for (CmAgent agent : List.copyOf(agents.values())) {
            agent.expire(nowNs);
        }
    }
}
