package dev.doorbell.conformance.cases;

import dev.doorbell.conformance.ConformanceCase;
import dev.doorbell.conformance.bench.Allowance;
import dev.doorbell.conformance.bench.Bench;
import dev.doorbell.conformance.bench.Pair;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.Mtu;
import dev.doorbell.spec.QueuePairState;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.ClosedException;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.ConnectOptions;
import dev.doorbell.verbs.Connection;
import dev.doorbell.verbs.DeviceAttributes;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.QueuePairAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Queue pairs: creation, sizes, connection and what they say of themselves, as pyverbs' test_qp does it. */
final class QueuePairCases {
    private QueuePairCases() {}

    static List<ConformanceCase> cases() {
        return List.of(
                ConformanceCase.named("qp.create.rc")
                        .from("test_qp.create_rc_qp_no_attr, create_rc_qp_ex_no_attr; ibv_create_qp(3)")
                        .runs(bench -> create(bench, QueuePairType.RC)),
                ConformanceCase.named("qp.create.rc-and-initialize")
                        .from("test_qp.create_rc_qp_with_attr, create_rc_qp_ex_with_attr")
                        .runs(QueuePairCases::initialize),
                ConformanceCase.named("qp.create.too-much")
                        .from("test_qp.create_raw_qp_ex_with_illegal_caps_max_send_wr, _send_sge, _recv_sge, _recv_wr")
                        .runs(QueuePairCases::tooMuch),
                ConformanceCase.named("qp.create.sizes")
                        .from("test_qp.query_rc_qp; ibv_create_qp(3): at least what was asked for")
                        .runs(QueuePairCases::sizes),
                ConformanceCase.named("qp.create.many")
                        .from("ibv_create_qp(3): numbers of 24 bits, each once")
                        .runs(QueuePairCases::many),
                ConformanceCase.named("qp.create.only-sends")
                        .from("ibv_create_qp(3): queues may have no depth")
                        .runs(QueuePairCases::onlySends),
                ConformanceCase.named("qp.query.after-create")
                        .from("test_qp.query_rc_qp; ibv_query_qp(3)")
                        .runs(QueuePairCases::queryAfterCreate),
                ConformanceCase.named("qp.query.what-was-modified")
                        .from("ibv_query_qp(3)")
                        .runs(QueuePairCases::queryModified),
                ConformanceCase.named("qp.query.rd-atomic")
                        .from("test_qp.modify_rc_qp_rd_atomic")
                        .runs(QueuePairCases::readAtomic),
                ConformanceCase.named("qp.connect.what-is-in-force")
                        .from("ibv_modify_qp(3): timers are rounded up")
                        .runs(QueuePairCases::inForce),
                ConformanceCase.named("qp.connect.twice-refused")
                        .from("ibv_modify_qp(3): EINVAL")
                        .runs(QueuePairCases::connectTwice),
                ConformanceCase.named("qp.connect.to-itself")
                        .from("ibv_modify_qp(3)")
                        .runs(QueuePairCases::toItself),
                ConformanceCase.named("qp.close-twice")
                        .from("ibv_destroy_qp(3)")
                        .runs(QueuePairCases::closeTwice),
                ConformanceCase.named("qp.use-after-close")
                        .from("ibv_destroy_qp(3)")
                        .runs(QueuePairCases::useAfterClose));
    }

    private static void create(Bench bench, QueuePairType type) {
        Pair pair = bench.pair(type).unconnected().build();
        QueuePair queuePair = pair.a().queuePair();
        bench.check().equal("type", type, queuePair.type());
        bench.check().equal("state", QueuePairState.RESET, queuePair.state());
        bench.check()
                .equal(
                        "state in the kernel",
                        QueuePairState.RESET,
                        queuePair.query().state());
        bench.check().that("number of 24 bits", queuePair.number() > 1 && queuePair.number() >>> 24 == 0);
        bench.check().equal("domain", bench.a().domain(), queuePair.protectionDomain());
        bench.check().equal("send completions", pair.a().sends(), queuePair.sendCompletions());
        bench.check().equal("receive completions", pair.a().receives(), queuePair.receiveCompletions());
    }

    private static void initialize(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        pair.a().queuePair().initialize();
        bench.check()
                .equal(
                        "state",
                        QueuePairState.INIT,
                        pair.a().queuePair().query().state());
        bench.check().equal("port", 1, pair.a().queuePair().query().port());
    }

