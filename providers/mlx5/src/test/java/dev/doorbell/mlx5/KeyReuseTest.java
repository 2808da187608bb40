package dev.doorbell.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doorbell.kernel.Errno;
import dev.doorbell.kernel.abi.AllocMwResponse;
import dev.doorbell.kernel.abi.CreateQpResponse;
import dev.doorbell.kernel.abi.RegMrResponse;
import dev.doorbell.kernel.abi.ReregMrResponse;
import dev.doorbell.kernel.abi.UverbsCommand;
import dev.doorbell.spec.QueuePairType;
import dev.doorbell.verbs.QueuePairCapacity;
import dev.doorbell.verbs.spi.ProviderContext.CompletionQueueRequest;
import dev.doorbell.verbs.spi.ProviderContext.QueuePairRequest;
import dev.doorbell.verbs.spi.ProviderMemoryRegion;
import dev.doorbell.verbs.spi.ProviderMemoryWindow;
import dev.doorbell.verbs.spi.RegionChange;
import dev.doorbell.verbs.spi.VerbsFault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kernel gives a key anew as soon as it has freed it: another thread may have what it belongs to before the driver hears that the
 * command is done.
 */
@Timeout(60)
class KeyReuseTest {
    private static final int KEY = 0x7700;
    private static final int OTHER_KEY = 0x8800;
    private static final int NUMBER = 0x1234;
    private static final int BYTES = 64;
    private static final long IOVA = 0x1000;
    private static final long NEXT_IOVA = 0x2000;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES);

    private static Session session(String profile) {
        Session session = new Session(profile);
        session.kernel.answers.put(UverbsCommand.REG_MR, sent -> {
            RegMrResponse.setLkey(sent.coreOut(), 0, KEY);
            return 0;
        });
        session.kernel.answers.put(UverbsCommand.ALLOC_MW, sent -> {
            AllocMwResponse.setRkey(sent.coreOut(), 0, KEY);
            return 0;
        });
        session.kernel.answers.put(UverbsCommand.CREATE_QP, sent -> {
            CreateQpResponse.setQpn(sent.coreOut(), 0, NUMBER);
            return 0;
        });
        return session;
    }

    private ProviderMemoryRegion register(Session session, long iova) {
        return session.context.registerMemory(session.domain, memory, iova, 1);
    }

    private boolean isRegistered(Session session, long iova) {
        return session.context.device().regions().copy(memory, 0, KEY, iova, 8);
    }

    @Test
    void aRegionThatGotTheKeyOfOneThatIsBeingClosedStays() {
        Session session = session("dyn");
        ProviderMemoryRegion first = register(session, IOVA);
        session.kernel.answers.put(UverbsCommand.DEREG_MR, sent -> {
            register(session, NEXT_IOVA);
            return 0;
        });

        first.close();

        assertThat(isRegistered(session, NEXT_IOVA)).isTrue();
        assertThat(isRegistered(session, IOVA)).isFalse();
    }

    @Test
    void aRegionThatGotTheKeyOfOneThatChangesStays() {
        Session session = session("dyn");
        ProviderMemoryRegion first = register(session, IOVA);
        session.kernel.answers.put(UverbsCommand.REREG_MR, sent -> {
            ReregMrResponse.setLkey(sent.coreOut(), 0, OTHER_KEY);
            register(session, NEXT_IOVA);
            return 0;
        });

        first.reregister(new RegionChange(null, 0, false, 0, true, 1));

        assertThat(isRegistered(session, NEXT_IOVA)).isTrue();
        assertThat(session.context.device().regions().copy(memory, 0, OTHER_KEY, IOVA, 8))
                .isTrue();
    }

    @Test
    void aRegionIsForgottenOnlyOnceItIsGone() {
        Session session = session("dyn");
        ProviderMemoryRegion region = register(session, IOVA);
        session.kernel.answers.put(UverbsCommand.DEREG_MR, sent -> Errno.EBUSY);
        assertThatThrownBy(region::close).isInstanceOf(VerbsFault.class);
        assertThat(isRegistered(session, IOVA)).isTrue();

        session.kernel.answers.put(UverbsCommand.DEREG_MR, sent -> Errno.EIO);
        assertThatThrownBy(region::close).isInstanceOf(VerbsFault.class);
        assertThat(isRegistered(session, IOVA)).isFalse();
    }

    @Test
    void aWindowThatGotTheKeyOfOneThatIsBeingClosedKeepsItsType() {
        for (int type = 1; type <= 2; type++) {
            Session session = session("dyn");
            WindowTable windows = session.context.device().windows();
            ProviderMemoryWindow first = session.context.allocateMemoryWindow(session.domain, 3 - type);
            int next = type;
            session.kernel.answers.put(UverbsCommand.DEALLOC_MW, sent -> {
                session.context.allocateMemoryWindow(session.domain, next);
                assertThat(windows.isOfType1(KEY)).isEqualTo(next == 1);
                return 0;
            });

            first.close();

            assertThat(windows.isOfType1(KEY)).isEqualTo(type == 1);
        }
    }

    /** Completions name queue pairs by number there, and those of the old one must be taken out before the new one has any. */
    @Test
    void aQueuePairIsMadeOnlyAfterOneOfTheSameNumberIsForgotten() throws InterruptedException {
        Session session = session("cqev0");
        Mlx5CompletionQueue queue = CompletionQueueCommands.create(
                session.context.device(), new CompletionQueueRequest(7, 0, -1, 1, false, false), 64);
        QueuePairRequest request = new QueuePairRequest(
                session.domain, QueuePairType.RC, queue, queue, null, new QueuePairCapacity(1, 1, 1, 1, 0), false, 1);
        Mlx5QueuePair first = (Mlx5QueuePair) session.context.createQueuePair(request);
        List<Mlx5QueuePair> made = new ArrayList<>();
        Thread other =
                new Thread(() -> made.add((Mlx5QueuePair) session.context.createQueuePair(request)), "creates another");
        session.kernel.answers.put(UverbsCommand.DESTROY_QP, sent -> {
            other.start();
            while (other.getState() != Thread.State.WAITING && other.isAlive()) {
                Thread.onSpinWait();
            }
            return 0;
        });

        first.close();
        other.join();

        assertThat(session.context.device().queuePairs().find(NUMBER))
                .isSameAs(made.getFirst().queues());
    }
}
