package dev.doorbell.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.spec.CmEventType;
import dev.doorbell.spec.PortSpace;
import dev.doorbell.verbs.ClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that each wait for their own, and one of them reads for all. */
@Timeout(60)
final class EventPumpTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final int WAITING = 300;
    private static final CmEventType[] ORDER = {
        CmEventType.ROUTE_RESOLVED, CmEventType.ROUTE_ERROR, CmEventType.TIMEWAIT_EXIT, CmEventType.ADDR_CHANGE
    };

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final EventChannel channel = kernel.open();
    private final EventPump pump = new EventPump(channel);
    private final ScriptedChannel script = kernel.channels.getFirst();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        channel.close();
        threads.close();
        kernel.close();
    }

    private CmId id() {
        CmId id = channel.create(PortSpace.TCP);
        pump.register(id);
        return id;
    }

    /** A thread that waits for an event of an identifier. */
    private Future<Optional<CmEvent>> wait(CmId id, CountDownLatch begun) {
        return threads.submit(() -> {
            EventPump.Timer timer = pump.timer(SOON);
            begun.countDown();
            return pump.await(id, timer);
        });
    }

    private Future<Optional<CmEvent>> waitAsReader(CmId id) {
        Future<Optional<CmEvent>> waiting = wait(id, new CountDownLatch(1));
        script.awaitWaiting();
        return waiting;
    }

    @Test
    void anEventWakesWhomItConcerns() throws Exception {
        List<CmId> ids = new ArrayList<>();
        List<Future<Optional<CmEvent>>> waiting = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(WAITING);
        for (int i = 0; i < WAITING; i++) {
            CmId id = id();
            ids.add(id);
            waiting.add(wait(id, begun));
        }
        begun.await();
        script.awaitWaiting();
        // The last to come has seen the first event at the latest: it takes no part in what is counted.
        script.looks.set(0);
        for (int i = 0; i < WAITING; i++) {
            script.raise(CmEventType.ROUTE_RESOLVED, ids.get(i).number(), 0);
            assertThat(waiting.get(i).get().orElseThrow().id()).isEqualTo(ids.get(i));
        }
        // Waking all for each event is a look for each that waits: 45,000 and more.
        assertThat(script.looks.get()).isLessThan(20 * WAITING);
    }

    @Test
    void whoReadsIsWokenWhenAnotherTakesItsEvent() throws Exception {
        CmId id = id();
        CmId other = id();
        Future<Optional<CmEvent>> reader = waitAsReader(id);
        script.wakes = false;
        script.raise(CmEventType.ROUTE_RESOLVED, id.number(), 0);
        Future<Optional<CmEvent>> waiting = wait(other, new CountDownLatch(1));
        assertThat(reader.get().orElseThrow().id()).isEqualTo(id);
        script.wakes = true;
        script.raise(CmEventType.ROUTE_RESOLVED, other.number(), 0);
        assertThat(waiting.get()).isPresent();
    }

    @Test
    void whoAsksWhetherItIsConnectedDeliversToWhoReads() throws Exception {
        CmId id = id();
        Future<Optional<CmEvent>> reader = waitAsReader(id);
        script.wakes = false;
        script.raise(CmEventType.ROUTE_RESOLVED, id.number(), 0);
        pump.drain();
        assertThat(reader.get().orElseThrow().id()).isEqualTo(id);
    }

    /** Many threads that wait, take and deliver at once: the events of each identifier come in their order, and none is lost. */
    @Test
    void eventsOfAnIdentifierComeInTheirOrderToWhoeverTakesThem() throws Exception {
        int ends = 8;
        int rounds = 2000;
        List<CmId> ids = new ArrayList<>();
        List<Future<List<CmEventType>>> waiting = new ArrayList<>();
        for (int i = 0; i < ends; i++) {
            CmId id = id();
            ids.add(id);
            waiting.add(threads.submit(() -> {
                EventPump.Timer timer = pump.timer(SOON);
                List<CmEventType> seen = new ArrayList<>();
                for (int event = 0; event < rounds; event++) {
                    seen.add(pump.await(id, timer).orElseThrow().type());
                }
                return seen;
            }));
        }
        for (int event = 0; event < rounds; event++) {
            for (CmId id : ids) {
                script.raise(ORDER[event % ORDER.length], id.number(), 0);
            }
        }
        for (Future<List<CmEventType>> each : waiting) {
            List<CmEventType> seen = each.get();
            for (int event = 0; event < rounds; event++) {
                assertThat(seen.get(event)).isEqualTo(ORDER[event % ORDER.length]);
            }
        }
    }

    @Test
    void whoIsDoneHandsTheReadingOver() throws Exception {
        CmId first = id();
        CmId second = id();
        Future<Optional<CmEvent>> reader = waitAsReader(first);
        Future<Optional<CmEvent>> other = wait(second, new CountDownLatch(1));
        script.raise(CmEventType.ROUTE_RESOLVED, first.number(), 0);
        assertThat(reader.get()).isPresent();
        script.raise(CmEventType.ROUTE_RESOLVED, second.number(), 0);
        assertThat(other.get()).isPresent();
    }

    @Test
    void severalThatWaitForOneIdentifierGetAnEventEach() throws Exception {
        CmId id = id();
        List<Future<Optional<CmEvent>>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(wait(id, new CountDownLatch(1)));
        }
        for (int i = 0; i < 10; i++) {
            script.raise(CmEventType.ROUTE_RESOLVED, id.number(), 0);
        }
        for (Future<Optional<CmEvent>> each : waiting) {
            assertThat(each.get()).isPresent();
        }
    }

    @Test
    void whoReadsIsWokenWhenItsIdentifierIsForgotten() throws Exception {
        CmId id = id();
        CmId other = id();
        Future<Optional<CmEvent>> reader = waitAsReader(id);
        Future<Optional<CmEvent>> waiting = wait(other, new CountDownLatch(1));
        pump.forget(id);
        assertThatThrownBy(reader::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedException.class);
        script.raise(CmEventType.ROUTE_RESOLVED, other.number(), 0);
        assertThat(waiting.get()).isPresent();
    }

    @Test
    void whoWaitsIsWokenWhenItsIdentifierIsForgotten() throws Exception {
        CmId id = id();
        Future<Optional<CmEvent>> reader = waitAsReader(id);
        CmId other = id();
        Future<Optional<CmEvent>> waiting = wait(other, new CountDownLatch(1));
        pump.forget(other);
        assertThatThrownBy(waiting::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ClosedException.class);
        script.raise(CmEventType.ROUTE_RESOLVED, id.number(), 0);
        assertThat(reader.get()).isPresent();
    }

    @Test
    void closingTheChannelEndsEveryWait() {
        Future<Optional<CmEvent>> reader = waitAsReader(id());
        Future<Optional<CmEvent>> waiting = wait(id(), new CountDownLatch(1));
        channel.close();
        for (Future<Optional<CmEvent>> each : List.of(reader, waiting)) {
            assertThatThrownBy(each::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ClosedException.class);
        }
    }
}