    private static void tooMuch(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(64);
        DeviceAttributes device = bench.a().context().query();
        for (int requests : new int[] {device.maxWorkRequests() + 1, Integer.MAX_VALUE / 2}) {
            bench.check()
                    .refused(
                            requests + " sends",
                            List.of("EINVAL", "ENOMEM"),
                            () -> builder(bench, queue).depth(requests, 1).build());
            bench.check()
                    .refused(
                            requests + " receives",
                            List.of("EINVAL", "ENOMEM"),
                            () -> builder(bench, queue).depth(1, requests).build());
        }
        for (int elements : new int[] {device.maxSge() + 1, 0xffff}) {
            bench.check()
                    .refused(
                            elements + " send elements",
                            "EINVAL",
                            () -> builder(bench, queue).sge(elements, 1).build());
            bench.check()
                    .refused(
                            elements + " receive elements",
                            "EINVAL",
                            () -> builder(bench, queue).sge(1, elements).build());
        }
        bench.check()
                .refused(
                        "inline bytes without end",
                        "EINVAL",
                        () -> builder(bench, queue).inline(1 << 20).build());
        bench.check()
                .refused(
                        "a negative depth",
                        "EINVAL",
                        () -> builder(bench, queue).depth(-1, 1).build());
        bench.check().equal("committed", 0, queue.committed());
    }

    private static QueuePair.Builder builder(Bench bench, CompletionQueue queue) {
        return bench.a().domain().queuePair(queue).depth(1, 1).allowCompletionQueueOvercommit();
    }

    private static void sizes(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(4096);
        int most = Math.min(30, bench.a().context().query().maxSge());
        for (int[] size :
                new int[][] {{1, 1, 1, 1, 0}, {3, 5, 2, 3, 10}, {100, 200, most, most, 100}, {1000, 1000, 1, 1, 1}}) {
            try (QueuePair queuePair = bench.a()
                    .domain()
                    .queuePair(queue)
                    .depth(size[0], size[1])
                    .sge(size[2], size[3])
                    .inline(size[4])
                    .build()) {
                bench.check().equal("sends", size[0], queuePair.capacity().maxSendRequests());
                bench.check().equal("receives", size[1], queuePair.capacity().maxReceiveRequests());
                bench.check()
                        .atLeast("send elements", size[2], queuePair.capacity().maxSendSge());
                bench.check()
                        .atLeast(
                                "receive elements",
                                size[3],
                                queuePair.capacity().maxReceiveSge());
                bench.check()
                        .atLeast("inline bytes", size[4], queuePair.capacity().maxInline());
                bench.check().equal("slots", size[0], queuePair.sendSlots());
            }
        }
    }

