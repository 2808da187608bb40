package dev.doorbell.verbs;

import dev.doorbell.kernel.Errno;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what one or more contexts ask of their kernels.
 *
 * <p>Thread rules: any method from any thread. The numbers of one reading need not belong to one moment.
 *
 * <p>The C library has nothing like it. Commands have the names of the kernel's uverbs interface.
 */
public final class KernelCounters implements KernelObserver {
    /**
     * What became of a command.
     *
     * @param count how often it was sent
     * @param elapsed time spent in it altogether
     * @param refusals how often it was refused, by the errno's name
     */
    public record Command(long count, Duration elapsed, Map<String, Long> refusals) {
        private static final Command NONE = new Command(0, Duration.ZERO, Map.of());

        /** Copies the map. */
        public Command {
            refusals = Map.copyOf(refusals);
        }

        private Command plus(int errno, long elapsedNs) {
            Map<String, Long> errors = new TreeMap<>(refusals);
            if (errno != 0) {
                errors.merge(Errno.name(errno), 1L, Long::sum);
            }
            return new Command(count + 1, elapsed.plusNanos(elapsedNs), errors);
        }
    }

    private final Map<String, Command> commands = new ConcurrentHashMap<>();
    private final AtomicLong maps = new AtomicLong();
    private final AtomicLong unmaps = new AtomicLong();
    private final AtomicLong pins = new AtomicLong();
    private final AtomicLong pinnedBytes = new AtomicLong();
    private final AtomicLong doorbells = new AtomicLong();
    private final AtomicLong systemCallDoorbells = new AtomicLong();
    private final AtomicLong refusedDoorbells = new AtomicLong();

    /** Counters at zero. */
    public KernelCounters() {}

    @Override
    public void onCommand(String name, int errno, long elapsedNs) {
        commands.compute(name, (key, sum) -> (sum == null ? Command.NONE : sum).plus(errno, elapsedNs));
    }

    @Override
    public void onMap(long bytes) {
        maps.incrementAndGet();
    }

    @Override
    public void onUnmap(long bytes) {
        unmaps.incrementAndGet();
    }

    @Override
    public void onPin(long bytes) {
        pins.incrementAndGet();
        pinnedBytes.addAndGet(bytes);
    }

    @Override
    public void onDoorbell(boolean systemCall, int errno) {
        doorbells.incrementAndGet();
        if (systemCall) {
            systemCallDoorbells.incrementAndGet();
        }
        if (errno != 0) {
            refusedDoorbells.incrementAndGet();
        }
    }

    /** The commands by name, in alphabetical order. */
    public Map<String, Command> commands() {
        return new TreeMap<>(commands);
    }

    /** Commands sent altogether. */
    public long commandCount() {
        return commands.values().stream().mapToLong(Command::count).sum();
    }

    /** Mappings made. */
    public long maps() {
        return maps.get();
    }

    /** Mappings ended. */
    public long unmaps() {
        return unmaps.get();
    }

    /** Registrations announced. */
    public long pins() {
        return pins.get();
    }

    /** Bytes of the registrations announced. */
    public long pinnedBytes() {
        return pinnedBytes.get();
    }

    /** Doorbells rung. */
    public long doorbells() {
        return doorbells.get();
    }

    /** Doorbells that were system calls. */
    public long systemCallDoorbells() {
        return systemCallDoorbells.get();
    }

    /** Doorbells that answered with an errno. */
    public long refusedDoorbells() {
        return refusedDoorbells.get();
    }
}
