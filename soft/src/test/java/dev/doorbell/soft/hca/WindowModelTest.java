package dev.doorbell.soft.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doorbell.memory.Host;
import dev.doorbell.spec.AccessFlag;
import dev.doorbell.spec.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random binds, invalidations and accesses against a model that knows for each window what it should open. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test begins by setting up what it needs
class WindowModelTest {
    private static final int REGION = 128;
    private static final int WINDOWS = 3;
    private static final int STEPS = 300;
    private static final int WRITE = AccessFlag.REMOTE_WRITE.bit();
    private static final int READ = AccessFlag.REMOTE_READ.bit();

    /** What a window should be. */
    private static final class Model {
        final HcaMemoryWindow window;
        final int type;
        int key;
        boolean bound;
        MemoryWork binder;
        int start;
        int length;
        int access;

        Model(HcaMemoryWindow window, int type, MemoryWork binder) {
            this.window = window;
            this.type = type;
            this.key = window.rkey();
            this.binder = binder;
        }

        boolean opens(MemoryWork user, int from, int bytes, int needed) {
            boolean reached = bound && (type == HcaMemoryWindow.TYPE_1 || binder == user);
            return reached && (access & needed) == needed && from >= start && from + bytes <= start + length;
        }
    }

    private final List<Model> models = new ArrayList<>();
    private final List<MemoryWork> pairs = new ArrayList<>();
    private SplittableRandom random;
    private Device.Buffer region;
    private Device.Buffer local;
    private byte[] expected;

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "4, true", "5, true", "6, true"})
    void windowsOpenWhatTheModelSays(long seed, boolean wired) {
        random = new SplittableRandom(seed);
        Supplier<MemoryWork> path = wired ? MemoryWork::wired : MemoryWork::direct;
        MemoryWork first = path.get();
        pairs.add(first);
        pairs.add(first.another());
        region = first.there().buffer(REGION, Device.ALL_ACCESS | AccessFlag.MW_BIND.bit());
        local = first.here().buffer(REGION);
        expected = new byte[REGION];
        for (int index = 0; index < WINDOWS; index++) {
            int type = index == 0 ? HcaMemoryWindow.TYPE_1 : HcaMemoryWindow.TYPE_2;
            models.add(new Model(first.window(type), type, first));
        }
        for (int step = 0; step < STEPS; step++) {
            Model model = models.get(random.nextInt(WINDOWS));
            int pair = random.nextInt(pairs.size());
            switch (random.nextInt(5)) {
                case 0 -> bind(model, pair);
                case 1 -> invalidate(model, pair);
                default -> access(model, pair);
            }
            assertThat(model.window.rkey()).as("step %d", step).isEqualTo(model.key);
        }
        long bound = models.stream().filter(model -> model.bound).count();
        assertThat(region.region().deregister() == 0).isEqualTo(bound == 0);
    }

    private void bind(Model model, int pair) {
        MemoryWork work = pairs.get(pair);
        int start = random.nextInt(REGION);
        int length = random.nextInt(REGION - start + 1);
        boolean outside = random.nextInt(8) == 0;
        int access = random.nextInt(4) << 1;
        int key = random.nextInt(8) == 0 ? model.key ^ 1 : model.key;
        int next = random.nextInt(256);
        boolean fits = key == model.key && !(outside && length > 0);
        boolean allowed = fits && (model.type == HcaMemoryWindow.TYPE_1 || (!model.bound && length > 0));
        long address = region.address() + start + (outside ? REGION : 0);
        MemoryWork.bind(work.right, key, next, region.key(), address, length, access);
        expect(work.outcome(work.right), allowed, WorkCompletionStatus.MW_BIND_ERR, pair);
        if (allowed) {
            model.key = model.key & ~0xff | next;
            model.bound = length > 0;
            model.binder = work;
            model.start = start;
            model.length = length;
            model.access = access;
        }
    }

    private void invalidate(Model model, int pair) {
        MemoryWork work = pairs.get(pair);
        boolean remotely = random.nextBoolean();
        boolean allowed = model.type == HcaMemoryWindow.TYPE_2 && model.bound && model.binder == work;
        if (remotely) {
            work.right.receive(1, Endpoint.sge(work.there().buffer(8)));
            work.sendInvalidate(model.key, Endpoint.sge(local, 0, 8));
            expect(work.sent(), allowed, WorkCompletionStatus.REM_ACCESS_ERR, pair);
            work.right.received();
        } else {
            expect(work.invalidate(model.key), allowed, WorkCompletionStatus.LOC_QP_OP_ERR, pair);
        }
        model.bound &= !allowed;
    }

    private void access(Model model, int pair) {
        MemoryWork work = pairs.get(pair);
        int from = random.nextInt(REGION);
        int bytes = 1 + random.nextInt(REGION - from);
        boolean writes = random.nextBoolean();
        boolean allowed = model.opens(work, from, bytes, writes ? WRITE : READ);
        local.fill(random.nextLong());
        if (writes) {
            WorkCompletionStatus status = work.write(model.key, region.address() + from, local, bytes);
            if (allowed) {
                for (int offset = 0; offset < bytes; offset++) {
                    expected[from + offset] = (byte) Host.getUnsignedByte(local.memory(), offset);
                }
            }
            expect(status, allowed, WorkCompletionStatus.REM_ACCESS_ERR, pair);
        } else {
            expect(
                    work.read(model.key, region.address() + from, local, bytes),
                    allowed,
                    WorkCompletionStatus.REM_ACCESS_ERR,
                    pair);
        }
        for (int offset = 0; offset < REGION; offset++) {
            assertThat((byte) Host.getUnsignedByte(region.memory(), offset)).isEqualTo(expected[offset]);
        }
    }

    /** A refusal ends the pair; the next one takes its place, and what it had bound opens to nobody. */
    private void expect(WorkCompletionStatus status, boolean allowed, WorkCompletionStatus otherwise, int pair) {
        assertThat(status).isEqualTo(allowed ? WorkCompletionStatus.SUCCESS : otherwise);
        if (!allowed) {
            pairs.set(pair, pairs.get(pair).another());
        }
    }
}
