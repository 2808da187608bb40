package dev.doorbell.quality.simulation;

import dev.doorbell.soft.fault.Direction;
import dev.doorbell.soft.fault.FaultInjector;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.testkit.Fabric;
import dev.doorbell.verbs.AddressHandle;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Endpoint;
import dev.doorbell.verbs.Grh;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SendBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import dev.doorbell.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries a {@link Scenario} out: the left host posts, the right one receives, and every byte, every completion and their order are
 * looked at.
 *
 * <pre>
 *   slots    left                       right
 *   first    what is sent               where WRITEs go
 *   second   what READs and atomics     where SENDs go
 *            brought
 *   third                               what READs fetch; the last slot is the atomics' word
 * </pre>
 */
public final class Simulation implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int QKEY = 0x1234;
    private static final long READABLE = 1L << 40;
    private static final int CHECK_EVERY = 64;

    private final Scenario scenario;
    private final Workload workload;
    private final int size;
    private final int slots;
    private final int skip;
    private final Fabric fabric;
    private final SimulatedHost left;
    private final SimulatedHost right;
    private final List<QueuePair> senders = new ArrayList<>();
    private final List<QueuePair> receivers = new ArrayList<>();
    private final @Nullable SharedReceiveQueue shared;
    private final @Nullable AddressHandle handle;
    private final Endpoint peer;

    /** Messages of each connection that are not complete at the left, and those that are not at the right. */
    private final List<Deque<Long>> sending = new ArrayList<>();

    private final List<Deque<Long>> arriving = new ArrayList<>();

    /** What the atomics' word held before each message. */
    private final long[] before;

    private final int credit;
    private long messages;
    private long packetLimit = Long.MAX_VALUE;
    /** Slots of receives that wait. */
    private final BitSet occupied = new BitSet();

    private long word;
    private long posted;
    private long sent;
    private long delivered;
    private long bytes;
    private long receivesPosted;
    private long received;
    private long lastNs;

    /** Opens both hosts and connects them. */
    public Simulation(Scenario scenario) {
        this.scenario = scenario;
        this.workload = scenario.workload();
        this.size = workload.hasSize() ? scenario.size() : Long.BYTES;
        this.slots = workload.isReliable() ? scenario.depth() : (int) scenario.messages();
        this.skip = workload.type() == QueuePairType.UD ? Grh.BYTES : 0;
        this.before = new long[slots];
        this.messages = scenario.messages();
        this.credit = workload == Workload.MIXED ? Math.max(1, slots / 8) : slots;
        Fabric.Builder builder = Fabric.builder().seed(scenario.seed()).links(scenario.links());
        if (scenario.loss() + scenario.others() > 0) {
            builder.faults("soft0", faults(1)).faults("soft1", faults(2));
        }
        fabric = builder.build();
        left = new SimulatedHost(fabric.device(0), 4 * slots, 2 * slots, size, scenario.seed());
        right = new SimulatedHost(fabric.device(1), 4 * slots, 3 * slots + 1, size + skip, scenario.seed());
        shared = workload == Workload.SHARED_RECEIVE
                ? right.domain.sharedReceiveQueue(slots).build()
                : null;
        for (int index = 0; index < workload.queuePairs(); index++) {
            connect();
        }
        peer = receivers.getFirst().endpoint();
        handle = skip == 0 ? null : left.domain.createAddressHandle(peer);
        for (int slot = 0; slot < slots; slot++) {
            right.fill(2 * slots + slot, READABLE + slot, size);
        }
    }

    private FaultInjector faults(int side) {
        return FaultInjector.seeded(scenario.seed() * 2 + side)
                .loss(scenario.loss())
                .duplication(scenario.others())
                .reordering(scenario.others())
                .corruption(scenario.others())
                .only(Direction.RECEIVED);
    }

    private void connect() {
        QueuePair one = queuePair(left, null);
        QueuePair other = queuePair(right, shared);
        if (workload.type() == QueuePairType.UD) {
            one.activate();
            other.activate();
        } else {
            ConnectOptions options =
                    ConnectOptions.defaults().maxMtu(scenario.mtu()).rnrTimer(Duration.ofNanos(20_000));
            one.connect(other.endpoint(), options);
            other.connect(one.endpoint(), options);
        }
        senders.add(one);
        receivers.add(other);
        sending.add(new ArrayDeque<>());
        arriving.add(new ArrayDeque<>());
    }

    private QueuePair queuePair(SimulatedHost host, @Nullable SharedReceiveQueue from) {
        QueuePair.Builder builder = host.domain
                .queuePair(host.completions)
                .type(workload.type())
                .depth(slots, from == null ? slots : 1)
                .sge(1, 1)
                .psn((int) (scenario.seed() * 31 + (host == left ? 0 : 77)) & 0xff_ffff);
        if (from != null) {
            builder.sharedReceiveQueue(from);
        }
        if (workload.type() == QueuePairType.UD) {
            builder.qkey(QKEY);
        }
        return builder.build();
    }

    /**
     * Runs it to its end.
     *
     * @throws AssertionError if a byte or a completion is not what it must be, with the scenario and its seed
     */
    public Outcome run() {
        try {
            long start = fabric.clock().nanoTime();
            lastNs = start;
            while (!isDone()) {
                post();
                if (poll() == 0 && !fabric.step(PATIENCE)) {
                    if (mayEndHere()) {
                        break;
                    }
                    throw new AssertionError(
                            "it hangs: " + posted + " posted, " + sent + " sent, " + delivered + " delivered");
                }
                if (fabric.clock().nanoTime() - lastNs > PATIENCE.toNanos()) {
                    throw new AssertionError("no progress for " + PATIENCE);
                }
            }
            long elapsedNs = lastNs - start;
            settle();
            return outcome(elapsedNs);
        } catch (RuntimeException | AssertionError wrong) {
            throw new AssertionError(
                    scenario + ": " + wrong + System.lineSeparator() + fabric.counters(0) + System.lineSeparator()
                            + fabric.counters(1),
                    wrong);
        }
    }

    /** Runs it until the devices have sent so many packets, and what is under way then to its end. */
    public Outcome run(long packets) {
        packetLimit = packets;
        return run();
    }

    private boolean isDone() {
        return sent == messages && workload.isReliable() && arriving.stream().allMatch(Deque::isEmpty);
    }

    /** Nothing will happen any more. What is lost of unreliable messages stays lost. */
    private boolean mayEndHere() {
        return sent == messages && !workload.isReliable();
    }

    /** Late copies of packets do no harm either. */
    private void settle() {
        fabric.advance(Duration.ofMillis(100));
        check(poll() == 0 || !workload.isReliable(), "nothing more completes");
        if (workload.isReliable()) {
            check(right.number(3 * slots) == word, "the atomics' word is right");
        }
    }

    private Outcome outcome(long elapsedNs) {
        return new Outcome(delivered, bytes, elapsedNs, count("sent_pkts"), count("resent_pkts"), count("tail_probes"));
    }

    private long count(String counter) {
        return count(fabric.counters(0), counter) + count(fabric.counters(1), counter);
    }

    private static long count(Map<String, Long> counters, String counter) {
        return counters.getOrDefault(counter, 0L);
    }

    private void post() {
        postReceives();
        while (posted < messages && mayPost()) {
            if (posted % CHECK_EVERY == 0 && packetLimit != Long.MAX_VALUE && count("sent_pkts") >= packetLimit) {
                messages = posted;
                return;
            }
            int connection = (int) (posted % workload.queuePairs());
            int slot = (int) (posted % slots);
            try (SendBatch batch = senders.get(connection).batch()) {
                fill(batch, posted, slot);
                if (workload.isFenced(posted)) {
                    batch.fence();
                }
                batch.signaled();
                batch.submit();
            }
            sending.get(connection).add(posted);
            if (workload.operation(posted).isReceived()) {
                arriving.get(connection).add(posted);
            }
            posted++;
        }
    }

    /** A slot is free when the message before in it is complete at both ends. */
    private boolean mayPost() {
        long oldest = posted;
        for (Deque<Long> messages : sending) {
            oldest = messages.isEmpty() ? oldest : Math.min(oldest, messages.peek());
        }
        if (workload.isReliable()) {
            for (Deque<Long> messages : arriving) {
                oldest = messages.isEmpty() ? oldest : Math.min(oldest, messages.peek());
            }
        }
        return posted - oldest < slots;
    }

    private void fill(SendBatch batch, long message, int slot) {
        Operation operation = workload.operation(message);
        switch (operation) {
            case SEND -> batch.send(message);
            case SEND_IMM -> batch.sendWithImmediate(message, (int) message);
            case WRITE -> batch.write(message, right.region.remote(), right.at(slot));
            case WRITE_IMM -> batch.writeWithImmediate(message, right.region.remote(), right.at(slot), (int) message);
            case READ -> batch.read(message, right.region.remote(), right.at(2 * slots + slot));
            case FETCH_ADD -> {
                before[slot] = word;
                word += message + 1;
                batch.fetchAndAdd(message, right.region.remote(), right.at(3 * slots), message + 1);
            }
            case COMPARE_SWAP -> {
                before[slot] = word;
                word = word * 31 + message;
                batch.compareAndSwap(message, right.region.remote(), right.at(3 * slots), before[slot], word);
            }
        }
        switch (operation) {
            case SEND, SEND_IMM, WRITE, WRITE_IMM -> {
                if (!operation.isReceived() || operation == Operation.WRITE_IMM) {
                    right.clear(slot);
                }
                left.fill(slot, message, size);
                batch.sge(left.region, left.at(slot), size);
            }
            case READ -> {
                left.clear(slots + slot);
                batch.sge(left.region, left.at(slots + slot), size);
            }
            case FETCH_ADD, COMPARE_SWAP -> {
                left.clear(slots + slot);
                batch.sge(left.region, left.at(slots + slot), Long.BYTES);
            }
        }
        if (handle != null) {
            batch.to(handle, peer);
        }
    }

    private void postReceives() {
        while (receivesPosted - received < credit && !occupied.get((int) (receivesPosted % slots))) {
            int slot = slots + (int) (receivesPosted % slots);
            occupied.set(slot - slots);
            right.clear(slot);
            try (ReceiveBatch batch = shared == null ? receivers.getFirst().receives() : shared.receives()) {
                batch.receive(receivesPosted).sge(right.region, right.at(slot), size + skip);
                batch.submit();
            }
            receivesPosted++;
        }
    }

    /** Looks for completions, all that there are at this moment. Polling in vain may move the clock to another. */
    private int poll() {
        int count;
        long before;
        do {
            before = fabric.clock().nanoTime();
            fabric.settle();
            count = pollOnce();
        } while (count == 0 && fabric.clock().nanoTime() != before);
        return count;
    }

    private int pollOnce() {
        int count = left.completions.poll(Integer.MAX_VALUE, this::onSent)
                + right.completions.poll(Integer.MAX_VALUE, this::onReceived);
        if (count > 0) {
            lastNs = fabric.clock().nanoTime();
        }
        return count;
    }

    private void onSent(WorkCompletion completion) {
        check(completion.isSuccess(), completion.toString());
        int connection = connection(senders, completion);
        long message = sending.get(connection).remove();
        check(completion.id() == message, completion.id() + " completes after " + (message - 1));
        int slot = (int) (message % slots);
        Operation operation = workload.operation(message);
        sent++;
        switch (operation) {
            case WRITE -> right.verify(slot, 0, message, size, "WRITE " + message);
            case READ -> left.verify(slots + slot, 0, READABLE + slot, size, "READ " + message);
            case FETCH_ADD, COMPARE_SWAP ->
                check(left.number(slots + slot) == before[slot], operation + " " + message + " brought what was there");
            case SEND, SEND_IMM, WRITE_IMM -> {}
        }
        if (!operation.isReceived()) {
            delivered++;
            bytes += operation.isAtomic() ? Long.BYTES : size;
        }
    }

    private void onReceived(WorkCompletion completion) {
        check(completion.isSuccess(), completion.toString());
        long id = completion.id();
        int inbox = slots + (int) (id % slots);
        check(shared != null || id == received, "receive " + received + " completes before " + id);
        check(id < receivesPosted && occupied.get(inbox - slots), "receive " + id + " completes once");
        occupied.clear(inbox - slots);
        received++;
        long message = workload.isReliable()
                ? arriving.get(connection(receivers, completion)).remove()
                : completion.immediate();
        check(message >= 0 && message < posted, "message " + message + " arrives of " + posted);
        Operation operation = workload.operation(message);
        check(completion.hasImmediate() == operation.hasImmediate(), completion + " has immediate data");
        check(!operation.hasImmediate() || completion.immediate() == (int) message, "immediate data of " + message);
        check(completion.byteLength() == size + skip, completion + " has " + (size + skip) + " bytes");
        if (operation == Operation.WRITE_IMM) {
            right.verify((int) (message % slots), 0, message, size, "WRITE with immediate " + message);
        } else {
            right.verify(inbox, skip, message, size, "SEND " + message);
        }
        delivered++;
        bytes += size;
    }

    private static int connection(List<QueuePair> ends, WorkCompletion completion) {
        for (int index = 0; index < ends.size(); index++) {
            if (ends.get(index).number() == completion.queuePairNumber()) {
                return index;
            }
        }
        throw new AssertionError(completion + " is nobody's");
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new AssertionError("it does not hold that: " + what);
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
        fabric.close();
    }
}
