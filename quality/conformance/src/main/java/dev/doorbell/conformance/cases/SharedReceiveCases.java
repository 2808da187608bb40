package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.Capability;
import dev.doorbell.conformance.CaseBody;
import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.spec.AsyncEventType;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.spec.WorkCompletionStatus;
import dev.doorbell.verbs.AsyncEvent;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.Completion;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueueFullException;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import dev.doorbell.verbs.ReceiveBatch;
import dev.doorbell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Shared receive queues, as pyverbs' test_srq uses them, and what that leaves out. */
final class SharedReceiveCases {
    private SharedReceiveCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                srq("traffic", "test_srq.rc_srq_traffic; rule 3.10", bench -> traffic(bench, QueuePairType.RC)),
                srq(
                        "traffic@uc",
                        "test_srq.rc_srq_traffic, unreliably; rule 3.10",
                        bench -> traffic(bench, QueuePairType.UC),
                        Capability.UC),
                srq("oldest-first", "ibv_post_srq_recv(3); rule 3.10", SharedReceiveCases::oldestFirst),
                srq("empty", "ibv_post_srq_recv(3): RNR; rule 3.10", SharedReceiveCases::empty),
                srq(
                        "resize",
                        "test_srq.resize_srq; ibv_modify_srq(3)",
                        SharedReceiveCases::resize,
                        Capability.RESIZE_SRQ),
                srq(
                        "resize-below-posted",
                        "ibv_modify_srq(3): EINVAL",
                        SharedReceiveCases::resizeTooSmall,
                        Capability.RESIZE_SRQ),
                srq(
                        "limit",
                        "test_srq.modify_srq_limit; ibv_modify_srq(3)",
                        SharedReceiveCases::limit,
                        Capability.EVENTS),
                srq(
                        "limit-too-high",
                        "ibv_modify_srq(3): EINVAL",
                        SharedReceiveCases::limitTooHigh,
                        Capability.EXACT_SRQ),
                srq("query", "ibv_query_srq(3)", SharedReceiveCases::query),
                srq("full", "ibv_post_srq_recv(3): ENOMEM", SharedReceiveCases::full),
                srq("too-many-elements", "ibv_post_srq_recv(3): EINVAL", SharedReceiveCases::tooManyElements),
                srq(
                        "sizes-refused",
                        "ibv_create_srq(3): EINVAL",
                        SharedReceiveCases::sizesRefused,
                        Capability.EXACT_SRQ),
                srq(
                        "error-leaves-the-receives",
                        "gap: SRQ + error flush; rule 3.10; IBV_EVENT_QP_LAST_WQE_REACHED",
                        SharedReceiveCases::error,
                        Capability.EVENTS),
                srq("no-own-receives", "ibv_post_recv(3): EINVAL", SharedReceiveCases::noOwnReceives),
                srq("busy-with-queue-pair", "ibv_destroy_srq(3): EBUSY", SharedReceiveCases::busy),
                srq("close-twice", "ibv_destroy_srq(3)", SharedReceiveCases::closeTwice),
                srq("accounting", "ibv_create_qp(3), ibv_create_cq(3)", SharedReceiveCases::accounting));
    }

    private static ConformanceCase srq(String name, String from, CaseBody body, Capability... besides) {
        return ConformanceCase.named("srq." + name)
                .from(from)
                .needs(Capability.SRQ)
                .needs(besides)
                .runs(body);
    }

    private static void traffic(Bench bench, QueuePairType type) {
        SharedLane lane = new SharedLane(bench, 16, 2, type);
        Bytes.setLong(lane.source.segment(), 8, 0x1122_3344_5566_7788L);
        for (int round = 0; round < 20; round++) {
            lane.post(2 * round, 2);
            List<Completion> received = new ArrayList<>();
            lane.send(0, 1);
            received.addAll(lane.received(1));
            lane.send(1, 2);
            received.addAll(lane.received(1));
            for (int by = 0; by < 2; by++) {
                Completion completion = received.get(by);
                bench.check().equal("receive", 2 * round + by, completion.id());
                bench.check().equal("taker", lane.takers.get(by).number(), completion.queuePairNumber());
                bench.check().equal("status", WorkCompletionStatus.SUCCESS, completion.status());
                bench.check().equal("bytes", SharedLane.PART, completion.byteLength());
            }
        }
        bench.check().equal("data", 0x1122_3344_5566_7788L, Bytes.longAt(lane.target.segment(), 8));
        bench.check().equal("credit", 0, lane.shared.receiveCredit());
    }

    private static void oldestFirst(Bench bench) {
        SharedLane lane = new SharedLane(bench, 16, 3);
        lane.post(0, 12);
        for (int id = 0; id < 12; id++) {
            lane.send(bench.draw().intIn(0, 2), id);
        }
        bench.check()
                .equal(
                        "order",
                        IntStream.range(0, 12).asLongStream().boxed().toList(),
                        lane.received(12).stream().map(Completion::id).toList());
    }

    private static void empty(Bench bench) {
        SharedLane lane = new SharedLane(bench, 4, 1);
        lane.senders.getFirst().postSend(1, lane.source.slice(0, 8));
        lane.nothingReceived();
        lane.post(7, 1);
        bench.check().equal("receive", 7, lane.received(1).getFirst().id());
    }

    private static void resize(Bench bench) {
        SharedLane lane = new SharedLane(bench, 6, 1);
        lane.post(0, 6);
        lane.shared.resize(12);
        bench.check().atLeast("size", 12, lane.shared.query().maxWorkRequests());
        bench.check().equal("credit", 6, lane.shared.receiveCredit());
        lane.post(6, 6);
        for (int id = 0; id < 12; id++) {
            lane.send(0, id);
            bench.check().equal("receive", id, lane.received(1).getFirst().id());
        }
        lane.shared.resize(3);
        lane.post(20, 3);
        bench.check().thrown("the fourth", QueueFullException.class, () -> lane.post(23, 1));
    }

    private static void resizeTooSmall(Bench bench) {
        SharedLane lane = new SharedLane(bench, 20, 1);
        lane.post(0, 20);
        bench.check().refused("resize", "EINVAL", () -> lane.shared.resize(4));
        bench.check().refused("resize", "EINVAL", () -> lane.shared.resize(0));
        int most = bench.b().context().query().maxSharedReceiveRequests();
        bench.check().refused("resize", "EINVAL", () -> lane.shared.resize(most + 1));
        lane.send(0, 1);
        bench.check().equal("receive", 0, lane.received(1).getFirst().id());
        bench.check().equal("credit", 19, lane.shared.receiveCredit());
    }

    private static void limit(Bench bench) {
        SharedLane lane = new SharedLane(bench, 10, 1);
        lane.post(0, 10);
        lane.shared.armLimit(7);
        bench.check().equal("armed", 7, lane.shared.query().limit());
        for (int id = 0; id < 3; id++) {
            lane.send(0, id);
        }
        lane.noEvent();
        lane.send(0, 3);
        AsyncEvent event = lane.event();
        bench.check()
                .equal(
                        "event",
                        new AsyncEvent.OfSharedReceiveQueue(AsyncEventType.SRQ_LIMIT_REACHED, lane.shared),
                        event);
        bench.check().equal("armed", 0, lane.shared.query().limit());
        lane.send(0, 4);
        lane.received(5);
        lane.noEvent();
    }

    private static void limitTooHigh(Bench bench) {
        SharedLane lane = new SharedLane(bench, 10, 1);
        int holds = lane.shared.query().maxWorkRequests();
        bench.check().refused("limit", "EINVAL", () -> lane.shared.armLimit(holds + 1));
        lane.shared.armLimit(holds);
        lane.shared.armLimit(0);
        bench.check().equal("armed", 0, lane.shared.query().limit());
    }

    private static void query(Bench bench) {
        SharedReceiveQueue shared =
                bench.a().domain().sharedReceiveQueue(10).sge(3).limit(2).build();
        bench.check().atLeast("size", 10, shared.query().maxWorkRequests());
        bench.check().atLeast("elements", 3, shared.query().maxSge());
        bench.check().equal("elements", shared.maxSge(), shared.query().maxSge());
        bench.check().equal("limit", 2, shared.query().limit());
    }

    private static void full(Bench bench) {
        SharedLane lane = new SharedLane(bench, 5, 1);
        lane.post(0, 5);
        QueueFullException full = bench.check().thrown("the sixth", QueueFullException.class, () -> lane.post(5, 1));
        bench.check().equal("errno", "ENOMEM", full.errnoName());
        bench.check().equal("credit", 5, lane.shared.receiveCredit());
    }

    private static void tooManyElements(Bench bench) {
        SharedLane lane = new SharedLane(bench, 4, 1);
        bench.check().refused("elements", "EINVAL", () -> {
            try (ReceiveBatch batch = lane.shared.receives()) {
                batch.receive(1);
                for (int element = 0; element <= lane.shared.maxSge(); element++) {
                    batch.sge(lane.target.slice(8L * element, 8));
                }
            }
        });
        bench.check().equal("credit", 0, lane.shared.receiveCredit());
    }

    private static void sizesRefused(Bench bench) {
        ProtectionDomain domain = bench.a().domain();
        int most = bench.a().context().query().maxSharedReceiveRequests();
        int elements = bench.a().context().query().maxSharedReceiveSge();
        for (int depth : new int[] {0, -1, most + 1}) {
            bench.check()
                    .refused(
                            depth + " work requests",
                            "EINVAL",
                            () -> domain.sharedReceiveQueue(depth).build());
        }
        bench.check()
                .refused(
                        "elements",
                        "EINVAL",
                        () -> domain.sharedReceiveQueue(4).sge(elements + 1).build());
        domain.sharedReceiveQueue(4).sge(elements).build().close();
    }

    private static void error(Bench bench) {
        SharedLane lane = new SharedLane(bench, 8, 2);
        lane.post(0, 2);
        QueuePair failed = lane.takers.getFirst();
        failed.modify(QueuePairAttributes.builder().state(QueuePairState.ERROR).build());
        if (bench.has(Capability.LAST_REQUEST_EVENT)) {
            bench.check()
                    .equal(
                            "event",
                            new AsyncEvent.OfQueuePair(AsyncEventType.QP_LAST_WQE_REACHED, failed),
                            lane.event());
        }
        lane.nothingReceived();
        bench.check().equal("credit", 2, lane.shared.receiveCredit());
        failed.close();
        lane.nothingReceived();
        lane.send(1, 1);
        bench.check().equal("receive", 0, lane.received(1).getFirst().id());
        lane.noEvent();
    }

    private static void noOwnReceives(Bench bench) {
        SharedLane lane = new SharedLane(bench, 8, 1);
        QueuePair taker = lane.takers.getFirst();
        bench.check().equal("depth", 0, taker.capacity().maxReceiveRequests());
        bench.check().refused("post", "EINVAL", taker::receives);
        bench.check().refused("credit", "EINVAL", taker::receiveCredit);
    }

    private static void busy(Bench bench) {
        SharedLane lane = new SharedLane(bench, 8, 2);
        lane.post(0, 4);
        bench.check().refused("close", "EBUSY", lane.shared::close);
        lane.takers.getFirst().close();
        bench.check().refused("close", "EBUSY", lane.shared::close);
        lane.takers.getLast().close();
        lane.shared.close();
        lane.nothingReceived();
    }

    private static void closeTwice(Bench bench) {
        SharedReceiveQueue shared = bench.a().domain().sharedReceiveQueue(8).build();
        shared.close();
        shared.close();
        bench.check().thrown("post", ClosedException.class, shared::receives);
        bench.check().thrown("query", ClosedException.class, shared::query);
        bench.check().thrown("resize", ClosedException.class, () -> shared.resize(9));
        bench.check().thrown("limit", ClosedException.class, () -> shared.armLimit(1));
    }

    /** As many receives wait as the queue holds, and each queue pair may have taken one whose place was filled again. */
    private static void accounting(Bench bench) {
        SharedReceiveQueue shared = bench.a().domain().sharedReceiveQueue(20).build();
        var completions = bench.a().completionQueue(31);
        QueuePair.Builder described =
                bench.a().domain().queuePair(completions).depth(4, 0).sharedReceiveQueue(shared);
        List<QueuePair> made = new ArrayList<>();
        made.add(described.build());
        bench.check().equal("committed", 4 + 20 + 1, completions.committed());
        made.add(described.build());
        bench.check().equal("committed", 8 + 20 + 2, completions.committed());
        bench.check().refused("the third", "ENOSPC", described::build);
        made.forEach(QueuePair::close);
        bench.check().equal("committed", 0, completions.committed());
    }
}
