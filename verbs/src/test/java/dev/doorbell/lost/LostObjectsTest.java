package dev.doorbell.lost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.spec.AccessFlag;
import dev.doorbell.verbs.CompletionQueue;
import dev.doorbell.verbs.Context;
import dev.doorbell.verbs.MemoryRegion;
import dev.doorbell.verbs.MemorySlice;
import dev.doorbell.verbs.ProtectionDomain;
import dev.doorbell.verbs.QueuePair;
import dev.doorbell.verbs.fake.FakeDevice;
import dev.doorbell.verbs.fake.FakeKernel;
import dev.doorbell.verbs.fake.FakeProvider;
import dev.doorbell.verbs.spi.DeviceCatalog;
import java.lang.foreign.Arena;
import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes unreachable unclosed is reported with its creation site, and freed in the right order. */
@Timeout(60)
class LostObjectsTest {
    private static final Logger LOGGER = Logger.getLogger("dev.doorbell.leaks");

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            reports.add(MessageFormat.format(record.getMessage(), record.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final FakeDevice device = new FakeDevice("acme7");
    private final DeviceCatalog catalog =
            DeviceCatalog.of(List.of(new FakeKernel("fake", 0, device)), List.of(new FakeProvider()));

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
        LOGGER.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    private void collectUntilLogged(String line) {
        while (!device.channel.log.contains(line)) {
            System.gc();
            Thread.onSpinWait();
        }
    }

    private List<String> mine() {
        return reports.stream()
                .filter(report -> report.contains("LostObjectsTest"))
                .toList();
    }

    @Test
    void aWholeContextIsFreedChildrenFirst() {
        loseEverything();
        collectUntilLogged("close");

        assertThat(device.channel.log)
                .containsSubsequence("DESTROY_QP", "DEALLOC_PD", "close")
                .containsSubsequence("DESTROY_QP", "DESTROY_CQ", "close")
                .containsSubsequence("DEREG_MR", "unpin", "DEALLOC_PD")
                .filteredOn("DESTROY_QP"::equals)
                .hasSize(1);
        assertThat(mine())
                .hasSize(5)
                .allSatisfy(
                        report -> assertThat(report).contains("LostObjectsTest.loseEverything(LostObjectsTest.java:"))
                .anySatisfy(report -> assertThat(report).startsWith("context of acme7"))
                .anySatisfy(report -> assertThat(report).startsWith("queue pair 0x"))
                .anySatisfy(report -> assertThat(report).startsWith("registered arena"));
    }

    @SuppressWarnings("try") // losing them is the point
    private void loseEverything() {
        Context context = catalog.devices().getFirst().open();
        ProtectionDomain domain = context.allocateProtectionDomain();
        domain.arena(AccessFlag.LOCAL_WRITE).allocate(8);
        CompletionQueue completions = context.createCompletionQueue(16);
        QueuePair queuePair = domain.queuePair(completions).depth(2, 2).build();
        queuePair.connect(queuePair.endpoint());
    }

    @Test
    void oneObjectIsFreedWhileItsContextLivesOn() {
        try (Context context = catalog.devices().getFirst().open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            loseRegion(domain);
            collectUntilLogged("unpin");
            assertThat(mine()).hasSize(1);
            assertThat(context.isOpen()).isTrue();
        }
        assertThat(device.channel.log).endsWith("DEALLOC_PD", "close events", "close");
    }

    private static void loseRegion(ProtectionDomain domain) {
        MemoryRegion region = domain.register(Arena.ofAuto().allocate(64), AccessFlag.LOCAL_WRITE);
        assertThat(region.isOpen()).isTrue();
    }

    @Test
    void childrenKeepTheirParentsAlive() {
        try (QueuePair queuePair = onlyQueuePair()) {
            for (int i = 0; i < 5; i++) {
                System.gc();
            }
            assertThat(queuePair.sendCompletions().context().isOpen()).isTrue();
            assertThat(queuePair.query()).isNotNull();
            assertThat(mine()).isEmpty();
            queuePair.protectionDomain().context().close();
        }
    }

    private QueuePair onlyQueuePair() {
        Context context = catalog.devices().getFirst().open();
        QueuePair queuePair = context.allocateProtectionDomain()
                .queuePair(context.createCompletionQueue(16))
                .depth(2, 2)
                .build();
        queuePair.connect(queuePair.endpoint());
        return queuePair;
    }

    @Test
    void aSliceKeepsItsArenaAlive() {
        try (Context context = catalog.devices().getFirst().open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            MemorySlice slice = sliceOf(domain);
            for (int i = 0; i < 5; i++) {
                System.gc();
            }
            assertThat(slice.segment().scope().isAlive()).isTrue();
            assertThat(slice.region().isOpen()).isTrue();
            assertThat(mine()).isEmpty();
            slice.region().arena().orElseThrow().close();
        }
    }

    private static MemorySlice sliceOf(ProtectionDomain domain) {
        return domain.arena(AccessFlag.LOCAL_WRITE).allocateSlice(8);
    }

    @Test
    void whatWasClosedIsNotReported() {
        try (Context context = catalog.devices().getFirst().open()) {
            context.allocateProtectionDomain();
        }
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        assertThat(mine()).isEmpty();
    }
}