    private static void many(Bench bench) {
        CompletionQueue queue = bench.a().completionQueue(1024);
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            QueuePair queuePair =
                    bench.a().domain().queuePair(queue).depth(1, 1).build();
            bench.check().that("number is new", numbers.add(queuePair.number()));
            bench.check().that("number of 24 bits", queuePair.number() >>> 24 == 0);
        }
    }

    private static void onlySends(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .queuePairs(builder -> builder.depth(4, 0))
                .build();
        pair.a()
                .post(batch -> batch.write(1, pair.b().remote(), 0)
                        .sge(pair.a().region(), 0, 8)
                        .signaled());
        pair.a().sent(1);
        bench.check().refused("a receive", "ENOMEM", () -> pair.a().receive(1, 0, 8));
    }

    private static void queryAfterCreate(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        QueuePairAttributes attributes = pair.a().queuePair().query();
        bench.check().equal("state", QueuePairState.RESET, attributes.state());
        bench.check().equal("destination", 0, attributes.destinationQueuePair());
    }

    private static void queryModified(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .mtu(Mtu.MTU_512)
                .access(AccessFlag.REMOTE_READ)
                .options(options -> options.retryCount(5)
                        .rnrRetry(3)
                        .ackTimeout(Duration.ofMillis(67))
                        .hopLimit(33)
                        .trafficClass(8))
                .build();
        QueuePairAttributes attributes = pair.a().queuePair().query();
        bench.check().equal("state", QueuePairState.RTS, attributes.state());
        bench.check().equal("destination", pair.b().queuePair().number(), attributes.destinationQueuePair());
        bench.check().equal("MTU", Mtu.MTU_512, attributes.pathMtu());
        bench.check().equal("retries", 5, attributes.retryCount());
        bench.check().equal("RNR retries", 3, attributes.rnrRetry());
        bench.check().equal("timeout code of 67 ms", 14, attributes.timeout());
        bench.check().equal("RNR timer code of 1 ms", 14, attributes.minRnrTimer());
        bench.check().equal("access", AccessFlag.REMOTE_READ.bit(), attributes.access() & AccessFlag.queuePairMask());
        bench.check().equal("receive PSN", pair.b().queuePair().endpoint().psn(), attributes.receivePsn());
        bench.check().equal("port", 1, attributes.port());
        bench.check()
                .equal(
                        "GID",
                        pair.b().queuePair().endpoint().gid(),
                        attributes.address().destination());
        bench.check()
                .answer(
                        "hop limit",
                        33,
                        attributes.address().hopLimit(),
                        Allowance.rxe(
                                64, "Linux takes the hop limit of a RoCE address from the route, for every device"));
        bench.check().equal("traffic class", 8, attributes.address().trafficClass());
    }

    private static void readAtomic(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC)
                .queuePairs(builder -> builder.readAtomicDepth(12))
                .build();
        QueuePairAttributes attributes = pair.a().queuePair().query();
        bench.check().atLeast("as the requester", 12, attributes.maxReadAtomic());
        bench.check().atLeast("as the responder", 12, attributes.maxDestReadAtomic());
    }

    private static void inForce(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        QueuePair queuePair = pair.a().queuePair();
        Connection connection = queuePair.connect(
                pair.b().queuePair().endpoint(),
                ConnectOptions.defaults()
                        .maxMtu(Mtu.MTU_256)
                        .ackTimeout(Duration.ofMillis(50))
                        .rnrTimer(Duration.ofMillis(9)));
        bench.check().equal("MTU", Mtu.MTU_256, connection.mtu());
        bench.check().equal("ACK timeout", Duration.ofNanos(4096L << 14), connection.ackTimeout());
        bench.check().equal("RNR timer", Duration.ofNanos(10_240_000), connection.rnrTimer());
        bench.check().equal("this end", queuePair.endpoint(), connection.local());
        bench.check().equal("the peer", pair.b().queuePair().endpoint(), connection.remote());
        bench.check().equal("state", QueuePairState.RTS, queuePair.query().state());
    }

    private static void connectTwice(Bench bench) {
        Pair pair = bench.pair();
        bench.check()
                .refused(
                        "again",
                        "EINVAL",
                        () -> pair.a().queuePair().connect(pair.b().queuePair().endpoint()));
        bench.check()
                .equal("state", QueuePairState.RTS, pair.a().queuePair().query().state());
    }

    private static void toItself(Bench bench) {
        Pair pair = bench.pair(QueuePairType.RC).unconnected().build();
        pair.a().queuePair().connect(pair.a().queuePair().endpoint());
        pair.a().receive(9, 64, 64);
        pair.a().memory().fill((byte) 4);
        pair.a().post(batch -> batch.send(1).sge(pair.a().region(), 0, 8).signaled());
        pair.a().sent(1);
        bench.check().equal("bytes", 8, pair.a().received(9).byteLength());
    }

    private static void closeTwice(Bench bench) {
        Pair pair = bench.pair();
        pair.a().queuePair().close();
        pair.a().queuePair().close();
        pair.a().queuePair().close(Duration.ZERO);
    }

    private static void useAfterClose(Bench bench) {
        Pair pair = bench.pair();
        QueuePair queuePair = pair.a().queuePair();
        queuePair.close();
        bench.check().thrown("a batch", ClosedException.class, queuePair::batch);
        bench.check().thrown("a receive", ClosedException.class, queuePair::receives);
        bench.check().thrown("query", ClosedException.class, queuePair::query);
        bench.check()
                .thrown(
                        "modify",
                        ClosedException.class,
                        () -> queuePair.modify(QueuePairAttributes.builder()
                                .state(QueuePairState.ERROR)
                                .build()));
        bench.check()
                .thrown(
                        "connect",
                        ClosedException.class,
                        () -> queuePair.connect(pair.b().queuePair().endpoint()));
    }
}
