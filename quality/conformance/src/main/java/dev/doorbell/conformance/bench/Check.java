package dev.doorbell.conformance.bench;

import dev.doorbell.conformance.FabricKind;
import dev.doorbell.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Says expectations and counts them. The first that does not hold ends the case, with what was looked at, what was expected
 * and what was there.
 *
 * <p>Thread rules: any thread of the case.
 */
public final class Check {
    private final FabricKind kind;
    private final AtomicInteger assertions = new AtomicInteger();
    private final List<String> differences = new ArrayList<>();

    Check(FabricKind kind) {
        this.kind = kind;
    }

    /** How many expectations were checked. */
    public int assertions() {
        return assertions.get();
    }

    /** The reasons of the declared differences that were met. */
    public synchronized List<String> differences() {
        return List.copyOf(differences);
    }

    /** Something is true. */
    public void that(String what, boolean holds) {
        assertions.incrementAndGet();
        if (!holds) {
            throw new AssertionError(what + ": expected true, was false");
        }
    }

    /** Two things are equal. */
    public void equal(String what, @Nullable Object expected, @Nullable Object actual) {
        assertions.incrementAndGet();
        if (!Objects.equals(expected, actual)) {
            throw different(what, expected, actual);
        }
    }

    /** Two numbers are equal. */
    public void equal(String what, long expected, long actual) {
        assertions.incrementAndGet();
        if (expected != actual) {
            throw different(
                    what,
                    expected + " (0x" + Long.toHexString(expected) + ")",
                    actual + " (0x" + Long.toHexString(actual) + ")");
        }
    }

    /** The expected answer, or another one that is declared for this kind of fabric. */
    public void answer(String what, Object expected, Object actual, Allowance... allowances) {
        assertions.incrementAndGet();
        if (expected.equals(actual)) {
            return;
        }
        for (Allowance allowance : allowances) {
            if (allowance.covers(kind, actual)) {
                differ(what + ": " + actual + " instead of " + expected + ", as " + allowance.reason());
                return;
            }
        }
        throw different(what, expected, actual);
    }

    private synchronized void differ(String difference) {
        if (!differences.contains(difference)) {
            differences.add(difference);
        }
    }

    /** A number is at least so large. */
    public void atLeast(String what, long least, long actual) {
        assertions.incrementAndGet();
        if (actual < least) {
            throw different(what, "at least " + least, actual);
        }
    }

    /** A number is at most so large. */
    public void atMost(String what, long most, long actual) {
        assertions.incrementAndGet();
        if (actual > most) {
            throw different(what, "at most " + most, actual);
        }
    }

    /** Every byte is the same. */
    public void bytes(String what, MemorySegment expected, MemorySegment actual) {
        assertions.incrementAndGet();
        long at = expected.mismatch(actual);
        if (at >= 0) {
            throw new AssertionError(what + ": " + expected.byteSize() + " bytes expected, " + actual.byteSize()
                    + " there, and byte " + at + " is the first that differs: expected " + byteAt(expected, at)
                    + ", was " + byteAt(actual, at));
        }
    }

    private static String byteAt(MemorySegment segment, long at) {
        return at < segment.byteSize() ? "0x%02x".formatted(segment.get(ValueLayout.JAVA_BYTE, at)) : "the end";
    }

    /** The verb is refused with this error number, such as {@code EINVAL}. Returns the refusal. */
    public VerbsException refused(String what, String errno, Action action) {
        return refused(what, List.of(errno), action);
    }

    /** The verb is refused with one of these error numbers. Returns the refusal. */
    public VerbsException refused(String what, List<String> errnos, Action action) {
        VerbsException refusal = thrown(what, VerbsException.class, action);
        assertions.incrementAndGet();
        if (!errnos.contains(refusal.errnoName())) {
            AssertionError error = different(what, String.join(" or ", errnos), refusal.errnoName());
            error.addSuppressed(refusal);
            throw error;
        }
        return refusal;
    }

    /** The action throws this. Returns what was thrown. */
    public <E extends Throwable> E thrown(String what, Class<E> type, Action action) {
        assertions.incrementAndGet();
        try {
            action.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            AssertionError error = different(what, type.getSimpleName(), thrown);
            error.addSuppressed(thrown);
            throw error;
        }
        throw different(what, type.getSimpleName(), "nothing thrown");
    }

    /** A failure of the case, for what no other method says. */
    public AssertionError failure(String what) {
        return new AssertionError(what);
    }

    private static AssertionError different(String what, @Nullable Object expected, @Nullable Object actual) {
        return new AssertionError(what + ": expected " + expected + ", was " + actual);
    }

    /** Something that may throw. */
    @FunctionalInterface
    public interface Action {
        /** Does it. */
        void run() throws Exception;
    }
}
